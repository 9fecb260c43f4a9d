import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { Rule } from '#shared/rules/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { csv, exportOf, from, plain, row } from '../../stages/export/odd-items.ts';

const text = (value: string) => ({ type: '_string', value });

describe('exports', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv);
  });
  afterAll(() => kontor.close());

  const exportWith = (format: object, rows: ConstructionRow[]) => exportOf(kontor, masterid, format, rows);

  it('a run names the sources that no longer exist; fields made by rules and results of mappings are no such ones', async () => {
    const catalogue = await masterWith(kontor, csv);
    const mapping = {
      data: [{ id: '1', field: [{ type: '_field' as const, value: 'preis' }], value: '7', target: 'x', catname: '' }],
    };
    const save = (name: string, active: boolean) =>
      kontor.ask(api.saveMapping, {
        params: { masterid: catalogue, mappingid: name },
        body: { name, active, ...mapping },
      });
    await save('Farben', true);
    await save('Pause', false);
    const { id } = await kontor.ask(api.createExport, { params: { masterid: catalogue }, body: { name: 'Probe' } });
    const sets = { id: 'a0', field: 'neu', select: 'set', selecttyp: 'input', value: [text('x')] };
    const rule = Rule.parse({
      id: 'MachtFeld1',
      name: 'x',
      active: true,
      querys: [{ id: 'q0', field: '@ALL@' }],
      actions: [sets],
    });
    await kontor.ask(api.saveRules, { params: { masterid: id }, body: [rule] });
    const part = (type: string, value: string) => ({ type, value });
    const rows = [
      row('1', 'id', [part('_intern', '_id')]),
      row('2', 'a', [from('neu'), from('Menge'), from('titel')], { valuetype: 'combine' }),
      row('3', 'b', [part('_mapping', 'Farben')]),
      row('4', 'c', [part('_mapping', 'Pause')]),
      row('5', 'd', [part('_intern', 'category_name')]),
    ];
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    const { run } = await runExport(kontor, id);
    expect(run.warnings).toEqual([
      expect.stringMatching(
        /die es nicht \(mehr\) gibt, oder ein Mapping ist pausiert: Feld „Menge“, Mapping „Pause“\. Ihre/,
      ),
    ]);
  });

  it('CON-07 fields, fixed values and combinations fill the columns in the order of the rows', async () => {
    const id = await exportWith({ kind: 'csv' }, [
      row('1', 'id', [from('sku')], { mp_state: 'Required' }),
      row('2', 'marke', [text('Nordkap')], { valuetype: 'input' }),
      row('3', 'bezeichnung', [from('titel'), text(' / '), from('sku')], { valuetype: 'combine' }),
    ]);
    const { text: file } = await runExport(kontor, id);
    expect(parse(file, { delimiter: ';' })).toEqual([
      ['id', 'marke', 'bezeichnung'],
      ['A-1', 'Nordkap', 'Hammer / A-1'],
      ['A-2', 'Nordkap', 'Säge\ngroß / A-2'],
      ['A-3', 'Nordkap', 'Müll / A-3'],
      ['A-4', 'Nordkap', '=SUMME(1) / A-4'],
    ]);
  });

  it('a CSV file is byte-exact: quotes only where needed, CRLF, formulas untouched', async () => {
    const { text: file } = await runExport(kontor, await exportWith({ kind: 'csv', delimiter: ';' }, plain));
    expect(file).toBe(
      'id;name;price;info\r\nA-1;Hammer;12,5;"Stiel; ""Esche"""\r\nA-2;"Säge\ngroß";1.299,90;<b>A & B</b>\r\nA-3;Müll;7;\r\nA-4;=SUMME(1);9.99;x\r\n',
    );
  });

  it.each([
    ['comma', '12,50', '1299,90', '7', '9,99'],
    ['point', '12.50', '1299.90', '7', '9.99'],
    ['keep', '12,5', '1.299,90', '7', '9.99'],
  ])('decimal mark %s spells prices and leaves whole numbers alone', async (decimal, ...prices) => {
    const { text: file } = await runExport(kontor, await exportWith({ kind: 'csv', decimal, delimiter: '\t' }, plain));
    const rows = parse(file, { delimiter: '\t', columns: true }) as { price: string }[];
    expect(rows.map((one) => one.price)).toEqual(prices);
  });

  it('Windows-1252, ISO-8859-15, UTF-8 with BOM and UTF-16 are written as chosen', async () => {
    const inLatin = await runExport(kontor, await exportWith({ kind: 'csv', encoding: 'windows-1252' }, plain));
    expect(new TextDecoder('windows-1252').decode(inLatin.bytes)).toContain('Säge');
    const rows = [row('1', 'id', [from('sku')]), row('2', 'preis', [text('5 € für Œuvre Šž')])];
    const inLatin9 = await runExport(kontor, await exportWith({ kind: 'csv', encoding: 'iso-8859-15' }, rows));
    // These four letters have other places in Windows-1252, and none in ISO-8859-1.
    expect(Buffer.from(inLatin9.bytes).toString('latin1')).toContain('5 \u00a4 f\u00fcr \u00bcuvre \u00a6\u00b8');
    expect(inLatin9.run.warnings).toEqual([]);
    const bom = await runExport(kontor, await exportWith({ kind: 'csv', encoding: 'utf-8-bom' }, plain));
    expect(bom.bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
    const wide = await runExport(kontor, await exportWith({ kind: 'csv', encoding: 'utf-16le' }, plain));
    expect(wide.bytes.slice(0, 2)).toEqual(Uint8Array.of(0xff, 0xfe));
    expect(new TextDecoder('utf-16le').decode(wide.bytes)).toContain('Müll');
  });

  it('characters that an encoding lacks are counted in a warning, and in XML written as references', async () => {
    const rows = [row('1', 'id', [from('sku')]), row('2', 'zeichen', [text('→ 中')])];
    const asCsv = await runExport(kontor, await exportWith({ kind: 'csv', encoding: 'iso-8859-1' }, rows));
    expect(asCsv.run.warnings.join(' ')).toContain('8 Zeichen');
    const asXml = await runExport(kontor, await exportWith({ kind: 'xml', encoding: 'iso-8859-1' }, rows));
    expect(asXml.text).toContain('&#8594; &#20013;');
  });

  it('XML is well-formed with the chosen element names and omits missing values', async () => {
    const { text: file } = await runExport(
      kontor,
      await exportWith({ kind: 'xml', root: 'katalog', item: 'artikel' }, plain),
    );
    expect(elementsOf(file)).toMatchObject({ katalog: 1, artikel: 4, info: 3 });
    expect(file).toContain('<info><![CDATA[<b>A & B</b>]]></info>');
  });

  it('Google RSS puts fields into the g: namespace', async () => {
    const rows = [
      row('1', 'id', [from('sku')]),
      row('2', 'title', [from('titel')]),
      row('3', 'g:price', [from('preis')]),
    ];
    const { text: file } = await runExport(kontor, await exportWith({ kind: 'xml', style: 'google' }, rows));
    expect(elementsOf(file)).toMatchObject({ rss: 1, channel: 1, item: 4, 'g:id': 4, 'g:price': 4 });
  });

  it('JSON and JSON Lines hold every value as text and a missing one as null', async () => {
    const expected = [
      { id: 'A-1', name: 'Hammer', price: '12,5', info: 'Stiel; "Esche"' },
      { id: 'A-2', name: 'Säge\ngroß', price: '1.299,90', info: '<b>A & B</b>' },
      { id: 'A-3', name: 'Müll', price: '7', info: null },
      { id: 'A-4', name: '=SUMME(1)', price: '9.99', info: 'x' },
    ];
    expect(JSON.parse((await runExport(kontor, await exportWith({ kind: 'json' }, plain))).text)).toEqual(expected);
    const lines = (await runExport(kontor, await exportWith({ kind: 'jsonl' }, plain))).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(expected);
  });

  it('hostile field names become valid files in every format', async () => {
    const names = ['"; DROP TABLE x; --', '<script>', '__proto__', 'ß/ü:ö', ' ', '1', 'a b', '🙂'];
    const rows = names.map((name, index) => row(String(index), name, [text(`w${index}`)]));
    const asCsv = await runExport(kontor, await exportWith({ kind: 'csv' }, rows));
    expect(parse(asCsv.text, { delimiter: ';' })[0]).toEqual(names.filter((name) => name.trim() !== ''));
    const asXml = await runExport(kontor, await exportWith({ kind: 'xml' }, rows));
    expect(elementsOf(asXml.text)['product']).toBe(4);
    const asJson = await runExport(kontor, await exportWith({ kind: 'json' }, rows));
    expect(Object.keys((JSON.parse(asJson.text) as object[])[0] ?? {})).toHaveLength(7);
  });

  it('CON-05 an unfilled required row is named in the answer, and the labelled variant is saved all the same', async () => {
    const rows = [row('1', 'id', [from('sku')]), row('2', 'marke', [text('   ')], { mp_state: 'Required' })];
    const id = await exportWith({ kind: 'csv' }, rows);
    const saved = await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    expect(saved).toMatchObject({ message: 'Daten wurden gespeichert', incomplete: ['2'] });
    expect((await kontor.ask(api.construction, { params: { id } })).rows).toHaveLength(2);
  });

  it('CON-01 the available source fields are the fields of the catalogue', async () => {
    const fields = await kontor.ask(api.fieldData, { query: { masterid } });
    expect(fields).toEqual(
      ['sku', 'titel', 'preis', 'bestand', 'text'].map((name) => ({ name, value: name, origin: 'import' })),
    );
    const answer = await kontor.raw('/api/fielddata/', { method: 'POST' });
    expect(answer.status).toBe(200);
  });

  it('HDR-03 the feed addresses spezification, productdata_all_provider and quantityprice are served', async () => {
    const id = await exportWith({ kind: 'csv' }, [...plain, row('5', 'quantity', [from('bestand')])]);
    await runExport(kontor, id);
    const { feeds } = await kontor.ask(api.export, { params: { id } });
    expect(feeds.map((feed) => [feed.type, feed.name])).toEqual([
      [1, 'spezification'],
      [2, 'productdata_all_provider'],
      [3, 'quantityprice'],
    ]);
    const texts = await Promise.all(feeds.map(async (feed) => (await kontor.raw(feed.path, { as: null })).text()));
    expect(texts[0]).toContain('"price"');
    expect(texts[1]).toContain('Hammer');
    expect(texts[2]).toBe('id;price;quantity\r\nA-1;12,5;3\r\nA-2;1.299,90;0\r\nA-3;7;12\r\nA-4;9.99;1\r\n');
  });

  it('HDR-03 a file named like a feed type is served under its name, next to the feed type', async () => {
    const id = await exportWith({ kind: 'csv' }, [...plain, row('5', 'quantity', [from('bestand')])]);
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, filename: 'quantityprice.csv' } });
    await runExport(kontor, id);
    const { feeds, pullPath } = await kontor.ask(api.export, { params: { id } });
    const served = async (path = '') => (await kontor.raw(path, { as: null })).text();
    expect(await served(pullPath)).toContain('Hammer');
    expect(await served(feeds[2]?.path)).toMatch(/^id;price;quantity\r\n/);
  });

  it('HDR-03 stock and price fields that no name reveals are requested, set by hand, and served from the next run on', async () => {
    const id = await exportWith({ kind: 'csv' }, [
      row('1', 'Kennung', [from('sku')]),
      row('2', 'Vorrat', [from('bestand')]),
    ]);
    await runExport(kontor, id);
    const asked = () => kontor.ask(api.stockFields, { params: { id } });
    expect(await asked()).toEqual({
      fields: ['Kennung', 'Vorrat'],
      found: { id: [], stock: [], price: [] },
      published: false,
    });
    const { feeds, settings } = await kontor.ask(api.export, { params: { id } });
    const served = async () => kontor.raw(feeds[2]?.path ?? '', { as: null });
    expect([(await served()).status, await (await served()).text()]).toEqual([
      404,
      expect.stringContaining('Eine Datei mit Bestand und Preis gibt es nicht'),
    ]);
    const stockFields = { id: 'Kennung', stock: 'Vorrat', price: '' };
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, stockFields } });
    expect(await asked()).toMatchObject({ found: { id: ['Kennung'], stock: ['Vorrat'], price: [] }, published: false });
    await runExport(kontor, id);
    expect((await asked()).published).toBe(true);
    expect(await (await served()).text()).toBe('Kennung;Vorrat\r\nA-1;3\r\nA-2;0\r\nA-3;12\r\nA-4;1\r\n');
  });

  it('the preview shows the first items of an unsaved construction', async () => {
    const id = await exportWith({ kind: 'csv' }, plain);
    const preview = await kontor.ask(api.previewExport, {
      params: { id },
      body: { rows: [row('1', 'neu', [from('titel')])], limit: 2 },
    });
    expect(preview).toEqual({ columns: ['neu'], ids: ['A-1', 'A-2'], data: [['Hammer'], ['Säge\ngroß']], total: 4 });
  });

  it('the API accepts a format as its kind alone, with options next to it', async () => {
    const body = { name: 'Kurz', format: 'csv' as const, delimiter: ',' as const, header: false };
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
    expect((await runExport(kontor, id)).text.split('\r\n')[0]).toBe('A-1,Hammer,"12,5",3,"Stiel; ""Esche"""');
    const google = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'G', format: 'google' } });
    const { settings } = await kontor.ask(api.export, { params: { id: google.id } });
    expect(settings.format).toMatchObject({ kind: 'xml', style: 'google' });
  });

  it('an export without a snapshot is refused with a German sentence', async () => {
    const { masterid: empty } = await kontor.ask(api.createMaster, { body: { name: 'Leer' } });
    const { id } = await kontor.ask(api.createExport, { params: { masterid: empty }, body: { name: 'Leer' } });
    const answer = await kontor.raw(pathOf(api.runExport, { id }), { method: 'POST' });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('noch keine Artikel');
  });
});

/** Returns how often each element occurs. @throws if the text is not well-formed */
function elementsOf(xml: string): Record<string, number> {
  const counts: Record<string, number> = {};
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', (tag) => {
    counts[tag.name] = (counts[tag.name] ?? 0) + 1;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return counts;
}
