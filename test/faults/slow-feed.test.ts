import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { Egress } from '#platform/egress/egress.ts';
import type { Pace } from '#platform/egress/pace.ts';
import { pools } from '#platform/jobs/job-pools.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { giveToken } from '../stages/company-token.ts';
import { openTestDatabase, testDatabaseUrl, testKontor, type TestKontor } from '../stages/kontor.ts';

const otherToken = 'token-of-another-company-0123456789';
const tooSlow = { code: 'download_slow', message: expect.stringContaining('sendet zu langsam') as string };

describe('servers that send almost nothing', () => {
  let shop: Server;
  let url: string;
  /** Answers in progress, and the total number of requests. */
  let open = 0;
  let asked = 0;
  beforeAll(async () => {
    shop = createServer((request, response) => {
      asked++;
      open++;
      response.on('close', () => open--);
      if (request.url === '/silent') return;
      if (request.url === '/redirect') {
        response.writeHead(302, { location: '/drip' }).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/csv' });
      if (request.url === '/large') {
        let pieces = 0;
        const send = setInterval(() => {
          response.write('x'.repeat(20_000));
          if (++pieces === 10) response.end();
        }, 100);
        response.on('close', () => clearInterval(send));
        return;
      }
      response.write('sku;titel\n');
      const drip = setInterval(() => response.write('1'), 20);
      response.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    shop.close();
    shop.closeAllConnections();
  });

  const fetched = (path: string, pace: Omit<Pace, 'steadyBytes'>) =>
    new Egress({ allowLoopback: true, pace: { ...pace, steadyBytes: 1e9 } }).download(
      url + path,
      join(tmpdir(), `kontor-slow-${process.pid}`),
      {
        maxBytes: 1e9,
      },
    );
  const never = 1e8;

  it.each(['/drip', '/redirect', '/silent'])(
    'T22 a download of %s ends when too few bytes come in a time span',
    async (path) => {
      await expect(fetched(path, { totalMs: never, spanMs: 200, leastBytes: 1000 })).rejects.toMatchObject(tooSlow);
      await expect.poll(() => open).toBe(0);
    },
  );

  it.each(['/drip', '/redirect', '/silent'])(
    'T22 a download of %s ends when its total time is over, however steadily it comes',
    async (path) => {
      await expect(fetched(path, { totalMs: 300, spanMs: never, leastBytes: 0 })).rejects.toMatchObject(tooSlow);
      await expect.poll(() => open).toBe(0);
    },
  );

  it('T22 a large file that comes steadily enough may take longer', async () => {
    const pace = { totalMs: 300, steadyBytes: 20_000, spanMs: never, leastBytes: 0 };
    const egress = new Egress({ allowLoopback: true, pace });
    const file = join(tmpdir(), `kontor-steady-${process.pid}`);
    onTestFinished(() => rm(file, { force: true }));
    expect(await egress.download(`${url}/large`, file, { maxBytes: 1e9 })).toMatchObject({ bytes: 200_000 });
  });

  it('T22 reading the head of a picture has the same limit', async () => {
    const egress = new Egress({
      allowLoopback: true,
      pace: { totalMs: never, steadyBytes: 1e9, spanMs: 200, leastBytes: 1000 },
    });
    await expect(egress.peek(`${url}/drip`, 60_000)).rejects.toMatchObject(tooSlow);
    await expect.poll(() => open).toBe(0);
  });

  it('T22 slow feeds in every slot fail with a reason, and imports of another company continue', async () => {
    const kontor = await startWithTwo();
    asked = 0;
    try {
      const slow: string[] = [];
      for (let i = 0; i < pools.import + 1; i++) {
        const { masterid } = await kontor.ask(api.createMaster, { body: { name: `Langsam ${i}` } });
        const body = { url: `${url}/drip` } as never;
        slow.push(
          (await kontor.ask({ ...api.import, body: api.import.upload.json }, { params: { masterid }, body })).runid,
        );
      }
      await expect.poll(() => open).toBe(pools.import);
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Anderswo' }, as: otherToken });
      const form = new FormData();
      form.set('file', new Blob(['sku;titel\nA-1;Hammer\n']), 'artikel.csv');
      const answer = await kontor.raw(`/api/masters/${masterid}/import`, {
        method: 'POST',
        body: form,
        as: otherToken,
      });
      const { runid } = (await answer.json()) as { runid: string };
      const state = async (id: string, as?: string) =>
        kontor.ask(api.run, { params: { runid: id }, ...(as === undefined ? {} : { as }) });
      await expect.poll(async () => (await state(runid, otherToken)).state).toBe('done');
      for (const id of slow) {
        await expect.poll(async () => (await state(id)).state).toBe('failed');
        expect((await state(id)).message).toContain('sendet zu langsam');
      }
      expect([asked, open]).toEqual([slow.length, 0]);
    } finally {
      await kontor.close();
    }
  });
});

async function startWithTwo(): Promise<TestKontor> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'kontor-slow-'));
  const databaseUrl = await testDatabaseUrl();
  const database = await openTestDatabase(dataFolder, databaseUrl);
  const other = await createCompany(database, randomIds, systemClock, 'Andere Firma');
  await giveToken(database, other, otherToken);
  await database.close();
  const pace = { totalMs: 60_000, steadyBytes: 1e9, spanMs: 1500, leastBytes: 10_000 };
  return testKontor({}, { dataFolder, pace, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
}
