import { createServer, get, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenStreams, writeToStream } from '#live/open-streams.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { testKontor, token, type TestKontor } from '../../stages/kontor.ts';

type Stream = { answer: IncomingMessage; close: () => void };
/** Opens a stream on a connection of its own, as browsers do. */
const opened = (url: string): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const asked = get(url, { agent: false, headers: { authorization: `Bearer ${token}` } });
    asked.once('response', (answer) => {
      answer.on('error', () => undefined);
      resolve({ answer, close: () => asked.destroy() });
    });
    asked.on('error', reject);
  });

describe('limits of open streams', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  it('T22 a user can open at most 20 streams, and closing one makes room', async () => {
    const url = kontor.url + pathOf(api.companyLive, {});
    const all: Stream[] = [];
    try {
      for (let n = 0; n < 20; n++) all.push(await opened(url));
      expect(all.map(({ answer }) => answer.statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
      const refused = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(await refused.json()).toMatchObject({
        error: { code: 'too_many_streams', message: expect.stringContaining('zu viele Fenster') },
      });
      all.pop()?.close();
      await expect
        .poll(async () => {
          const again = await opened(url);
          all.push(again);
          return again.answer.statusCode;
        })
        .toBe(200);
    } finally {
      for (const { close } of all) close();
    }
  });

  it('T22 a stream whose first database query fails is refused and frees its slot', async () => {
    const rename = (from: string, to: string) =>
      pg.raw(`alter table ${from} rename to ${to}`).execute(kontor.database.kysely);
    await rename('jobs', 'jobs_away');
    const all: Stream[] = [];
    try {
      for (let n = 0; n < 21; n++) all.push(await opened(kontor.url + pathOf(api.companyLive, {})));
      expect(all.map(({ answer }) => answer.statusCode)).toEqual(Array.from({ length: 21 }, () => 500));
    } finally {
      await rename('jobs_away', 'jobs');
      for (const { close } of all) close();
    }
  });

  it('T22 a company has its own limit, and a slot released twice counts once', () => {
    const streams = new OpenStreams({ person: 2, company: 3 });
    const anna = { company: 'eins', userId: 'anna', name: 'Anna' };
    const [first] = [streams.enter(anna), streams.enter(anna)];
    expect(() => streams.enter(anna)).toThrow('Sie haben zu viele');
    streams.enter({ ...anna, userId: 'arne' });
    expect(() => streams.enter({ ...anna, userId: 'bert' })).toThrow('Ihre Firma hat zu viele');
    streams.enter({ ...anna, company: 'zwei' });
    first();
    first();
    streams.enter({ ...anna, userId: 'bert' });
    expect(() => streams.enter({ ...anna, userId: 'carla' })).toThrow('Ihre Firma hat zu viele');
  });

  it('T22 a stream whose reader stalls is closed before its memory grows', async () => {
    let written = 0;
    let most = 0;
    const server = createServer((_request, raw) => {
      void (async () => {
        // The system's own buffers for a connection hold some megabytes.
        for (; !raw.destroyed && written < 100e6; await turn()) {
          writeToStream(raw, `data: ${'x'.repeat(64 * 1024)}\n\n`);
          written += 64 * 1024;
          most = Math.max(most, raw.writableLength);
        }
        raw.destroy();
      })();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const { answer, close } = await opened(`http://127.0.0.1:${address.port}/`);
    answer.pause();
    try {
      await expect.poll(() => most > 256 * 1024).toBe(true);
      await expect
        .poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))))
        .toBe(0);
      expect(written).toBeLessThan(50e6);
      expect(most).toBeLessThan(512 * 1024);
    } finally {
      close();
      server.close();
    }
  });
});
