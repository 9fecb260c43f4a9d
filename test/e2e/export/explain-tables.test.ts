import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { MappingRow } from '#shared/assignments/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const field = (value: string) => ({ type: '_field', value });

describe('explaining mappings and tables', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  it('MAP-09 CAT-12 the explanation names the row that matched, the value it tested and its result', async () => {
    const shop = await masterWith(kontor, 'sku;farbe;preis\nC-1;knallrot;5,00\nC-2;blau;5,00\n');
    const { id } = await kontor.ask(api.createExport, { params: { masterid: shop }, body: { name: 'Shop' } });
    const line = (rowid: string, filter: string, value: string, target: string) =>
      MappingRow.parse({ id: rowid, field: [field('farbe')], filter, value, target });
    const data = [line('1', 'is_equal', 'rot', 'R'), line('2', 'contains', 'rot', 'Rot')];
    await kontor.ask(api.saveMapping, {
      params: { masterid: shop, mappingid: 'Farben1234' },
      body: { name: 'Farben', active: true, data },
    });
    const mapped = [{ type: '_mapping', value: 'Farben' }];
    await kontor.ask(api.saveConstruction, {
      params: { projectId: id },
      body: [ConstructionRow.parse({ id: 'c0', exportfield: 'color', valuetype: 'field', field: mapped })],
    });
    const ask = (itemid: string) =>
      kontor.ask(api.explain, { params: { masterid: shop, itemid }, query: { export: id, field: 'color' } });
    const red = await ask('C-1');
    expect(red.stages.find((stage) => stage.kind === 'mappings')?.tables).toEqual([
      {
        kind: 'mapping',
        name: 'Farben',
        row: 2,
        rows: 2,
        conditions: [{ sentence: 'farbe enthält „rot“', value: 'knallrot' }],
        results: [{ name: 'Farben', value: 'Rot' }],
        concerns: true,
      },
    ]);
    expect(red.answer).toBe(
      'color im Export „Shop“ ist „Rot“: Rohwert von farbe „knallrot“ → Mapping Farben, Zeile 2: „Rot“ → Feldaufbau color.',
    );
    const { text: file } = await runExport(kontor, id);
    // A single column is quoted; otherwise an empty line would be no item.
    expect(file).toBe('color\r\n"Rot"\r\n""\r\n');
    const blue = await ask('C-2');
    expect(blue.field?.value).toBeNull();
    expect(blue.answer).toContain('Mapping Farben: keine Zeile passt');
    await kontor.ask(api.saveMapping, {
      params: { masterid: shop, mappingid: 'Farben1234' },
      body: { name: 'Farben', active: true, data: data.slice(0, 1) },
    });
    expect((await ask('C-1')).file).toMatchObject({
      differences: [{ name: 'color', file: 'Rot', now: null, causes: ['mappings'] }],
      causes: [{ kind: 'mappings' }],
    });
  });
});
