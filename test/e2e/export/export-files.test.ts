import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { Rule } from '#shared/rules/schema.ts';
import { importFile, masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const csv = [
  'sku;titel;preis;lager;text;bild1;bild2',
  'A-1;Hammer;12,5;auf Lager;"<p>Stiel &amp; Kopf</p>";https://x/1,a.jpg;https://x/2.jpg',
  'A-2;Säge;1.299,90 €;ausverkauft;;;https://x/3.jpg',
  'A-3;Weg;1;auf Lager;;;',
  'A-4;Zange;7;in_stock;"a ""b"";c";;',
].join('\r\n');

const from = (value: string) => ({ type: '_field', value, caption: '' });
const row = (id: string, exportfield: string, field: object[], more: object = {}) =>
  ConstructionRow.parse({ id, exportfield, field, ...more });
const pictures = [from('bild1'), from('bild2')].map((value) => ({ name: '', value }));
const rows = [
  row('1', 'id', [from('sku')]),
  row('2', 'nr', [{ type: '_intern', value: 'index', caption: '' }]),
  row('3', 'price', [from('preis')]),
  row('4', 'description', [from('text')]),
  row('5', 'image', pictures, { valuetype: 'array', extras: { separator: ',' } }),
];
const without = Rule.parse({
  id: 'Raus000000',
  name: 'Weg raus',
  active: true,
  querys: [{ id: 'q', field: 'titel', select: 'is_equal', value: 'Weg' }],
  actions: [{ id: 'a', field: '@ALL@', select: 'unset' }],
});

describe('files of an export', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv, { key: 'sku' });
  });
  afterAll(() => kontor.close());

  const exportWith = async (format: object, body = rows, channel = 'frei'): Promise<string> => {
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Probe', channel, format },
    });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body });
    await kontor.ask(api.saveRules, { params: { masterid: id }, body: [without] });
    return id;
  };

  const told = async (id: string, item: string) => {
    const answer = await kontor.ask(api.explain, { params: { masterid, itemid: item }, query: { export: id } });
    return answer.stages
      .flatMap((stage) => ('rows' in stage ? stage.rows : []))
      .flatMap((one) => ('written' in one ? [one.written ?? ''] : []));
  };

  it('CON-03: the explained values of an item equal the file: numbers, prices, plain text, lists', async () => {
    const id = await exportWith({ kind: 'csv', price: 'currency', stripHtml: true });
    const { text, run } = await runExport(kontor, id);
    expect(run.state).toBe('done');
    const [head, ...lines] = parse(text, { delimiter: ';' });
    expect(head).toEqual(['id', 'nr', 'price', 'description', 'image']);
    expect(lines).toEqual([
      ['A-1', '1', '12.50 EUR', 'Stiel & Kopf', 'https://x/1%2Ca.jpg,https://x/2.jpg'],
      ['A-2', '2', '1299.90 EUR', '', 'https://x/3.jpg'],
      ['A-4', '3', '7.00 EUR', 'a "b";c', ''],
    ]);
    for (const line of lines) expect(await told(id, line[0] ?? '')).toEqual(line);
    const { file } = await kontor.ask(api.explain, { params: { masterid, itemid: 'A-4' }, query: { export: id } });
    expect(file).toMatchObject({ present: true, differences: [] });
  });

  it("values are replaced by the template's own words", async () => {
    const some = [
      row('1', 'g:id', [from('sku')]),
      row('2', 'availability', [from('lager')]),
      row('3', 'price', [from('preis')]),
    ];
    const { text } = await runExport(kontor, await exportWith({ kind: 'csv', price: 'currency' }, some, 'google'));
    expect(parse(text, { delimiter: ';' }).slice(1)).toEqual([
      ['A-1', 'in_stock', '12.50 EUR'],
      ['A-2', 'out_of_stock', '1299.90 EUR'],
      ['A-4', 'in_stock', '7.00 EUR'],
    ]);
  });

  it('an Excel file has its content type and can be imported again', async () => {
    const id = await exportWith({ kind: 'xlsx', stripHtml: true });
    const { bytes, run } = await runExport(kontor, id);
    expect(run).toMatchObject({ state: 'done', warnings: [] });
    const answer = await kontor.raw(pathOf(api.exportFile, { id }));
    expect(answer.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    const again = (await kontor.ask(api.createMaster, { body: { name: 'Zurück' } })).masterid;
    const imported = await importFile(
      kontor,
      again,
      { name: 'export.xlsx', bytes: new Uint8Array(bytes) },
      { key: 'id' },
    );
    expect(imported).toMatchObject({ state: 'done', accepted: 3, rejected: 0 });
  });

  it('paths that contradict each other are named in a warning of the run', async () => {
    const some = [row('1', 'a', [from('sku')]), row('2', 'a.b', [from('titel')])];
    const { text, run } = await runExport(kontor, await exportWith({ kind: 'json', nested: true }, some));
    expect(run.warnings.join(' ')).toContain('„a.b“');
    expect(JSON.parse(text)).toMatchObject([{ a: 'A-1', 'a.b': 'Hammer' }, {}, {}]);
  });

  it.each([
    ['{"a": ', 'head_no_object', 'kein JSON-Objekt'],
    ['[1]', 'head_no_object', 'kein JSON-Objekt'],
    ['{"artikel": []}', 'head_has_member', 'enthalten „artikel“ schon'],
  ])('the JSON around the items must be an object: %s is refused and nothing is saved', async (head, code, message) => {
    const id = await exportWith({ kind: 'json' });
    const { settings } = await kontor.ask(api.export, { params: { id } });
    const body = { ...settings, format: { ...settings.format, member: 'artikel', head } };
    const answer = await kontor.raw(pathOf(api.saveExport, { id }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(422);
    const { error } = (await answer.json()) as {
      error: { code: string; message: string; fields: { field: string }[] };
    };
    expect(error).toMatchObject({ code, fields: [{ field: 'format.head' }] });
    expect(error.message).toContain(message);
    expect((await kontor.ask(api.export, { params: { id } })).settings).toEqual(settings);
    const made = await kontor.raw(pathOf(api.createExport, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', format: body.format }),
    });
    expect(made.status).toBe(422);
  });
});
