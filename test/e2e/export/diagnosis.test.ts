import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { BodyOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import type { Diagnosis } from '#shared/diagnosis/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const csv = [
  'sku;titel;text;preis;ean;bild;link;lager;marke',
  'A-1;Hammer;Ein Hammer;12,50;4006381333931;https://b.de/1.jpg;https://s.de/1;auf Lager;Nordkap',
  'A-2;;Eine Säge;9,99;4006381333931;https://b.de/2.jpg;https://s.de/2;auf Lager;Nordkap',
  'A-3;Zange;Eine Zange;auf Anfrage;;https://b.de/3.jpg;https://s.de/3;auf Lager;Nordkap',
  'A-4;Feile;Eine Feile;5,00;4006381333930;/4.jpg;https://s.de/4;auf Lager;Nordkap',
  `A-5;"${'Langer Titel '.repeat(20)}";Text;5,00;;https://b.de/5.jpg;https://s.de/5;vielleicht;Nordkap`,
].join('\n');

const source = (value: string) => [{ type: '_field', value, caption: value }];
const row = (id: string, exportfield: string, field: object[]) => ConstructionRow.parse({ id, exportfield, field });
const rows = [
  row('1', 'id', source('sku')),
  row('2', 'title', source('titel')),
  row('3', 'description', source('text')),
  row('4', 'price', source('preis')),
  row('5', 'gtin', source('ean')),
  row('6', 'image_link', source('bild')),
  row('7', 'link', source('link')),
  row('8', 'availability', source('lager')),
  row('9', 'brand', source('marke')),
  row('10', 'condition', [{ type: '_string', value: 'neuwertig', caption: '' }]),
];
const aliased = [
  ...rows.filter(({ exportfield }) => exportfield !== 'availability'),
  row('8', 'availability', [{ type: '_mapping', value: 'Lager', caption: 'Lager' }]),
];

