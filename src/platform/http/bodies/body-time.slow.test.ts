import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeServer, route } from '#platform/http/server.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import type { Call } from '#shared/http/call.ts';

const call = {
  method: 'POST',
  path: '/api/things',
  summary: 'Etwas',
  access: 'public',
  body: z.strictObject({ text: z.string() }),
  response: z.strictObject({ length: z.number() }),
} as const satisfies Call;
const file = {
  method: 'POST',
  path: '/api/files',
  summary: 'Datei',
  access: 'public',
  upload: { form: z.object({ file: z.file() }), json: z.object({ text: z.string() }) },
  response: z.strictObject({ length: z.number() }),
} as const satisfies Call;
const piece = {
  method: 'POST',
  path: '/api/pieces',
  summary: 'Stück',
  access: 'public',
  bytes: true,
  response: z.strictObject({ length: z.number() }),
} as const satisfies Call;
const closed = { ...call, path: '/api/closed', access: 'read' } as const satisfies Call;
const TextBody = z.object({ text: z.string() });
const BODY_MS = 400;

describe('T22 a body that is sent slowly', () => {
  const handled: number[] = [];
  let port = 0;
  let close = async () => {};
  beforeAll(async () => {
    const app = await makeServer({ log: makeLog('silent'), identify: async () => null, bodyMs: BODY_MS });
    route(app, call, async ({ body }) => {
      handled.push(body.text.length);
      return { length: body.text.length };
    });
    route(app, closed, async () => ({ length: 0 }));
    route(app, file, async ({ request }) => ({ length: TextBody.parse(request.body).text.length }));
    route(app, piece, async ({ request }) => ({ length: JSON.stringify(request.body ?? '').length }));
    port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
    close = () => app.close();
  });
  afterAll(() => close());

  const begin = (path: string, length: string): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const head = [`POST ${path} HTTP/1.1`, 'host: localhost', 'sec-fetch-site: same-origin', length];
    socket.write([...head, 'content-type: application/json', '', ''].join('\r\n'));
    return socket;
  };
  const body = JSON.stringify({ text: 'x'.repeat(40) });
  /** Sends a byte every 50 ms, the whole body in 2.5 s; returns the response and the time until it came. */
  const drip = async (socket: Socket, wrap = (byte: string) => byte) => {
    const started = performance.now();
    const answer: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => answer.push(bytes));
    for (const byte of body) {
      if (socket.destroyed || answer.length > 0) break;
      socket.write(wrap(byte));
      await wait(50);
    }
    if (answer.length === 0 && !socket.destroyed) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    const ms = performance.now() - started;
    socket.destroy();
    return { ms, text: Buffer.concat(answer).toString() };
  };

  it.each([
    ['with a content length', `content-length: ${body.length}`, undefined],
    ['in chunks', 'transfer-encoding: chunked', (byte: string) => `1\r\n${byte}\r\n`],
  ])('%s is refused in German when its time is over, and the call is not executed', async (_how, length, wrap) => {
    const { ms, text } = await drip(begin('/api/things', length), wrap);
    expect(text).toMatch(/^HTTP\/1\.1 408 [^]*"body_too_late"[^]*nicht in der vorgesehenen Zeit/);
    expect(ms).toBeLessThan(2000);
    expect(handled).toEqual([]);
  });

  it('is also refused at unknown addresses', async () => {
    const { ms } = await drip(begin('/nirgends', `content-length: ${body.length}`));
    expect(ms).toBeLessThan(2000);
  });

  it('is cut off after the response if the call was refused before the body arrived', async () => {
    const socket = begin('/api/closed', `content-length: ${body.length}`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 401 /);
    const { ms, text } = await drip(socket);
    expect([text, ms < 2000]).toEqual(['', true]);
  });

  it.each([
    ['a file', '/api/files', 40],
    ['a chunk of a file', '/api/pieces', 2],
  ])('of %s has the longer time of an upload', async (_what, path, length) => {
    const { ms, text } = await drip(begin(path, `content-length: ${body.length}`));
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 200 [^]*"length":${length}\\b`));
    expect(ms).toBeGreaterThan(2000);
  });

  it('that arrived in time is processed, however long its connection stays open', async () => {
    const socket = begin('/api/things', `content-length: ${body.length}`);
    socket.write(body);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toContain(' 200 ');
    await wait(BODY_MS + 200);
    expect(socket.destroyed).toBe(false);
    expect(handled).toEqual([40]);
    socket.destroy();
  });

  it('that is not even HTTP gets a German error too', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('was ist das\r\n\r\n');
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 400 [^]*"unreadable"[^]*nicht lesbar/);
  });
});
