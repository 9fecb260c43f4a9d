import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';

const png = (width: number, height: number) => {
  const head = Buffer.alloc(200);
  head.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
};
const row = (id: string, exportfield: string, value: string) =>
  ConstructionRow.parse({ id, exportfield, field: [{ type: '_field', value, caption: value }] });
const rows = [row('1', 'id', 'sku'), row('2', 'title', 'titel'), row('3', 'image_link', 'bild')];

describe('checks of pictures', () => {
  let kontor: TestKontor;
  let server: Server;
  let base: string;
  let hits: Record<string, number> = {};
  let methods: Record<string, string[]> = {};
  let together = 0;
  let most = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '';
      hits[path] = (hits[path] ?? 0) + 1;
      methods[path] = [...(methods[path] ?? []), request.method ?? ''];
      most = Math.max(most, ++together);
      setTimeout(() => {
        together--;
        if (path === '/good.png') response.writeHead(200).end(Buffer.concat([png(800, 600), Buffer.alloc(300_000)]));
        else if (path === '/small.png') response.writeHead(200).end(png(40, 40));
        else if (path === '/page') response.writeHead(200).end('<html>nicht da</html>');
        else if (path === '/moved') response.writeHead(302, { location: '/good.png' }).end();
        else if (path === '/no-head') response.writeHead(request.method === 'HEAD' ? 405 : 200).end('bild');
        else if (path === '/text') response.writeHead(200, { 'content-type': 'text/html' }).end('nicht da');
        else if (path === '/busy') response.writeHead(503).end();
        else response.writeHead(404).end();
      }, 5);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    kontor = await testKontor();
  });
  afterAll(async () => {
    await kontor.close();
    server.close();
  });

  const exportOf = async (paths: readonly string[]) => {
    const lines = paths.map((path, index) => `A-${index};Titel ${index};${path === '' ? '' : base + path}`);
    const masterid = await masterWith(kontor, ['sku;titel;bild', ...lines].join('\n'));
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Bilder', channel: 'google' },
    });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await runExport(kontor, id);
    return id;
  };
  const check = async (id: string) => {
    const { runid } = await kontor.ask(api.checkImages, { params: { id } });
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done', kind: 'images' });
    return kontor.ask(api.diagnosis, { params: { id } });
  };

  it('missing, small and false pictures appear in the diagnosis; undecided ones are counted as open', async () => {
    const id = await exportOf(['/good.png', '/small.png', '/page', '/moved', '/gone.png', '/busy', '']);
    expect((await kontor.ask(api.diagnosis, { params: { id } })).images).toEqual({
      addresses: null,
      open: null,
      unchecked: [],
      running: null,
    });
    const { images, problems, readiness } = await check(id);
    expect(images).toEqual({ addresses: 6, open: 1, unchecked: [], running: null });
    const found = Object.fromEntries(
      problems
        .filter(({ key }) => /image/.test(key.split(':')[0] ?? ''))
        .map(({ key, items }) => [key.split(':')[0], items]),
    );
    expect(found).toEqual({ image_gone: 1, image_small: 1, no_image: 1 });
    expect(readiness?.items).toBe(7);
    const small = problems.find(({ key }) => key.startsWith('image_small'));
    expect(small?.sentence).toContain('mindestens 100 × 100 Pixel');
    const { items } = await kontor.ask(api.problemItems, { params: { id }, body: { problem: small?.key ?? '' } });
    expect(items).toEqual([{ id: 'A-1', values: [{ field: 'image_link', value: `${base}/small.png` }] }]);
    const own = await kontor.ask(api.itemProblems, { params: { id, itemid: 'A-4' } });
    expect(own.problems?.some(({ key }) => key.startsWith('image_gone'))).toBe(true);
  });

  it('every picture column of a channel is checked, and columns beyond thirteen are named as unchecked', async () => {
    const columns = ['Group Picture URL', ...Array.from({ length: 12 }, (_, index) => `Picture URL ${index + 1}`)];
    const fields = columns.map((_, index) => `bild${index}`);
    const addresses = fields.map((_, index) => `${base}/spalte-${index}.png`);
    const masterid = await masterWith(
      kontor,
      `sku;${fields.join(';')};mehr\nA-0;${addresses.join(';')};${base}/mehr.png`,
    );
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Bilder', channel: 'ebay' },
    });
    const picture = (name: string, field: string, index: number) => row(`b${index}`, name, field);
    const own = [row('s', 'SKU', 'sku'), ...columns.map((name, index) => picture(name, `bild${index}`, index))];
    const construct = (more: ConstructionRow[]) =>
      kontor.ask(api.saveConstruction, { params: { projectId: id }, body: [...own, ...more] });
    await construct([]);
    await runExport(kontor, id);
    const whole = await check(id);
    expect(whole.images).toMatchObject({ addresses: 13, open: 0, unchecked: [] });
    expect(whole.problems.filter(({ key }) => key.startsWith('image_gone'))).toHaveLength(13);
    const last = whole.problems.find(({ key }) => key === 'image_gone:b12:Picture URL 12');
    const asked = { params: { id }, body: { problem: last?.key ?? '' } };
    expect((await kontor.ask(api.problemItems, asked)).items).toMatchObject([{ id: 'A-0' }]);
    await construct([picture('Picture URL 12', 'mehr', 13)]);
    await runExport(kontor, id);
    expect((await check(id)).images).toMatchObject({ addresses: 13, unchecked: ['Bild 12'] });
  });

  it('a picture is requested once a week, with at most two requests to a host at a time', async () => {
    hits = {};
    most = 0;
    const paths = Array.from({ length: 8 }, (_, index) => `/fehlt-${index}.png`);
    const id = await exportOf([...paths, '/good.png']);
    await check(id);
    expect(hits['/good.png']).toBeUndefined();
    expect(paths.map((path) => hits[path])).toEqual(paths.map(() => 1));
    expect(most).toBeLessThanOrEqual(2);
    await check(id);
    expect(paths.map((path) => hits[path])).toEqual(paths.map(() => 1));
  });

  it('after a first manual check pictures are checked after every run', async () => {
    const id = await exportOf(['/neu-1.png']);
    await check(id);
    await runExport(kontor, id);
    for (let round = 0; round < 100; round++) {
      const { images } = await kontor.ask(api.diagnosis, { params: { id } });
      if (images?.addresses === 1 && images.running === null) break;
      if (round === 99) throw new Error('no check came');
      await wait(100);
    }
    const { problems } = await kontor.ask(api.diagnosis, { params: { id } });
    expect(problems.some(({ key }) => key.startsWith('image_gone'))).toBe(true);
  });

  it('a check of an export without pictures or run is refused with 409', async () => {
    const masterid = await masterWith(kontor, 'sku;titel\nA;B');
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'x', channel: 'frei' } });
    const answer = await kontor.raw(`/api/exports/${id}/images/check`, { method: 'POST' });
    expect(answer.status).toBe(409);
  });

  it('ITE-05 the existence of catalogue pictures is checked by HEAD, and cached for ten minutes', async () => {
    const paths = ['/good.png', '/gone.png', '/moved', '/no-head', '/text', ''];
    const lines = paths.map((path, index) => `A-${index};${path === '' ? '' : `${base}${path}`}`);
    const masterid = await masterWith(kontor, ['sku;bild', ...lines].join('\n'));
    const { columns } = await kontor.ask(api.items, { query: { masterid } });
    const field = columns.find(({ name }) => name === 'bild')?.id ?? '';
    const ids = [...paths.keys()].map((index) => `A-${index}`);
    methods = {};
    const asked = () => kontor.ask(api.itemImages, { body: { masterid, field, ids } });
    expect((await asked()).valid).toEqual(['A-0', 'A-2', 'A-3']);
    expect(methods['/gone.png']).toEqual(['HEAD']);
    expect(methods['/no-head']).toEqual(['HEAD', 'GET']);
    const before = structuredClone(methods);
    expect((await asked()).valid).toEqual(['A-0', 'A-2', 'A-3']);
    expect(methods).toEqual(before);
    const unknown = await kontor.raw(api.itemImages.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ masterid, field: 'f9999', ids }),
    });
    expect(unknown.status).toBe(422);
  });
});
