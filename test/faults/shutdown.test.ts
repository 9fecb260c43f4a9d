import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import { clientOf } from '../stages/client.ts';
import { token } from '../stages/kontor.ts';
import { kill, startProgram, type Program } from '../stages/program.ts';

describe('SIGTERM under load', () => {
  let folder: string;
  let program: Program;
  const client = clientOf(() => program.url);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-term-'));
    program = await startProgram(folder);
  });
  afterAll(async () => {
    await kill(program);
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends half of a save's body: the request is in progress until `finish` is called. */
  const halfSent = (name: string) => {
    const body = JSON.stringify({ name });
    const sent = request(new URL(pathOf(api.createMaster), program.url), {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length },
    });
    sent.write(body.slice(0, 5));
    const status = new Promise<number | string>((resolve) => {
      sent.on('response', (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', (error) => resolve(String(error)));
    });
    return { status, finish: () => sent.end(body.slice(5)) };
  };
  /** Saves repeatedly, each time on a new connection, until it is refused. */
  const saveUntilRefused = async (
    worker: number,
  ): Promise<{ saved: string[]; failed: string[]; refusal: number | string }> => {
    const [saved, failed]: string[][] = [[], []];
    for (let n = 0; ; n++) {
      const name = `Last ${worker}-${n}`;
      const one = halfSent(name);
      one.finish();
      const status = await one.status;
      if (status === 200) saved?.push(name);
      // The port is closed, or the answer is 503: nothing was done here, and a proxy would try the next process.
      else if (status === 503 || /ECONNREFUSED/.test(String(status)))
        return { saved: saved ?? [], failed: failed ?? [], refusal: status };
      else failed?.push(String(status));
    }
  };

  it('F20 answers pending requests, hands back jobs and ends within 30 s; the next start has every save and ends the jobs', async () => {
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const runid = await client.upload(masterid, [...catalogueCsv(20_000, 1)].join(''));
    const underWay = Array.from({ length: 10 }, (_, n) => halfSent(`Halb ${n}`));
    const load = Array.from({ length: 16 }, (_, worker) => saveUntilRefused(worker));
    await wait(500);
    const began = performance.now();
    const ended = kill(program, 'SIGTERM');
    await wait(500);
    for (const { finish } of underWay) finish();
    expect(await Promise.all(underWay.map(({ status }) => status))).toEqual(underWay.map(() => 200));
    const results = await Promise.all(load);
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(results.flatMap(({ failed }) => failed)).toEqual([]);
    // It answers 503 before the port is closed; otherwise connections waiting to be accepted would break.
    expect(results.map(({ refusal }) => refusal)).toContain(503);
    const saved = results.flatMap((one) => one.saved);
    expect(saved.length).toBeGreaterThan(0);

    program = await startProgram(folder);
    const names = new Set((await client.ask(api.masters)).map(({ name }) => name));
    expect([...saved, ...underWay.map((_, n) => `Halb ${n}`)].filter((name) => !names.has(name))).toEqual([]);
    expect(await client.ended(runid)).toMatchObject({ state: 'done', accepted: 20_000 });
  });
});
