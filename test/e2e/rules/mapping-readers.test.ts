import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CategoryRow, MappingRow } from '#shared/assignments/schema.ts';
import { Rule } from '#shared/rules/schema.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';

const result = { type: '_mapping' as const, value: 'Grundfarbe', caption: 'Grundfarbe' };
const colour = MappingRow.parse({ id: '1', field: [result], filter: 'is_equal', value: 'rot', target: 'warm' });
const category = CategoryRow.parse({
  id: '1',
  field: [{ input: result, filter: 'is_equal', value: 'rot' }],
  target: '9',
});
const output = { id: '1', exportfield: 'color', mp_state: '' as const, field: [result] };
const rule = Rule.parse({
  id: 'RuleWarm01',
  name: 'warm',
  active: true,
  querys: [{ id: 'q', field: 'Grundfarbe', type: '_mapping', select: 'is_equal', value: 'rot' }],
  actions: [{ id: 'a', field: 'titel', select: 'append', value: [{ type: '_string', value: '!' }] }],
});

describe('what reads a mapping by its name', () => {
  let kontor: TestKontor;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel;farbe\nA-1;Bohrer;rot\n');
    id = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } })).id;
    await saveMapping('MapFarbe01', 'Grundfarbe', []);
  });
  afterAll(() => kontor.close());

  const saveMapping = (mappingid: string, name: string, data: readonly MappingRow[]) =>
    kontor.ask(api.saveMapping, { params: { masterid, mappingid }, body: { name, data: [...data], active: true } });
  const read = async (...ids: string[]) =>
    (await kontor.ask(api.mappingReaders, { params: { masterid }, body: { ids } })).map(({ text, path }) => [
      text,
      path,
    ]);

  it('MAP-05 mappings, prices of the repricer, rules, tables, output fields and attributes are listed with their pages', async () => {
    expect(await read('MapFarbe01')).toEqual([]);
    await saveMapping('MapZweite1', 'Zweite', [colour]);
    const priced = undercutting('RepFarbe01', 'Preis', ['_mapping:Grundfarbe', '', '']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: priced.id }, body: priced });
    await kontor.ask(api.saveRules, { params: { masterid: id }, body: [rule] });
    await kontor.ask(api.saveCategories, { params: { id }, body: [category] });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: [output] });
    const attribute = { id, target: 'Ton', selector: 'all', value: [result], type: '' };
    await kontor.ask(api.setAttribute, { body: attribute });
    const inExport = [
      ['Regel „warm“ im Export „Export“', `/exports/${id}/regeln/RuleWarm01`],
      ['Kategorien im Export „Export“', `/exports/${id}/kategorien`],
      ['Ausgabefeld „color“ im Export „Export“', `/exports/${id}/feldaufbau`],
      ['Attribut „Ton“ im Export „Export“', `/exports/${id}/attribute`],
    ];
    const prices = ['Preise der Repricing-Regeln', `/repricer/${masterid}`];
    const second = ['Mapping „Zweite“', `/master/${masterid}/mappings/MapZweite1`];
    expect(await read('MapFarbe01')).toEqual([second, prices, ...inExport]);
    expect(await read('MapFarbe01', 'MapZweite1')).toEqual([prices, ...inExport]);
  });

  it('MAP-05 nothing is listed if another mapping has the name too: its value is read then', async () => {
    await saveMapping('MapFarbe02', 'Grundfarbe', []);
    expect(await read('MapFarbe01')).toEqual([]);
  });
});
