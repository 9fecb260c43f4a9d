import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { makeServer, route, type Principal } from '#platform/http/server.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { BodyBudget } from './body-budget.ts';

const never = new AbortController().signal;
const limits = { bytes: 100, perCompany: 60, waiting: 2, waitMs: 60_000 };
const cameBy = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((done) => setImmediate(done, false))]);

describe('room for large bodies (T22)', () => {
  it('is granted in order, but a company beyond its share lets others go first', async () => {
    const budget = new BodyBudget(limits);
    const leave = await budget.take('A', 50, never);
    const second = budget.take('A', 50, never);
    expect(await cameBy(second)).toBe(false);
    const leaveOther = await budget.take('B', 50, never);
    const third = budget.take('C', 10, never);
    expect(await cameBy(third)).toBe(false);
    leaveOther();
    expect(await cameBy(third)).toBe(true);
    expect(await cameBy(second)).toBe(false);
    leave();
    // Leaving twice frees the room only once.
    leave();
    expect(await cameBy(second)).toBe(true);
    expect(await cameBy(budget.take('B', 50, never))).toBe(false);
  });

  it("for a body larger than a company's share is the whole share", async () => {
    const budget = new BodyBudget(limits);
    const leave = await budget.take('A', 5000, never);
    const next = budget.take('A', 1, never);
    expect(await cameBy(next)).toBe(false);
    leave();
    expect(await cameBy(next)).toBe(true);
  });

  it('is refused if too many wait, after too long a wait, and after an abort', async () => {
    const budget = new BodyBudget({ ...limits, waitMs: 20 });
    await budget.take('A', 60, never);
    const gone = new AbortController();
    const left = expect(budget.take('A', 60, gone.signal)).rejects.toThrow('weg');
    const late = expect(budget.take('A', 60, never)).rejects.toMatchObject({ status: 503, code: 'bodies_busy' });
    await expect(budget.take('A', 60, never)).rejects.toMatchObject({ status: 429, code: 'too_many_bodies' });
    gone.abort(new Error('weg'));
    await left;
    await late;
  });
});

describe('a body that waits for room (T22)', () => {
  const MB = 1024 * 1024;
  const call = {
    method: 'POST',
    path: '/api/large',
    summary: 'Groß',
    access: 'read',
    body: z.object({ text: z.string() }),
    response: z.object({ length: z.number() }),
    bodyLimit: 8 * MB,
  } satisfies Call;
  const principal = (company: string): Principal => ({
    company,
    companyName: company,
    userId: 'u1',
    name: 'Anna',
    email: 'anna@beispiel.de',
    role: 'viewer',
    permissions: ['read'],
    by: 'session',
  });
  let finish = Promise.withResolvers<void>();
  const handled: string[] = [];
  const sockets: Socket[] = [];
  let port = 0;
  let close = async () => {};
  beforeAll(async () => {
    const app = await makeServer({
      log: makeLog('silent'),
      identify: async ({ headers }) => principal(String(headers['x-company'])),
      bodies: { bytes: 16 * MB, perCompany: 6 * MB, waiting: 10, waitMs: 60_000 },
    });
    route(app, call, async ({ principal: { company }, body }) => {
      handled.push(company);
      await finish.promise;
      return { length: body.text.length };
    });
    app.server.on('connection', (socket: Socket) => sockets.push(socket));
    port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
    close = () => app.close();
  });
  afterAll(() => close());

  const body = JSON.stringify({ text: 'x'.repeat(4 * MB) });
  const send = (company: string, sent: string | Buffer = body, more: readonly string[] = []): Socket => {
    const socket = connect(port, '127.0.0.1');
    const head = [
      'POST /api/large HTTP/1.1',
      'host: localhost',
      `x-company: ${company}`,
      'sec-fetch-site: same-origin',
      'connection: close',
      'content-type: application/json',
      `content-length: ${sent.length}`,
      ...more,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(sent);
    return socket;
  };
  const statusOf = async (socket: Socket) => {
    const [first] = (await once(socket, 'data')) as [Buffer];
    return first.toString().slice(9, 12);
  };

  it('is not read, however many there are, while another company’s is', async () => {
    const own = [send('A')];
    await expect.poll(() => handled).toEqual(['A']);
    own.push(send('A'), send('A'), send('A'));
    const other = send('B');
    await expect.poll(() => handled).toEqual(['A', 'B']);
    await expect.poll(() => sockets.length).toBe(5);
    const read = sockets.map(({ bytesRead }) => bytesRead);
    expect(read.filter((bytes) => bytes > body.length)).toHaveLength(2);
    expect(read.filter((bytes) => bytes < MB)).toHaveLength(3);
    const answers = [...own, other].map((socket) => statusOf(socket));
    finish.resolve();
    expect(await Promise.all(answers)).toEqual(['200', '200', '200', '200', '200']);
    expect(handled).toEqual(['A', 'B', 'A', 'A', 'A']);
  });

  it('takes room for its possible decompressed size: a few KB count as megabytes', async () => {
    finish = Promise.withResolvers<void>();
    handled.length = 0;
    const packed = gzipSync(body);
    const own = [1, 2, 3].map(() => send('A', packed, ['content-encoding: gzip']));
    await expect.poll(() => handled).toEqual(['A']);
    // A body that is wrongly let through arrives at once.
    await new Promise((done) => setTimeout(done, 500));
    expect(handled).toEqual(['A']);
    const answers = own.map((socket) => statusOf(socket));
    finish.resolve();
    expect(await Promise.all(answers)).toEqual(['200', '200', '200']);
  });
});
