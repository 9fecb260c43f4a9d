import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { picturePath } from '#shared/items/image-addresses.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const secret = 'a-secret-of-this-test-0123456789-abcdef';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The shop's answers by path. `/held` never answers, `/drip` sends only its first bytes. */
const answers: Record<string, (response: ServerResponse) => void> = {
  '/good.png': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(png),
  '/tiny.gif': (response) => response.writeHead(200).end(gif),
  '/svg.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<svg onload="alert(1)"/>'),
  '/page.jpg': (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<!doctype html><script>'),
  '/moved': (response) => response.writeHead(302, { location: '/good.png' }).end(),
  '/inner': (response) => response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end(),
  '/announced': (response) => response.writeHead(200, { 'content-length': '9000000' }).write(png),
  '/endless': (response) => {
    response.writeHead(200).write(png);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  },
  '/held': () => undefined,
  '/drip': (response) => response.writeHead(200).write(png),
};

describe('the picture proxy', () => {
  let kontor: TestKontor;
  let shop: Server;
  let base: string;
  let marks: Record<string, string>;
  const hits: string[] = [];
  const ended = new Map<string, Promise<unknown>>();
  beforeAll(async () => {
    shop = createServer((request, response) => {
      const path = request.url ?? '';
      hits.push(path);
      ended.set(path, once(response, 'close'));
      const answer = answers[path];
      if (answer) answer(response);
      else response.writeHead(404).end('nicht da');
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    base = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    kontor = await testKontor({ KONTOR_SECRET: secret });
    const addresses = [
      ...[...Object.keys(answers), '/gone.png'].map((path) => base + path),
      'http://127.0.0.1:1/away.png',
      'http://10.0.0.1/inner.png',
    ];
    const lines = addresses.map((address, index) => `A-${index};Titel ${index};${address}|${address}?2`);
    const masterid = await masterWith(kontor, ['sku;titel;bild', ...lines].join('\n'));
    const page = await kontor.ask(api.items, { query: { masterid, pictures: 'true' } });
    marks = page.pictures;
    expect(Object.keys(marks).toSorted()).toEqual(addresses.toSorted());
    const card = await kontor.ask(api.item, { params: { id: 'A-1' }, query: { masterid } });
    expect(Object.keys(card.pictures)).toEqual([addresses[1], `${addresses[1]}?2`]);
    expect((await kontor.ask(api.items, { query: { masterid } })).pictures).toEqual({});
  });
  afterAll(async () => {
    await kontor.close();
    shop.closeAllConnections();
    shop.close();
  });

  const pathOf = (address: string) => picturePath(address, marks[address] ?? '');
  const get = (path: string, init?: RequestInit) => kontor.raw(pathOf(base + path), init);
  const refusalOf = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: { code: string } };
    return [answer.status, error.code, answer.headers.get('cache-control')];
  };

  it('T11 a picture is served with its own type, cached only by this browser, and runs nothing', async () => {
    const answer = await get('/good.png');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(Buffer.from(await (await get('/tiny.gif')).arrayBuffer())).toEqual(gif);
    expect(Buffer.from(await (await get('/moved')).arrayBuffer())).toEqual(png);
  });

  it('T12 an address not signed for this company, or a request without a session, gets no picture', async () => {
    const address = `${base}/good.png`;
    const before = hits.length;
    expect((await kontor.raw(pathOf(address), { as: null })).status).toBe(401);
    expect((await kontor.raw(`/api/pictures?${new URLSearchParams({ address }).toString()}`)).status).toBe(422);
    const forged = marks[address]?.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) ?? '';
    expect(await refusalOf(await kontor.raw(picturePath(address, forged)))).toEqual([404, 'not_found', 'no-store']);
    expect((await kontor.raw(picturePath(`${address}?other`, marks[address] ?? ''))).status).toBe(404);
    // A mark as the server makes it for another company.
    const vault = new Vault(secret);
    const { company } = await kontor.ask(api.session);
    const foreign = vault.mark('another', `picture ${address}`);
    expect(vault.mark(company.id, `picture ${address}`)).toBe(marks[address]);
    expect((await kontor.raw(picturePath(address, foreign))).status).toBe(404);
    expect(hits).toHaveLength(before);
  });

  it.each([
    ['/svg.png', 'no_picture'],
    ['/page.jpg', 'no_picture'],
    ['/gone.png', 'address_status'],
    ['/inner', 'address_refused'],
    ['/announced', 'too_large'],
  ])('T1 T11 anything other than a picture, internal or too large is refused: %s', async (path, code) => {
    expect(await refusalOf(await get(path))).toEqual([422, code, 'no-store']);
  });

  it('T1 an internal address in the data is never connected to, and an unreachable host is reported', async () => {
    expect(await refusalOf(await kontor.raw(pathOf('http://10.0.0.1/inner.png')))).toEqual([
      422,
      'address_refused',
      'no-store',
    ]);
    const away = pathOf('http://127.0.0.1:1/away.png');
    for (let times = 0; times < 3; times++)
      expect(await refusalOf(await kontor.raw(away))).toEqual([422, 'address_unreachable', 'no-store']);
    // The address is not requested again for a while.
    expect(await refusalOf(await kontor.raw(away))).toEqual([422, 'picture_slow', 'no-store']);
  });

  it('T6 an endless picture is cut off at the limit', async () => {
    const answer = await get('/endless');
    await expect(answer.arrayBuffer()).rejects.toThrow();
    await ended.get('/endless');
  });

  it.each(['/held', '/drip'])('F20 a fetch is aborted when its client disconnects: %s', async (path) => {
    const gone = new AbortController();
    const asked = get(path, { signal: gone.signal });
    await expect.poll(() => hits.includes(path)).toBe(true);
    gone.abort();
    await expect(asked.then((answer) => answer.arrayBuffer())).rejects.toThrow();
    await ended.get(path);
  });
});
