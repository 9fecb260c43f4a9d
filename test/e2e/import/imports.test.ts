import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { catalogueCsv } from '../../../seed/catalogue.ts';
import { importFile, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';

const csv = 'sku;titel;preis\nA-1;Hammer;12,50\nA-2;Säge;9,90\nA-3;Müll;1\n';

describe('imports', () => {
  let kontor: TestKontor;
  let shop: Server;
  let shopUrl: string;
  beforeAll(async () => {
    kontor = await testKontor();
    shop = createServer((request, response) => {
      if (request.url === '/gut.csv') response.writeHead(200, { 'content-type': 'text/csv' }).end(csv);
      else if (request.url === '/gepackt') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(csv));
      else if (request.url === '/s/aB3dE6gH9jK2mN5')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Nextcloud</title>');
      else if (request.url === '/s/aB3dE6gH9jK2mN5/download')
        response.writeHead(200, { 'content-type': 'text/csv' }).end(csv);
      else if (request.url === '/weiter') response.writeHead(302, { location: '/gut.csv' }).end();
      else if (request.url === '/kreis') response.writeHead(302, { location: '/kreis' }).end();
      else if (request.url === '/abgeschnitten') {
        response.writeHead(200, { 'content-length': '100000' }).write(csv);
        setTimeout(() => response.destroy(), 50);
      } else if (request.url === '/halb.gz')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(csv.repeat(500)).subarray(0, 60));
      else if (request.url === '/geheim' && request.headers.authorization === `Basic ${btoa('nutzer:wort')}`)
        response.writeHead(200).end(csv);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    shop.close();
    await kontor.close();
  });

  const newMaster = async () => (await kontor.ask(api.createMaster, { body: { name: 'Katalog' } })).masterid;
  const fromUrl = async (masterid: string, url: string) => {
    const answer = await kontor.raw(pathOf(api.import, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url, options: {} }),
    });
    expect(answer.status).toBe(200);
    return settled(kontor, ((await answer.json()) as { runid: string }).runid);
  };

  it('an upload becomes the live snapshot with every row counted', async () => {
    const masterid = await newMaster();
    const run = await importFile(kontor, masterid, { name: 'artikel.csv', bytes: csv });
    expect(run).toMatchObject({
      state: 'done',
      kind: 'import',
      rowsIn: 3,
      accepted: 3,
      rejected: 0,
      duplicates: 0,
      snapshot: 1,
      source: 'artikel.csv',
    });
    expect(await kontor.ask(api.master, { params: { masterid } })).toMatchObject({
      items: 3,
      fields: 3,
      snapshot: 1,
      key: 'sku',
    });
  });

  it.each([['/gut.csv'], ['/gepackt'], ['/weiter'], ['/s/aB3dE6gH9jK2mN5']])(
    'a file is fetched from an address: %s',
    async (path) => {
      expect(await fromUrl(await newMaster(), shopUrl + path)).toMatchObject({ state: 'done', accepted: 3 });
    },
  );

  it('user and password in an address are used and never shown', async () => {
    const run = await fromUrl(await newMaster(), shopUrl.replace('http://', 'http://nutzer:wort@') + '/geheim');
    expect(run).toMatchObject({ state: 'done', accepted: 3 });
    expect(JSON.stringify(run)).not.toContain('wort@');
  });

  it.each([
    ['/fehlt', 'HTTP-Status 404'],
    ['/kreis', 'leitet öfter'],
    ['/abgeschnitten', 'brach vorzeitig ab'],
    ['/halb.gz', 'brach vorzeitig ab'],
  ])('a bad address %s leaves the previous snapshot live and says why', async (path, text) => {
    const masterid = await newMaster();
    await importFile(kontor, masterid, { name: 'artikel.csv', bytes: csv });
    const run = await fromUrl(masterid, shopUrl + path);
    expect(run.state).toBe('failed');
    expect(run.message).toContain(text);
    expect(await kontor.ask(api.master, { params: { masterid } })).toMatchObject({ items: 3, snapshot: 1 });
  });

  it.each([
    'http://10.0.0.1/x',
    'http://169.254.169.254/latest/meta-data',
    'ftp://beispiel.de/x',
    'file:///etc/passwd',
    'http://[::ffff:10.0.0.1]/',
    'http://0x0a000001/',
    'keine adresse',
  ])('an internal or unreadable address is refused: %s', async (url) => {
    const run = await fromUrl(await newMaster(), url);
    expect(run.state).toBe('failed');
    expect(run.message).toMatch(/nicht erlaubt oder nicht erreichbar|nicht lesbar/);
  });

  it.each([
    ['an empty file', ''],
    [
      'an image named .csv',
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1]),
    ],
    ['a truncated gzip file', Uint8Array.from(gzipSync(csv.repeat(300)).subarray(0, 40))],
    ['truncated XML', '<?xml version="1.0"?><p><a><id>1</id></a><a><id>2</id>'],
    ['truncated JSON', '[{"id":1},{"id":2'],
  ])('%s leaves the previous snapshot live and says why in German', async (_name, bytes) => {
    const masterid = await newMaster();
    await importFile(kontor, masterid, { name: 'artikel.csv', bytes: csv });
    const run = await importFile(kontor, masterid, { name: 'artikel.csv', bytes });
    expect(run.state).toBe('failed');
    expect(run.message).toMatch(/[a-zäöü]{4,} .*\./);
    expect(await kontor.ask(api.master, { params: { masterid } })).toMatchObject({ items: 3, snapshot: 1 });
  });

  it('rejected and duplicate rows are listed with line, reason and raw text; rows in = accepted + rejected + duplicates', async () => {
    const masterid = await newMaster();
    const text = 'sku;titel\nA-1;Hammer\nA-2;Säge;zu;viel\nA-1;Hammer neu\nA-3;Müll\n';
    const run = await importFile(
      kontor,
      masterid,
      { name: 'artikel.csv', bytes: text },
      { key: 'sku', delimiter: ';' },
    );
    expect(run).toMatchObject({ state: 'done', rowsIn: 4, accepted: 2, rejected: 1, duplicates: 1 });
    const { rows, total } = await kontor.ask(api.rejected, { params: { runid: run.runid } });
    expect(total).toBe(2);
    expect(rows.find((row) => row.kind === 'rejected')).toMatchObject({ line: 3, raw: 'A-2;Säge;zu;viel' });
    expect(rows.find((row) => row.kind === 'duplicate')?.line).toBe(2);
    const { data } = await kontor.ask(api.item, { params: { id: 'A-1' }, query: { masterid } });
    expect(data['titel']).toBe('Hammer neu');
  });

  it('a second import counts removed, added and changed items, and keeps the field ids', async () => {
    const masterid = await newMaster();
    await importFile(kontor, masterid, { name: 'artikel.csv', bytes: csv });
    const before = await kontor.ask(api.items, { query: { masterid, limit: 1 } });
    const run = await importFile(kontor, masterid, {
      name: 'artikel.csv',
      bytes: 'sku;preis;titel\nA-1;12,50;Hammer\nA-2;8,90;Säge\nA-4;2;Neu\n',
    });
    expect(run.difference).toEqual({ removed: 1, added: 1, changed: 1 });
    const after = await kontor.ask(api.items, { query: { masterid, limit: 1 } });
    const ids = (page: typeof before) => Object.fromEntries(page.fields.map((field) => [field.name, field.id]));
    expect(ids(after)).toEqual(ids(before));
  });

  it('a strongly shrunk file waits for a release; discarding keeps the old state, releasing makes it live', async () => {
    const masterid = await newMaster();
    await importFile(kontor, masterid, { name: 'a.csv', bytes: [...catalogueCsv(200)].join('') });
    const few = [...catalogueCsv(10)].join('');
    const first = await importFile(kontor, masterid, { name: 'a.csv', bytes: few });
    expect(first.state).toBe('blocked');
    expect(first.message).toContain('nur noch 10 von 200');
    expect(await kontor.ask(api.cancelRun, { params: { runid: first.runid } })).toMatchObject({ state: 'cancelled' });
    const second = await importFile(kontor, masterid, { name: 'a.csv', bytes: few });
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(200);
    const released = await kontor.ask(api.releaseRun, {
      params: { runid: second.runid },
      body: { reason: 'Sortiment gekürzt' },
    });
    expect(released).toMatchObject({ state: 'done', message: expect.stringContaining('Sortiment gekürzt') as string });
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(10);
  });

  it('a file without the key column waits for a release instead of renumbering everything', async () => {
    const masterid = await newMaster();
    await importFile(kontor, masterid, { name: 'a.csv', bytes: csv }, { key: 'sku' });
    const run = await importFile(kontor, masterid, { name: 'a.csv', bytes: 'nummer;titel\nX;Hammer\n' });
    expect(run.state).toBe('blocked');
    expect(run.message).toContain('sku');
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(3);
  });

  it('a running import can be cancelled', async () => {
    const masterid = await newMaster();
    const form = new FormData();
    form.set('file', new Blob([[...catalogueCsv(60_000)].join('')]), 'gross.csv');
    const answer = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
    const { runid } = (await answer.json()) as { runid: string };
    await kontor.ask(api.cancelRun, { params: { runid } });
    expect(await settled(kontor, runid)).toMatchObject({ state: 'cancelled' });
    expect((await kontor.ask(api.master, { params: { masterid } })).snapshot).toBeNull();
  });

  it.each([
    ['as text', () => withOptions('{"key":"titel"}')],
    ['as a JSON part with a file name, as browsers send it', () => withOptions(jsonPart('{"key":"titel"}'))],
    ['as a JSON part after the file', () => withOptions(jsonPart('{"key":"titel"}'), 'last')],
    [
      'as a JSON part without a file name, as programs send it',
      () => machineForm('application/json', '{"key":"titel"}'),
    ],
    ['as a JSON part with a character set', () => machineForm('application/json; charset=utf-8', '{"key":"titel"}')],
  ])('options are accepted %s', async (_name, form) => {
    const masterid = await newMaster();
    const answer = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', ...requestOf(form()) });
    const { runid } = (await answer.json()) as { runid: string };
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done', accepted: 3 });
    const { data } = await kontor.ask(api.items, { query: { masterid } });
    expect(data.map((item) => item['_id'])).toEqual(['Hammer', 'Säge', 'Müll']);
  });

  it.each([
    ['no file', () => new FormData(), 422],
    ['a JSON part with a file name that is no JSON', () => withOptions(jsonPart('{')), 422],
    ['a JSON part without a file name that is no JSON', () => machineForm('application/json', '{'), 422],
    ['a JSON part with unknown options', () => withOptions(jsonPart('{"zeilenende":1}')), 422],
    ['a JSON part that is too long', () => withOptions(jsonPart(`{"key":"${'x'.repeat(100_000)}"}`)), 422],
    ['two files', () => withSecondFile(), 400],
    ['options that are no JSON', () => withOptions('{'), 422],
    ['unknown options', () => withOptions('{"zeilenende":1}'), 422],
  ])('an upload with %s is refused with a German sentence', async (_name, form, status) => {
    const answer = await kontor.raw(pathOf(api.import, { masterid: await newMaster() }), {
      method: 'POST',
      ...requestOf(form()),
    });
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(/[a-zäöü]{4,}/);
  });
});

function withOptions(options: string | Blob, place: 'first' | 'last' = 'first'): FormData {
  const form = new FormData();
  if (place === 'first') form.set('options', options);
  form.set('file', new Blob([csv]), 'artikel.csv');
  if (place === 'last') form.set('options', options);
  return form;
}

const jsonPart = (text: string) => new Blob([text], { type: 'application/json' });

function withSecondFile(): FormData {
  const form = withOptions('{}');
  form.append('file', new Blob([csv]), 'zweite.csv');
  return form;
}

type Form = { type: string; text: string };

/** Returns a form whose options part has a media type but no file name. */
function machineForm(type: string, options: string): Form {
  const part = (head: string, body: string) => `--grenze\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const parts = [
    part(`name="options"\r\nContent-Type: ${type}`, options),
    part('name="file"; filename="artikel.csv"\r\nContent-Type: text/csv', csv),
  ];
  return { type: 'multipart/form-data; boundary=grenze', text: `${parts.join('')}--grenze--\r\n` };
}

const requestOf = (form: FormData | Form) =>
  form instanceof FormData ? { body: form } : { body: form.text, headers: { 'content-type': form.type } };
