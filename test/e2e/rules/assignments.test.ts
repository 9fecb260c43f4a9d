import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { Rule } from '#shared/rules/schema.ts';
import { runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { category, csv, field, lines, mapped, withExport } from '../../stages/feed/assigned-catalogue.ts';
import { postJson } from '../../stages/http/post-json.ts';

describe('mappings, categories, brands and colours', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    ({ masterid, exportid } = await withExport(kontor, csv));
  });
  afterAll(() => kontor.close());

  const post = (path: string, body: unknown) => postJson(kontor, path, body);

  it('MAP-08 MAP-06 a mapping is saved under its id and listed; a mapping without a name is refused', async () => {
    const rows = [
      mapped('1', field('farbe'), 'is_equal', 'ROT', 'Rot'),
      mapped('2', field('farbe'), 'contains', 'blau', 'Blau'),
    ];
    const saved = await kontor.ask(api.saveMapping, {
      params: { masterid, mappingid: 'MapFarbe01' },
      body: { name: 'Grundfarbe', data: rows, active: true },
    });
    expect(saved).toEqual({ ok: true, revision: 1, message: 'Daten wurden gespeichert' });
    const [mapping] = await kontor.ask(api.mappings, { params: { id: exportid } });
    expect(mapping).toMatchObject({ id: 'MapFarbe01', name: 'Grundfarbe', active: true, kind: 'value', data: rows });
    const nameless = await post(pathOf(api.saveMapping, { masterid, mappingid: 'MapLeer001' }), { name: ' ' });
    expect(nameless.status).toBe(422);
    expect(await nameless.text()).toContain('Bitte geben Sie einen Namen ein.');
    expect(await kontor.ask(api.mappings, { params: { id: masterid } })).toHaveLength(1);
  });

  it('SWM-03 SWM-02 shop-system mappings are keyed by id; saving {name, active, data, intern} keeps the other fields', async () => {
    const params = { masterid, mappingid: 'ShopMap001' };
    await kontor.ask(api.saveMapping, {
      params,
      body: {
        name: 'Versandklasse',
        kind: 'shop',
        description: 'wofür',
        lookupdata: [{ id: '7', name: 'Sperrgut', info: '' }],
      },
    });
    await kontor.ask(api.saveMapping, { params, body: { name: 'Versand', active: false, data: [], intern: 'Notiz' } });
    const shop = await kontor.ask(api.shopMappings, { params: { id: masterid } });
    expect(shop['ShopMap001']).toMatchObject({ name: 'Versand', active: false, intern: 'Notiz', description: 'wofür' });
    expect(shop['ShopMap001']?.lookupdata).toEqual([{ id: '7', name: 'Sperrgut', info: '' }]);
    // As documented: the note alone distinguishes a shop-system mapping from others.
    await kontor.ask(api.saveMapping, {
      params: { masterid, mappingid: 'ShopMap002' },
      body: { name: 'Neu', active: false, data: [], intern: '' },
    });
    expect(Object.keys(await kontor.ask(api.shopMappings, { params: { id: masterid } }))).toContain('ShopMap002');
    // A value mapping with all its documented properties has a note, too.
    const whole = { name: 'Ganz', active: true, intern: '', description: '', data: [], lookupdata: [] };
    await kontor.ask(api.saveMapping, { params: { masterid, mappingid: 'MapGanz001' }, body: whole });
    const names = async () => (await kontor.ask(api.mappings, { params: { id: masterid } })).map(({ name }) => name);
    expect(await names()).toContain('Ganz');
    await kontor.ask(api.deleteMappings, { params: { masterid }, body: { ids: ['MapGanz001'] } });
    expect((await kontor.ask(api.mappings, { params: { id: masterid } })).map(({ id }) => id)).toEqual(['MapFarbe01']);
  });

  it('MAP-08 MAP-03 the values of a field become rows, most frequent first, without the values that already have rows', async () => {
    const fetch = (body: object) => kontor.ask(api.missingRows, { params: { id: masterid }, body });
    const rows = await fetch({ field: 'marke' });
    expect(rows.map(({ value, items }) => [value.toLowerCase(), items])).toEqual([
      ['fjord', 2],
      ['bosch', 1],
      ['bosch gmbh', 1],
    ]);
    expect(rows[0]).toMatchObject({ filter: 'is_equal', target: '', active: true, field: [field('marke')] });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
    const fewer = await fetch({
      field: 'marke',
      preData: [
        { field: 'marke', value: 'FJORD' },
        { field: 'titel', value: 'BOSCH' },
      ],
    });
    expect(fewer.map(({ value }) => value)).toEqual(['BOSCH', 'Bosch GmbH']);
    expect(await fetch({ field: '' })).toEqual([]);
    expect(await fetch({ field: 'gibt es nicht' })).toEqual([]);
  });

  it('CAT-01 MAP-08 before the first import nothing is counted and no row is missing', async () => {
    const { masterid: empty } = await kontor.ask(api.createMaster, { body: { name: 'Leer' } });
    const { id } = await kontor.ask(api.createExport, { params: { masterid: empty }, body: { name: 'Leer' } });
    expect(await kontor.ask(api.countCategories, { body: { id } })).toMatchObject({
      records: 0,
      count_is_cat: { i: 0, percent: 0 },
      count_not_cat: { i: 0 },
      attributesitems: {},
    });
    expect(await kontor.ask(api.missingRows, { params: { id }, body: { field: 'marke' } })).toEqual([]);
  });

  it('MAP-08 GEN-08 the fields that a row can test are listed with their kind and origin', async () => {
    const fields = await kontor.ask(api.mappingFields, { params: { id: exportid } });
    expect(fields.find(({ value }) => value === 'marke')).toEqual({
      type: '_field',
      name: 'marke',
      value: 'marke',
      origin: 'import',
    });
    expect(fields.find(({ type }) => type === '_mapping')).toMatchObject({ name: 'Grundfarbe', origin: '' });
    expect(fields.filter(({ type }) => type === '_intern').map(({ value }) => value)).toContain('category');
    const ofMaster = await kontor.ask(api.mappingFields, { params: { id: masterid } });
    expect(ofMaster.filter(({ type }) => type === '_intern').map(({ value }) => value)).toEqual(['_id']);
  });

  const rows = [
    category(
      'c1',
      [
        [field('titel'), 'contains', 'bohr'],
        [field('marke'), 'begins_with', 'bosch'],
      ],
      '100',
    ),
    category('c2', [[field('marke'), 'is_equal', 'fjord']], '200', { active: false }),
    category('c3', [[field('Grundfarbe', '_mapping'), 'is_equal', 'blau']], '300'),
    category('c4', [[field('titel'), 'not_contains', 'jacke']], '', {}),
  ];

  it('CAT-10 CAT-12 CAT-01 categories are saved in order, and each item is counted for its first matching row', async () => {
    await kontor.ask(api.saveCategories, { params: { id: exportid }, body: rows });
    const loaded = await kontor.ask(api.exportTable, { params: { id: exportid, table: 'categories' } });
    expect(loaded).toEqual({ rows, total: 4, revision: 1, used: false });
    const counts = await kontor.ask(api.countCategories, { body: { id: exportid } });
    expect(counts).toEqual({
      records: 5,
      items: 5,
      count_is_cat: { i: 3, percent: 60 },
      count_not_cat: { i: 2 },
      attributesitems: { c1: 2, c2: 0, c3: 1, c4: 2 },
    });
  });

  it('CAT-01 HDR-04 unsaved rows are counted at their position; rows of other tables too', async () => {
    const [first] = rows;
    const counted = await kontor.ask(api.countRows, {
      params: { id: exportid },
      body: { table: 'categories', rows: first ? [first] : [] },
    });
    expect(counted).toEqual({ total: 5, assigned: 2, open: 3, rows: { c1: 2 } });
    const brands = [
      mapped('b1', field('marke'), 'contains', 'bosch', 'bosch'),
      mapped('b2', field('100', '_intern'), 'is_equal', 'x', 'x'),
      mapped('b3', field('category', '_intern'), 'is_equal', '300', 'fjord'),
    ];
    const onBrands = await kontor.ask(api.countRows, {
      params: { id: exportid },
      body: { table: 'brands', rows: brands },
    });
    expect(onBrands.rows).toEqual({ b1: 2, b2: 0, b3: 1 });
    const mapping = [mapped('m1', field('Grundfarbe', '_mapping'), 'is_equal', 'rot', 'x')];
    // At its own position a mapping sees neither itself nor later ones.
    const own = await kontor.ask(api.countRows, {
      params: { id: masterid },
      body: { table: 'mapping', mapping: 'MapFarbe01', rows: mapping },
    });
    expect(own.rows).toEqual({ m1: 0 });
  });

  it('CAT-01 the items without a target are listed with the values of a field', async () => {
    const open = await kontor.ask(api.openItems, {
      params: { id: exportid },
      body: { table: 'categories', rows, field: 'marke' },
    });
    expect(open).toEqual({
      total: 5,
      open: 2,
      matching: 2,
      values: [{ value: 'fjord', items: 1 }],
      items: [
        { id: 'A-4', title: 'Hose', value: 'fjord' },
        { id: 'A-5', title: 'Messer', value: null },
      ],
    });
    const some = await kontor.ask(api.openItems, {
      params: { id: exportid },
      body: { table: 'categories', rows, field: 'marke', value: 'FJORD', limit: 1 },
    });
    expect([some.matching, some.items.map(({ id }) => id)]).toEqual([1, ['A-4']]);
    // CAT-04: the number of a row's items equals the number that it is said to win.
    const counted = await kontor.ask(api.countRows, { params: { id: exportid }, body: { table: 'categories', rows } });
    for (const { id: row } of rows) {
      const won = await kontor.ask(api.openItems, {
        params: { id: exportid },
        body: { table: 'categories', rows, row, field: 'marke' },
      });
      expect([won.matching, won.items.length]).toEqual([counted.rows[row], counted.rows[row]]);
    }
  });

  it('MAP-09 CAT-12 mapping results are usable in rules, later mappings, tables and the construction of the file', async () => {
    await kontor.ask(api.saveMapping, {
      params: { masterid, mappingid: 'MapZweite1' },
      body: { name: 'Zweite', data: [mapped('1', field('Grundfarbe', '_mapping'), 'is_equal', 'rot', 'warm')] },
    });
    const rule = Rule.parse({
      id: 'RuleWarm01',
      name: 'warm',
      active: true,
      querys: [
        { id: 'q', field: 'Zweite', type: '_mapping', select: 'is_equal', value: 'warm' },
        { id: 'q2', field: '_mapping:Grundfarbe', select: 'is_not_empty' },
      ],
      actions: [{ id: 'a', field: 'titel', select: 'append', value: [{ type: '_field', value: '_mapping:Zweite' }] }],
    });
    await kontor.ask(api.saveRules, { params: { masterid: exportid }, body: [rule] });
    await kontor.ask(api.saveConstruction, {
      params: { projectId: exportid },
      body: [
        { id: '1', exportfield: 'id', mp_state: '' as const, field: [field('_id', '_intern')] },
        { id: '2', exportfield: 'title', mp_state: '' as const, field: [field('titel')] },
        { id: '3', exportfield: 'color', mp_state: '' as const, field: [field('Grundfarbe', '_mapping')] },
        { id: '4', exportfield: 'category', mp_state: '' as const, field: [field('category', '_intern')] },
      ],
    });
    const { text, run } = await runExport(kontor, exportid);
    expect(run.state).toBe('done');
    expect(lines(text)).toEqual([
      { id: 'A-1', title: 'Bohrer großwarm', color: 'Rot', category: '100' },
      { id: 'A-2', title: 'Bohrhammer', color: 'Blau', category: '100' },
      { id: 'A-3', title: 'Jacke', color: 'Blau', category: '300' },
      { id: 'A-4', title: 'Hosewarm', color: 'Rot', category: null },
      { id: 'A-5', title: 'Messer', color: null, category: null },
    ]);
  });

  it('MAP-09 RUL-11 effect and statistics of unsaved export rules include the results of mappings', async () => {
    const [warm] = await kontor.ask(api.rules, { params: { masterid: exportid } });
    const rules = warm === undefined ? [] : [warm];
    const params = { masterid: exportid };
    const effect = await kontor.ask(api.ruleEffect, { params, body: { rules, data: 'RuleWarm01' } });
    expect([effect.held, effect.count]).toEqual([2, { pre: 5, post: 5, diff: 2 }]);
    expect(effect.samples[0]?.fields.map(({ field }) => field)).toContain('Mapping Zweite');
    const counts = await kontor.ask(api.ruleCounts, { params, body: { rules } });
    expect(counts.counts).toEqual([{ ruleId: 'RuleWarm01', pre: 5, post: 5, diff: 2, held: 2 }]);
    const statistics = await kontor.ask(api.ruleStatistics, { params, body: { rules, data: 'RuleWarm01' } });
    expect(statistics.total).toBe(2);
    expect((await kontor.ask(api.ruleFindings, { params, body: { rules } })).findings).toEqual([]);
    const gone = rules.map((rule) => ({ ...rule, querys: rule.querys.map((query) => ({ ...query, field: 'Weg' })) }));
    const { findings } = await kontor.ask(api.ruleFindings, { params, body: { rules: gone } });
    expect(findings[0]).toMatchObject({
      code: 'field_gone',
      message: expect.stringContaining('das Mapping „Weg“ ab, aber dieses Mapping gibt es nicht') as unknown,
    });
  });

  it('GEN-03 a paused mapping yields no values and keeps its rows', async () => {
    const params = { masterid, mappingid: 'MapFarbe01' };
    await kontor.ask(api.saveMapping, { params, body: { active: false } });
    const { text } = await runExport(kontor, exportid);
    expect(lines(text).map(({ color, title }) => [color, title])).toEqual([
      [null, 'Bohrer groß'],
      [null, 'Bohrhammer'],
      [null, 'Jacke'],
      [null, 'Hose'],
      [null, 'Messer'],
    ]);
    await kontor.ask(api.saveMapping, { params, body: { active: true } });
  });
});
