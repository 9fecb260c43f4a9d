import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CategoryRow } from '#shared/assignments/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import { TargetUpload } from '#shared/targets/schema.ts';
import { makeZip } from '#feed/import/reader/archive/zip-fixture.ts';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const tree = '# Taxonomy\n1 - Werkzeug\n2 - Werkzeug > Hammer\n3 - Werkzeug > Sägen\n';

describe('target lists of a channel and suggestions from them', () => {
  let kontor: TestKontor;
  let channel: Server;
  let address: string;
  let id: string;
  let other: string;
  beforeAll(async () => {
    kontor = await testKontor();
    const masterid = await masterWith(kontor, 'sku;gruppe\nA-1;Bohrhammer\nA-2;Sägen\n');
    id = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Eins' } })).id;
    other = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Zwei' } })).id;
    channel = createServer((request, response) => {
      if (request.url === '/kategorien.txt.gz') response.end(gzipSync(tree));
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => channel.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(channel.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    channel.close();
    await kontor.close();
  });

  const upload = async (table: ExportTable, text: string | Uint8Array<ArrayBuffer>, name = 'liste.txt', to = id) => {
    const form = new FormData();
    form.set('file', new Blob([text]), name);
    return kontor.raw(pathOf(api.uploadTargets, { id: to, table }), { method: 'POST', body: form });
  };
  const send = (table: ExportTable, body: object, to = id) =>
    kontor.raw(pathOf(api.uploadTargets, { id: to, table }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const categories = () => kontor.ask(api.categoryTargets, { body: { id } });

  it('CAT-11 an uploaded tree is offered with id, name and info', async () => {
    const answer = await upload('categories', tree);
    expect(await answer.json()).toEqual({ revision: 1, entries: 3, added: 3, removed: 0, warnings: [], vanished: [] });
    expect(await categories()).toEqual([
      { valueid: '1', valuename: 'Werkzeug', valueinfo: '' },
      { valueid: '2', valuename: 'Werkzeug > Hammer', valueinfo: '' },
      { valueid: '3', valuename: 'Werkzeug > Sägen', valueinfo: '' },
    ]);
    const [info] = await kontor.ask(api.targetLists, { params: { id } });
    expect(info).toMatchObject({ table: 'categories', revision: 1, source: 'liste.txt', entries: 3 });
  });

  it('CAT-11 an Excel workbook is read, and the answer names the sheets that were not', async () => {
    const { masterid } = await kontor.ask(api.export, { params: { id } });
    const { id: mine } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Drei' } });
    const rows = [
      ['Kennung', 'Pfad'],
      [10, 'Werkzeug'],
      [11, 'Werkzeug > Zangen'],
    ];
    const cover = { name: 'Deckblatt', rows: sheetRows([['Kategorien 2026']]) };
    const book = workbook([cover, { name: 'Baum', rows: sheetRows(rows) }]);
    const answer = await upload('categories', new Uint8Array(book), 'kategorien.xlsx', mine);
    const { warnings, ...counts } = TargetUpload.parse(await answer.json());
    expect(counts).toEqual({ revision: 1, entries: 2, added: 2, removed: 0, vanished: [] });
    expect(warnings).toEqual([expect.stringMatching(/Tabellenblatt „Baum“.*„Deckblatt“/)]);
    expect(await kontor.ask(api.targets, { params: { id: mine, table: 'categories' } })).toMatchObject([
      { id: '10', name: 'Werkzeug' },
      { id: '11', name: 'Werkzeug > Zangen' },
    ]);
    for (const packed of [gzipSync(book), makeZip([{ name: 'kategorien.xlsx', content: book }])])
      expect(await (await upload('colors', new Uint8Array(packed), 'packed', mine)).json()).toMatchObject({
        entries: 2,
      });
    // Google's own workbook has no header and rows of different length.
    const levels = [
      [1, 'Tiere'],
      [3237, 'Tiere', 'Lebende Tiere'],
      [3, 'Tiere', 'Tierbedarf'],
      [4, 'Tiere', 'Tierbedarf', 'Vogel'],
    ];
    const google = workbook([{ name: 'Taxonomie', rows: sheetRows(levels) }]);
    expect((await upload('brands', new Uint8Array(google), 'google.xlsx', mine)).status).toBe(200);
    const entries = await kontor.ask(api.targets, { params: { id: mine, table: 'brands' } });
    expect(entries.map(({ id: own, name }) => [own, name])).toContainEqual(['4', 'Tiere > Tierbedarf > Vogel']);
    const titled = workbook([{ name: 'A', rows: sheetRows([['Kategorieliste 2026'], [], ...rows]) }]);
    expect(await (await upload('colors', new Uint8Array(titled), 'a.xlsx', mine)).json()).toMatchObject({
      entries: 2,
    });
    // What is wrong with the list itself must not lead to another sheet.
    const twice = workbook([cover, { name: 'Baum', rows: sheetRows([...rows, [11, 'Anders']]) }]);
    const refused = await upload('categories', new Uint8Array(twice), 'kategorien.xlsx', mine);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Tabellenblatt „Baum“')]);
    const cut = await upload('categories', new Uint8Array(book.subarray(0, 300)), 'kategorien.xlsx', mine);
    expect([cut.status, await cut.text()]).toEqual([422, expect.stringContaining('beschädigt')]);
    expect(await kontor.ask(api.targets, { params: { id: mine, table: 'categories' } })).toHaveLength(2);
  });

  it('CAT-11 T22 a large list, which a thread of its own reads, is stored or refused like a small one', async () => {
    const large = Array.from({ length: 3000 }, (_, n) => `${n} - Haus > ${'x'.repeat(80)} ${n}`);
    const answer = await upload('colors', large.join('\n'));
    expect(await answer.json()).toMatchObject({ entries: 3000, warnings: [] });
    const twice = [...large, '5 - Anders'].join('\n');
    const refused = [await upload('colors', twice), await upload('colors', '5 - Eins\n6 - Zwei\n5 - Anders')];
    expect(refused.map(({ status }) => status)).toEqual([422, 422]);
    const [ofLarge, ofSmall] = await Promise.all(refused.map((one) => one.text()));
    expect(JSON.parse(ofLarge ?? '').error).toMatchObject({
      code: JSON.parse(ofSmall ?? '').error.code,
      message: expect.stringContaining('die bisherige gilt weiter'),
    });
  });

  it('CAT-11 a new version reports added and removed entries, and targets in use that it lacks', async () => {
    const row = CategoryRow.parse({
      id: 'c1',
      field: [{ input: { type: '_field', value: 'gruppe' }, value: 'Sägen' }],
      target: '3',
      catname: 'Werkzeug > Sägen',
    });
    await kontor.ask(api.saveCategories, { params: { id }, body: [row] });
    const answer = await upload('categories', '1 - Werkzeug\n2 - Werkzeug > Hammer\n4 - Werkzeug > Zangen\n');
    expect(await answer.json()).toMatchObject({
      revision: 2,
      added: 1,
      removed: 1,
      vanished: [{ id: '3', name: 'Werkzeug > Sägen', rows: 1 }],
    });
    const rows = await kontor.ask(api.exportTable, { params: { id, table: 'categories' } });
    expect(rows.rows[0]?.target).toBe('3');
    const history = await kontor.ask(api.revisions, { params: { subject: 'category_targets', scope: `export:${id}` } });
    expect(history[0]?.changes).toEqual(['Liste aus „liste.txt“ geladen: 3 Einträge (1 neu, 1 weggefallen).']);
    const back = (revision: number) =>
      kontor.ask(api.restore, {
        params: { subject: 'category_targets', scope: `export:${id}` },
        body: { revision },
      });
    expect((await back(1)).message).toBe('Stand 1 wiederhergestellt');
    expect((await categories()).map(({ valueid }) => valueid)).toEqual(['1', '2', '3']);
    expect((await back(2)).message).toBe(
      'Stand 2 wiederhergestellt. 1 Ziel wird noch von Zeilen benutzt, aber diese Liste kennt es nicht: „Werkzeug > Sägen“. Die Zeilen sind unverändert; wählen Sie unter „Ziel gibt es nicht mehr“ neue Ziele.',
    );
    await back(1);
  });

  it('CAT-11 a list with a cycle, duplicate ids or no entries is refused with a reason, and the old one stays', async () => {
    for (const [text, reason] of [
      ['id;parent;name\na;b;A\nb;a;B\n', 'Kreis'],
      ['id,name\n1,Rot\n1,Blau\n', 'zwei verschiedene Einträge'],
      ['', 'keine Einträge'],
      ['a\0b', 'NUL'],
      ['[{"id":"1","name":"a\\u0000b"}]', 'NUL'],
      [`id;name\n${'1'.repeat(501)};Rot\n2;Blau\n`, 'länger als 500 Zeichen'],
      [`id;name\n1;${'Rot'.repeat(700)}\n2;Blau\n`, 'länger als 2.000 Zeichen'],
    ] as const) {
      const answer = await upload('categories', text);
      expect(answer.status).toBe(422);
      const { error } = (await answer.json()) as { error: { message: string } };
      expect(error.message).toContain(reason);
      expect(error.message).toContain('die bisherige gilt weiter');
    }
    expect(await categories()).toHaveLength(3);
  });

  it('CAT-11 a list with texts longer than can be stored is read, and they are cut with a warning', async () => {
    const attributes = Array.from({ length: 501 }, (_, n) => ({ name: `Attribut ${n}` }));
    const list = [
      { id: '1', name: 'Werkzeug', info: 'x'.repeat(3000), attributes },
      { id: '2', name: 'Hammer' },
    ];
    const answer = await upload('categories', JSON.stringify(list), 'liste.json', other);
    const { warnings } = (await answer.json()) as { warnings: string[] };
    expect(warnings).toEqual(['Bei 1 Eintrag ist die Beschreibung länger als 2.000 Zeichen und wurde gekürzt.']);
    const [first] = await kontor.ask(api.targets, { params: { id: other, table: 'categories' } });
    expect([first?.info.length, first?.attributes?.length]).toEqual([2000, 500]);
  });

  it('CAT-11 a list is loaded from an address, also gzipped; forbidden addresses are refused', async () => {
    const answer = await send('categories', { url: `${address}/kategorien.txt.gz` }, other);
    expect(await answer.json()).toMatchObject({ entries: 3 });
    expect((await send('categories', { url: `${address}/fehlt` }, other)).status).toBeGreaterThanOrEqual(400);
    expect((await send('categories', { url: 'file:///etc/passwd' }, other)).status).toBe(422);
    expect((await send('categories', { was: 'anderes' }, other)).status).toBe(422);
  });

  it('BRA-02 COL-01 brands and colours are lists too, and an export can copy those of another', async () => {
    await upload('brands', 'Bosch\nMakita\n', 'marken.txt');
    await upload('colors', 'id,name\n2,Blau\n8,Grau\n', 'farben.csv');
    expect(await kontor.ask(api.brandTargets, { body: { id } })).toEqual([
      { id: 'Bosch', name: 'Bosch', info: '' },
      { id: 'Makita', name: 'Makita', info: '' },
    ]);
    expect(await (await send('brands', { from: id }, other)).json()).toMatchObject({ entries: 2 });
    expect((await kontor.ask(api.brandTargets, { body: { id: other } })).length).toBe(2);
    // Pages show it between quotes: these are the inner ones.
    const lists = await kontor.ask(api.targetLists, { params: { id: other } });
    expect(lists.find(({ table }) => table === 'brands')?.source).toBe('Export ‚Eins‘');
    expect((await send('colors', { from: other })).status).toBe(422);
    expect((await send('colors', { from: 'unbekannt' })).status).toBe(404);
  });

  it('CAT-04 values get suggestions with confidence and reason; decisions of another export count', async () => {
    const suggest = async (table: ExportTable, ...values: string[]) =>
      (
        await kontor.ask(api.suggestTargets, {
          params: { id: other },
          body: { table, values: values.map((value) => ({ value })) },
        })
      ).map(({ value, suggestions: [best] }) => [value, best?.name ?? null, best?.reason ?? null]);
    expect(await suggest('categories', 'Bohrhammer', 'Sägen', 'Quark')).toEqual([
      ['Bohrhammer', 'Werkzeug > Hammer', 'gemeinsame Wörter: „Hammer“'],
      ['Sägen', 'Werkzeug > Sägen', 'von Ihnen schon so zugeordnet (Eins)'],
      ['Quark', null, null],
    ]);
    const body = { table: 'categories' as const, values: ['Sägen', 'Bohrhammer'].map((value) => ({ value })) };
    const offers = await kontor.ask(api.suggestTargets, { params: { id: other }, body });
    // A decision of the company is nearly certain, a shared word is not.
    const [decided, similar] = offers.map(({ suggestions: [best] }) => best?.confidence ?? 0);
    expect(decided).toBe(0.99);
    expect(similar).toBeGreaterThan(0.3);
    expect(similar).toBeLessThan(0.7);
    expect(await suggest('brands', 'BOSCH GmbH')).toEqual([['BOSCH GmbH', 'Bosch', 'gleicher Name']]);
    await send('colors', { from: id }, other);
    expect(await suggest('colors', 'anthrazit')).toEqual([
      ['anthrazit', 'Grau', '„anthrazit“ ist ein anderes Wort dafür'],
    ]);
  });
});
