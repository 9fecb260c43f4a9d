import { createServer, type Server } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Egress } from './egress.ts';

describe('egress', () => {
  let server: Server;
  let port: number;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-egress-'));
    const zeros = Buffer.alloc(50 * 1024 * 1024);
    server = createServer((request, response) => {
      if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(zeros));
      else if (request.url === '/gzip-bomb')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(zeros));
      else if (request.url === '/dense')
        response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.concat([zeros, zeros])));
      else if (request.url === '/gzip-dense')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.concat([zeros, zeros])));
      else if (request.url === '/cut')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(randomBytes(300_000)).subarray(0, -100));
      else if (request.url === '/packed')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(randomBytes(16_000_000), { level: 0 }));
      else if (request.url === '/to-inner') response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
      else if (request.url === '/to-file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (request.url === '/to-ftp') response.writeHead(302, { location: `ftp://127.0.0.1:${port}/` }).end();
      else if (request.url === '/to-nowhere') response.writeHead(302, { location: 'https://[/' }).end();
      else if (request.url === '/who') response.writeHead(200).end(request.headers.authorization);
      else response.writeHead(200).end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const strict = new Egress({ allowLoopback: false });
  const get = (egress: Egress, url: string, maxBytes = 1024 * 1024) =>
    egress.download(url, join(folder, 'out'), { maxBytes });

  it('errors for reachable and unreachable internal addresses are identical (T3)', async () => {
    const texts = await Promise.all(
      ['http://127.0.0.1/', 'http://10.0.0.1/', 'http://name.invalid/'].map((url) =>
        get(strict, url).catch((error: Error) => error.message),
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it('a packed answer of a call that is too large is refused, and nothing more of it is read', async () => {
    const loopback = new Egress({ allowLoopback: true });
    const closed = new Promise<void>((resolve) => {
      server.once('request', (_request, response) => response.once('close', resolve));
    });
    const call = { method: 'GET', headers: {}, timeoutMs: 20_000, maxBytes: 1000 } as const;
    await expect(loopback.exchange(`http://127.0.0.1:${port}/packed`, call)).rejects.toMatchObject({
      code: 'too_large',
    });
    await closed;
  });

  it('a name that resolves to a public and an internal address is refused, and the checked address is the one used (T2)', async () => {
    const mixed = new Egress({ allowLoopback: false, resolve: async () => ['93.184.216.34', '127.0.0.1'] });
    await expect(get(mixed, 'http://shop.example/')).rejects.toMatchObject({ code: 'address_refused' });
    let requests = 0;
    const rebinding = new Egress({
      allowLoopback: true,
      resolve: async () => {
        requests++;
        return [requests === 1 ? '127.0.0.1' : '10.0.0.1'];
      },
    });
    await get(rebinding, `http://shop.example:${port}/`);
    expect(requests).toBe(1);
  });

  const open = new Egress({ allowLoopback: true });
  it('redirects are checked anew', async () => {
    await expect(get(open, `http://127.0.0.1:${port}/to-inner`)).rejects.toMatchObject({ code: 'address_refused' });
    await expect(get(open, `http://127.0.0.1:${port}/to-file`)).rejects.toMatchObject({ code: 'address_refused' });
    await expect(get(open, `http://127.0.0.1:${port}/to-ftp`)).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('a redirect to an invalid address is refused like any such address', async () => {
    const address = `http://127.0.0.1:${port}/to-nowhere`;
    await expect(get(open, address)).rejects.toMatchObject({ code: 'address_unreadable' });
    await expect(open.head(address)).rejects.toMatchObject({ code: 'address_unreadable' });
  });

  it.each(['50%rabatt', '100%', '50%25rabatt', 'gr%C3%BCn'])(
    'a password in an address is sent as intended, with its percent signs: %s',
    async (password) => {
      const { head } = await open.peek(`http://haendler:${password}@127.0.0.1:${port}/who`, 100);
      const meant = { '50%25rabatt': '50%rabatt', 'gr%C3%BCn': 'grün' }[password] ?? password;
      expect(Buffer.from(head.toString().replace('Basic ', ''), 'base64').toString()).toBe(`haendler:${meant}`);
    },
  );

  it('a peek reads no more than requested, and its address is checked in the same way (T1)', async () => {
    const { status, head, total } = await open.peek(`http://127.0.0.1:${port}/x`, 1);
    expect([status, head.toString(), total]).toEqual([200, 'o', null]);
    await expect(strict.peek(`http://127.0.0.1:${port}/x`, 1)).rejects.toMatchObject({ status: 422 });
    await expect(open.peek(`http://127.0.0.1:${port}/to-inner`, 1)).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('the address of a POST is checked in the same way, and redirects are not followed (T1)', async () => {
    const post = (egress: Egress, path: string) =>
      egress.post(`http://127.0.0.1:${port}/${path}`, '{}', { headers: {}, timeoutMs: 5000 });
    expect(await post(open, 'x')).toBe(200);
    expect(await post(open, 'to-inner')).toBe(302);
    await expect(post(strict, 'x')).rejects.toMatchObject({ code: 'address_refused' });
    await expect(strict.requireAllowed('http://10.0.0.1/')).rejects.toMatchObject({ code: 'address_refused' });
  });

  it.each([
    ['mail', 22],
    ['mail', 80],
    ['upload', 25],
  ] as const)('a connection for %s is refused at port %i (T2)', async (takes, at) => {
    await expect(strict.open('93.184.216.34', at, 50, takes)).rejects.toMatchObject({ code: 'address_refused' });
  });

  it.each(['dense', 'gzip-dense'])(
    'M3 a body compressed a thousandfold is refused: %s stops long before the byte limit (T6)',
    async (path) => {
      await expect(get(open, `http://127.0.0.1:${port}/${path}`, 1024 ** 3)).rejects.toMatchObject({
        code: 'too_dense',
      });
      expect(statSync(join(folder, 'out')).size).toBeLessThan(80 * 1024 * 1024);
    },
  );

  it.each(['bomb', 'gzip-bomb'])('bytes are counted after decompression: %s stops at the limit (T6)', async (path) => {
    await expect(get(open, `http://127.0.0.1:${port}/${path}`)).rejects.toMatchObject({ code: 'too_large' });
    expect(statSync(join(folder, 'out')).size).toBeLessThanOrEqual(1024 * 1024);
  });

  it('a compressed body that was cut off is refused (T7)', async () => {
    await expect(get(open, `http://127.0.0.1:${port}/cut`)).rejects.toMatchObject({ code: 'download_cut' });
  });
});
