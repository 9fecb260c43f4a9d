import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { Egress } from '#platform/egress/egress.ts';
import type { Principal } from '#platform/http/server.ts';
import { type PictureLimits, Pictures } from './pictures.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const who = (company: string): Principal => ({
  company,
  companyName: '',
  userId: 'u',
  name: '',
  email: `${company}@example.com`,
  role: 'viewer',
  permissions: ['read'],
  by: 'session',
});
const limits: PictureLimits = {
  turns: { atOnce: 4, perCompany: 1, perUser: 1, waiting: 3, waitingPerUser: 3 },
  waitMs: 150,
  firstMs: 400,
  totalMs: 5000,
  patience: 1,
  restMs: 60_000,
  maxBytes: 1000,
};

describe('pictures are fetched a few at a time', () => {
  let slow: Server;
  let fast: Server;
  /** Number of requests to the slow host. */
  let asks = 0;
  const never = new AbortController().signal;
  const egress = new Egress({ allowLoopback: true });
  const at = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  beforeAll(async () => {
    slow = createServer(() => {
      asks++;
    }).listen(0, '127.0.0.1');
    fast = createServer((_request, response) => response.end(gif)).listen(0, '127.0.0.1');
    await Promise.all([once(slow, 'listening'), once(fast, 'listening')]);
  });
  afterAll(() => {
    for (const server of [slow, fast]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('F12 a slow host delays no other company, and once it is known, not the rest of its own', async () => {
    const pictures = new Pictures({ egress, clock: systemClock }, limits);
    const held = pictures.open(who('one'), at(slow), never);
    const behind = pictures.open(who('one'), at(fast), never);
    const other = await pictures.open(who('two'), at(fast), never);
    expect([other.type, await buffer(other.stream)]).toEqual(['image/gif', gif]);
    await expect(behind).rejects.toMatchObject({ status: 503, code: 'pictures_busy' });
    await expect(held).rejects.toMatchObject({ status: 422, code: 'picture_slow' });
    const before = asks;
    await expect(pictures.open(who('one'), `${at(slow)}2`, never)).rejects.toMatchObject({ code: 'picture_slow' });
    expect(asks).toBe(before);
    // The failed request has released its slot.
    await buffer((await pictures.open(who('one'), at(fast), never)).stream);
  });

  it('F20 a client that disconnects frees its slot; one slow picture does not block its host', async () => {
    const pictures = new Pictures({ egress, clock: systemClock }, limits);
    for (let n = 0; n < 3; n++) (await pictures.open(who('one'), at(fast), never)).stream.destroy();
    const patient = new Pictures({ egress, clock: systemClock }, { ...limits, firstMs: 300, patience: 2 });
    // One picture that does not arrive says nothing about the others of its host.
    const before = asks;
    for (let times = 1; times <= 2; times++)
      await expect(patient.open(who('one'), at(slow), never)).rejects.toMatchObject({ code: 'picture_slow' });
    expect(asks).toBe(before + 2);
    const gone = new AbortController();
    const held = pictures.open(who('one'), at(slow), gone.signal);
    gone.abort(new Error('gone'));
    await expect(held).rejects.toThrow('gone');
    await buffer((await pictures.open(who('one'), at(fast), never)).stream);
  });
});
