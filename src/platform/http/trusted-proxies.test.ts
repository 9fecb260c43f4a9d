import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askFrom, reverseProxy } from '../../../test/servers/reverse-proxy.ts';
import { inProcessRequest } from './in-process-request.ts';
import { readConfig } from '#platform/config.ts';
import { makeServer } from './server.ts';
import { makeLog } from '#platform/telemetry/log.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Listens on all addresses of both families, like a server in a container; IPv4 peers then look like ::ffff:127.0.0.2. */
const everywhere = '::';

/** Our own server with one route that returns the client it sees, and one that fails. */
async function serverTrusting(
  setting: string | undefined,
): Promise<{ app: FastifyInstance; port: number; log: () => string }> {
  let lines = '';
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (lines += chunk.toString())) });
  const { trustProxy } = readConfig(setting === undefined ? {} : { KONTOR_TRUST_PROXY: setting });
  const app = await makeServer({ log: makeLog('error', sink), identify: async () => null, trustProxy });
  app.get('/seen', (request) => ({ ip: request.ip, host: request.host, protocol: request.protocol }));
  app.get('/broken', () => {
    throw new Error('broken');
  });
  await app.listen({ port: 0, host: everywhere });
  closers.push(() => app.close());
  return { app, port: z.object({ port: z.number() }).parse(app.server.address()).port, log: () => lines };
}

const proxyTo = async (port: number): Promise<number> => {
  const proxy = await reverseProxy(port);
  closers.push(() => proxy.close());
  return proxy.port;
};

const seen = async (port: number, from: string, headers: Record<string, string> = {}) =>
  z
    .object({ ip: z.string(), host: z.string(), protocol: z.string() })
    .parse(JSON.parse((await askFrom(from, port, '/seen', { headers })).text));

describe('KONTOR_TRUST_PROXY', () => {
  it.each(['127.0.0.1', '10.0.0.0/8, 127.0.0.1', '::1,127.0.0.1/32', '::ffff:127.0.0.1', '1'])(
    '%s: a request through the proxy is seen with the address of its client',
    async (setting) => {
      const { port } = await serverTrusting(setting);
      expect(await seen(await proxyTo(port), '127.0.0.2')).toMatchObject({ ip: '127.0.0.2' });
    },
  );

  it('unset: no forwarded header is trusted', async () => {
    const { port } = await serverTrusting(undefined);
    const forged = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'boese.example',
      'x-forwarded-proto': 'https',
    };
    const direct = await seen(port, '127.0.0.2', forged);
    expect(direct).toEqual({ ip: '::ffff:127.0.0.2', host: `127.0.0.1:${port}`, protocol: 'http' });
    expect(await seen(await proxyTo(port), '127.0.0.2', forged)).toMatchObject({
      ip: '::ffff:127.0.0.1',
      protocol: 'http',
    });
  });

  it('a list: a client that connects past the proxy is not trusted', async () => {
    const { port } = await serverTrusting('127.0.0.1');
    const forged = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'boese.example',
      'x-forwarded-proto': 'https',
    };
    const direct = await seen(port, '127.0.0.2', forged);
    expect(direct).toEqual({ ip: '::ffff:127.0.0.2', host: `127.0.0.1:${port}`, protocol: 'http' });
  });

  it.each(['127.0.0.1', '1'])(
    '%s: an address that a client forges through the proxy is not trusted',
    async (setting) => {
      const { port } = await serverTrusting(setting);
      const forged = { 'x-forwarded-for': '203.0.113.7, 127.0.0.1' };
      expect(await seen(await proxyTo(port), '127.0.0.2', forged)).toMatchObject({ ip: '127.0.0.2' });
    },
  );

  it('a count of two trusts two proxies in a row and no more', async () => {
    const { port } = await serverTrusting('2');
    const outer = await proxyTo(await proxyTo(port));
    expect(await seen(outer, '127.0.0.2')).toMatchObject({ ip: '127.0.0.2' });
    expect(await seen(outer, '127.0.0.2', { 'x-forwarded-for': '203.0.113.7' })).toMatchObject({ ip: '127.0.0.2' });
  });

  it('IPv6: a proxy is trusted by its IPv6 address too', async () => {
    const { port } = await serverTrusting('::1');
    expect(await seen(port, '::1', { 'x-forwarded-for': '2001:db8::7' })).toMatchObject({ ip: '2001:db8::7' });
  });

  it('the log has the address of the client', async () => {
    const { port, log } = await serverTrusting('127.0.0.1');
    await askFrom('127.0.0.2', await proxyTo(port), '/broken');
    expect(JSON.parse(log())).toMatchObject({ msg: 'request failed', req: { address: '127.0.0.2', url: '/broken' } });
  });

  it("a page's in-process API request has the address of its visitor, not of this machine", async () => {
    const { app } = await serverTrusting('127.0.0.1');
    const answer = await inProcessRequest(app, new Request('http://kontor.example/seen'), '203.0.113.7');
    expect(await answer.json()).toMatchObject({ ip: '203.0.113.7' });
  });

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    '100',
    'ja',
    'true',
    '*',
    'proxy.example',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.1/',
    '1.2.3',
    '127.0.0.1;10.0.0.1',
    '127.0.0.1,',
    '127.0.0.1 2',
  ])('„%s“ stops the start with a sentence that names the setting', (setting) => {
    expect(() => readConfig({ KONTOR_TRUST_PROXY: setting })).toThrow(
      /^Die Einstellung KONTOR_TRUST_PROXY ist ungültig: Erwartet werden Adressen oder Netze/,
    );
  });
});