describe('diagnosis of an export', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv);
  });
  afterAll(() => kontor.close());

  const exportWith = async (construction: ConstructionRow[], settings: object = {}, channel = 'google') => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Probe', channel } });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: construction });
    const made = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, { params: { id }, body: { ...made.settings, ...settings } });
    return id;
  };
  const found = ({ problems }: Diagnosis, severity = 'error') =>
    Object.fromEntries(
      problems
        .filter((one) => one.severity === severity)
        .map(({ key, field, items }) => [`${key.split(':')[0]} ${field}`, items]),
    );
  const keyOf = ({ problems }: Diagnosis, kind: string, field: string) =>
    problems.find((one) => one.key.startsWith(`${kind}:`) && one.field === field)?.key ?? '';
  const itemsOf = async (id: string, body: BodyOf<typeof api.problemItems>) =>
    (await kontor.ask(api.problemItems, { params: { id }, body })).items;

  it('a run checks every item and field; the diagnosis counts items, severities and the gain of each fix', async () => {
    const id = await exportWith(rows);
    expect(await kontor.ask(api.diagnosis, { params: { id } })).toMatchObject({ state: 'never_run', run: null });
    const { run } = await runExport(kontor, id);
    expect(run.warnings.join(' ')).toContain('von 5 Artikeln haben Fehler');
    const diagnosis = await kontor.ask(api.diagnosis, { params: { id } });
    expect(diagnosis).toMatchObject({
      state: 'checked',
      channel: 'Google Shopping (Merchant Center)',
      run: { runid: run.runid },
      readiness: { items: 5, errors: 5, fine: 0 },
    });
    expect(found(diagnosis)).toMatchObject({
      'missing title': 1,
      'too_long title': 1,
      'not_price price': 1,
      'gtin_digit gtin': 1,
      'not_address image_link': 1,
    });
    for (const problem of diagnosis.problems) {
      expect(problem.sentence + problem.means + problem.todo).not.toMatch(/undefined|null|\[object/);
    }
  });

  it("the current state is diagnosed without a run, also with unsaved rows, and equals the run's result", async () => {
    const id = await exportWith(rows);
    await runExport(kontor, id);
    const past = await kontor.ask(api.diagnosis, { params: { id } });
    const now = await kontor.ask(api.diagnoseNow, { params: { id }, body: {} });
    expect(now.problems.map(({ key, items, gain }) => ({ key, items, gain }))).toEqual(
      past.problems.map(({ key, items, gain }) => ({ key, items, gain })),
    );
    expect(now.readiness).toEqual(past.readiness);
    const without = rows.filter(({ exportfield }) => exportfield !== 'link');
    const then = await kontor.ask(api.diagnoseNow, { params: { id }, body: { rows: without } });
    expect(found(then)).toMatchObject({ 'missing link': 5 });
    expect(then.problems.find(({ field }) => field === 'link')?.fix).toEqual({
      kind: 'construction',
      rowId: null,
      field: 'link',
    });
    const key = keyOf(then, 'missing', 'link');
    expect(await itemsOf(id, { problem: key, now: true, rows: without, limit: 2, offset: 3 })).toMatchObject([
      { id: 'A-4' },
      { id: 'A-5' },
    ]);
    const long = await itemsOf(id, { problem: keyOf(now, 'not_price', 'price'), now: true });
    expect(long).toEqual([{ id: 'A-3', values: [{ field: 'price', value: 'auf Anfrage' }] }]);
  });

  it('RUL-15 the impact of saving the construction or an attribute is predicted and matches the result', async () => {
    const id = await exportWith(rows);
    const now = (body: BodyOf<typeof api.diagnoseNow>) => kontor.ask(api.diagnoseNow, { params: { id }, body });
    const impact = (body: BodyOf<typeof api.saveImpact>) => kontor.ask(api.saveImpact, { params: { id }, body });
    const empty = rows.map((one) => (one.exportfield === 'image_link' ? { ...one, field: [] } : one));
    const { before, after } = await impact({ rows: empty });
    expect(before.readiness).toEqual((await now({})).readiness);
    expect(after.readiness).toMatchObject({ items: 5, errors: 5 });
    expect(after.readiness).toEqual((await now({ rows: empty })).readiness);
    expect([before.fields, after.fields]).toEqual([10, 10]);
    expect((await kontor.ask(api.construction, { params: { id } })).rows).toEqual(rows);

    // An attribute can fill a row without a source.
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: empty });
    const value = [{ type: '_field' as const, value: 'bild', caption: 'bild' }];
    const set = { attribute: { target: 'image_link', typ: '', cat: '', value } };
    const filled = await impact(set);
    expect(filled.before.readiness).toEqual(after.readiness);
    expect(filled.after.readiness).toEqual(before.readiness);
    await kontor.ask(api.setAttribute, { body: { id, target: 'image_link', selector: 'all', type: '', value } });
    expect((await now({})).readiness).toEqual(filled.after.readiness);
  });

  it('RUL-15 the preview warns that a first row with a source ends the output of the whole catalogue', async () => {
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Alles', channel: 'frei' },
    });
    const { before, after, omitInvalid } = await kontor.ask(api.saveImpact, {
      params: { id },
      body: { rows: [row('1', 'name', source('titel'))] },
    });
    expect(before).toEqual({ fields: 9, passesThrough: true, readiness: null });
    expect(after).toEqual({ fields: 1, passesThrough: false, readiness: null });
    expect(omitInvalid).toBe(false);
  });

  it('the items of a problem show the wrong value, and an item lists all its problems', async () => {
    const id = await exportWith(rows);
    await runExport(kontor, id);
    const diagnosis = await kontor.ask(api.diagnosis, { params: { id } });
    const wrong = await itemsOf(id, { problem: keyOf(diagnosis, 'gtin_digit', 'gtin') });
    expect(wrong).toEqual([{ id: 'A-4', values: [{ field: 'gtin', value: '4006381333930' }] }]);
    const { problems } = await kontor.ask(api.itemProblems, { params: { id, itemid: 'A-4' } });
    expect(problems?.map(({ key }) => key.split(':')[0])).toEqual(
      expect.arrayContaining(['gtin_digit', 'not_address']),
    );
    expect(problems?.find(({ field }) => field === 'image_link')?.values).toEqual([
      { field: 'image_link', value: '/4.jpg' },
    ]);
    expect(await kontor.ask(api.itemProblems, { params: { id, itemid: 'fremd' } })).toEqual({ problems: null });
    expect(await itemsOf(id, { problem: 'gibt-es-nicht' })).toEqual([]);
  });

  it('„Beheben“ leads to the construction row, the mapping or the explanation that fills the field', async () => {
    const mapping = { masterid, mappingid: 'Mapping0001' };
    await kontor.ask(api.saveMapping, { params: mapping, body: { name: 'Lager' } });
    const id = await exportWith(aliased);
    const now = await kontor.ask(api.diagnoseNow, { params: { id }, body: {} });
    const fix = (field: string) => now.problems.find((one) => one.field === field)?.fix;
    expect(fix('title')).toEqual({ kind: 'explain', itemid: 'A-2', field: 'title' });
    expect(fix('condition')).toEqual({ kind: 'construction', rowId: '10', field: 'condition' });
    expect(fix('availability')).toEqual({ kind: 'mapping', mappingid: 'Mapping0001' });
  });

  it('items with errors are left out if the export says so, but still counted and diagnosed', async () => {
    const one = rows.filter(({ exportfield }) => exportfield !== 'condition' && exportfield !== 'availability');
    const good = [...one, row('8', 'availability', [{ type: '_string', value: 'in_stock', caption: '' }])];
    const id = await exportWith(good, {
      omitInvalid: true,
      format: { kind: 'jsonl', price: 'currency', decimal: 'point' },
    });
    const { run, text } = await runExport(kontor, id);
    const diagnosis = await kontor.ask(api.diagnosis, { params: { id } });
    const errors = diagnosis.readiness?.errors ?? 0;
    expect(errors).toBeGreaterThan(0);
    expect(text.trim().split('\n').filter(Boolean)).toHaveLength(5 - errors);
    expect(run).toMatchObject({ accepted: 5 - errors, rejected: errors });
    expect(run.warnings.join(' ')).toContain(`${errors} Artikel mit Fehlern wurden ausgelassen`);
    expect(diagnosis).toMatchObject({ omitted: errors, readiness: { items: 5 } });
    const { problems } = await kontor.ask(api.itemProblems, { params: { id, itemid: 'A-3' } });
    expect(problems?.some(({ field }) => field === 'price')).toBe(true);
  });

  it('duplicates of unique values are found by the run and by the current check', async () => {
    const twice = rows.map((one) => (one.exportfield === 'id' ? row('1', 'id', source('marke')) : one));
    const id = await exportWith(twice);
    await runExport(kontor, id);
    const past = await kontor.ask(api.diagnosis, { params: { id } });
    expect(found(past)).toMatchObject({ 'twice id': 5 });
    expect(await itemsOf(id, { problem: keyOf(past, 'twice', 'id'), limit: 1 })).toEqual([
      { id: 'A-1', values: [{ field: 'id', value: 'Nordkap' }] },
    ]);
    expect(found(await kontor.ask(api.diagnoseNow, { params: { id }, body: {} }))).toMatchObject({ 'twice id': 5 });
  });

  it('an export without a template checks only rows marked as required', async () => {
    const free = await exportWith([row('1', 'name', source('titel'))], {}, 'frei');
    await runExport(kontor, free);
    expect(await kontor.ask(api.diagnosis, { params: { id: free } })).toMatchObject({ state: 'no_checks' });
    const asked = await exportWith([{ ...row('1', 'name', source('titel')), mp_state: 'Required' }], {}, 'frei');
    await runExport(kontor, asked);
    expect(await kontor.ask(api.diagnosis, { params: { id: asked } })).toMatchObject({
      state: 'checked',
      readiness: { items: 5, errors: 1, fine: 4 },
    });
  });

  it('a header that changes after the first run is warned of once', async () => {
    const id = await exportWith([row('1', 'aid', source('sku')), row('2', 'name', source('titel'))], {}, 'billiger');
    expect((await runExport(kontor, id)).run.warnings.join(' ')).not.toContain('Spaltenkopf');
    await kontor.ask(api.saveConstruction, {
      params: { projectId: id },
      body: [row('2', 'titel', source('titel')), row('1', 'aid', source('sku'))],
    });
    const { run } = await runExport(kontor, id);
    expect(run.warnings.find((text) => text.includes('Spaltenkopf'))).toMatch(
      /weggefallen: „name“.*neu: „titel“|umbenannt/,
    );
    expect((await runExport(kontor, id)).run.warnings.join(' ')).not.toContain('Spaltenkopf');
  });

  it('an older run is diagnosed as it was', async () => {
    const id = await exportWith(rows);
    const first = (await runExport(kontor, id)).run.runid;
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows.slice(0, 3) });
    await runExport(kontor, id);
    const old = await kontor.ask(api.diagnosis, { params: { id }, query: { run: first } });
    expect(found(old)).toMatchObject({ 'not_price price': 1 });
    expect(await itemsOf(id, { problem: keyOf(old, 'not_price', 'price'), run: first })).toEqual([
      { id: 'A-3', values: [{ field: 'price', value: 'auf Anfrage' }] },
    ]);
  });
});
