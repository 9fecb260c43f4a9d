import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { category, csv, field, mapped, withExport } from '../../stages/feed/assigned-catalogue.ts';
import { postJson } from '../../stages/http/post-json.ts';

describe('saving assignments', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    ({ masterid, exportid } = await withExport(kontor, csv));
  });
  afterAll(() => kontor.close());

  const post = (path: string, body: unknown) => postJson(kontor, path, body);

  it('MAP-01 mappings are reordered and deleted; mappings that the new order omits keep their place after the others', async () => {
    const order = async () => (await kontor.ask(api.mappings, { params: { id: masterid } })).map(({ id }) => id);
    for (const mappingid of ['MapFarbe01', 'MapZweite1'])
      await kontor.ask(api.saveMapping, { params: { masterid, mappingid }, body: { name: mappingid } });
    await kontor.ask(api.orderMappings, { params: { masterid }, body: { ids: ['MapZweite1'] } });
    expect(await order()).toEqual(['MapZweite1', 'MapFarbe01']);
    await kontor.ask(api.deleteMappings, { params: { masterid }, body: { ids: ['MapZweite1'] } });
    expect(await order()).toEqual(['MapFarbe01']);
    const again = await post(pathOf(api.deleteMappings, { masterid }), { ids: ['MapZweite1'] });
    expect(again.status).toBe(404);
  });

  it('MAP-01 shop-system mappings keep their place when the value mappings that read them are reordered', async () => {
    const own = await masterWith(kontor, csv);
    const save = (mappingid: string, name: string, kind: 'value' | 'shop', source: object, target: string) =>
      kontor.ask(api.saveMapping, {
        params: { masterid: own, mappingid },
        body: { name, kind, active: true, data: [mapped('1', source, 'contains', 'o', target)] },
      });
    await save('ShopKlasse', 'Klasse', 'shop', field('titel'), 'groß');
    await save('MapPreis01', 'Porto', 'value', field('Klasse', '_mapping'), '4,90');
    await save('MapAndere1', 'Andere', 'value', field('titel'), 'x');
    const ids = ['MapAndere1', 'MapPreis01'];
    await kontor.ask(api.orderMappings, { params: { masterid: own }, body: { ids } });
    const { mappings } = await kontor.ask(api.mappingExcerpts, { params: { id: own }, query: { kind: 'value' } });
    expect(mappings.map(({ id }) => id)).toEqual(['ShopKlasse', ...ids]);
  });

  it('BRA-02 COL-01 CAT-11 brand, colour and category choices accept JSON and forms, and are empty before a list is loaded', async () => {
    for (const path of ['/ajax/branddata/', '/ajax/colordata/', '/ajax/getcatddata/']) {
      expect(await (await post(path, { id: exportid, route: 'brands' })).json()).toEqual([]);
      const form = await kontor.raw(path, { method: 'POST', body: new URLSearchParams({ id: exportid, route: 'x' }) });
      expect([form.status, await form.json()]).toEqual([200, []]);
      expect((await post(path, { id: masterid })).status).toBe(404);
    }
    const saved = await kontor.ask(api.saveBrands, {
      params: { id: exportid },
      body: [mapped('b1', { type: '_string', value: '' }, 'is_equal', '', '')],
    });
    expect(saved.message).toBe('Daten wurden gespeichert');
    expect((await kontor.ask(api.exportTable, { params: { id: exportid, table: 'brands' } })).rows).toHaveLength(1);
  });

  const row = category('c1', [[field('titel'), 'contains', 'bohr']], '100');

  it('CAT-10 a stale or invalid save is refused with a clear text and changes nothing', async () => {
    expect((await post(pathOf(api.saveCategories, { id: exportid }), [row])).status).toBe(200);
    const stale = await kontor.raw(pathOf(api.saveCategories, { id: exportid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': '0' },
      body: '[]',
    });
    expect(stale.status).toBe(409);
    const twice = await post(pathOf(api.saveCategories, { id: exportid }), [row, row]);
    expect([twice.status, await twice.text()]).toEqual([422, expect.stringContaining('zweimal')]);
    expect((await post(pathOf(api.saveCategories, { id: exportid }), [{ id: 'x', field: [] }])).status).toBe(422);
    expect((await kontor.ask(api.exportTable, { params: { id: exportid, table: 'categories' } })).revision).toBe(1);
  });

  it('T22 an invalid body that a worker parses gets the same error answer as any other call', async () => {
    const path = pathOf(api.countRows, { id: exportid });
    const wrong = await post(path, { table: 'brands', rows: [{ id: 'x', field: 7 }] });
    expect([wrong.status, await wrong.json()]).toMatchObject([
      422,
      { error: { code: 'invalid', message: expect.stringContaining('Die Angaben sind'), fields: expect.anything() } },
    ]);
    const nul = await post(path, { table: 'brands', rows: [{ ...row, id: 'a\0b' }] });
    expect([nul.status, await nul.text()]).toEqual([422, expect.stringContaining('nul_character')]);
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{"table":', '{"__proto__":{}}', '[[', 'null'.repeat(2)])
      expect((await kontor.raw(path, { method: 'POST', headers, body })).status).toBe(400);
    expect((await kontor.raw(path, { method: 'POST' })).status).toBe(422);
    const strange = await post(pathOf(api.countRows, { id: masterid }), { table: 'brands', rows: [] });
    expect([strange.status, await strange.text()]).toEqual([404, expect.stringContaining('Diesen Export')]);
    expect((await post(pathOf(api.countRows, { id: 'gibtesnicht' }), { table: 'mapping', rows: [] })).status).toBe(404);
  });

  it('MAP-07 100,000 rows are saved and counted; one more is refused', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
      mapped(String(index), field('marke'), 'is_equal', `m${index}`, 't'),
    );
    await kontor.ask(api.saveBrands, { params: { id: exportid }, body: many });
    const counted = await kontor.ask(api.countRows, {
      params: { id: exportid },
      body: { table: 'brands', rows: many },
    });
    expect([counted.assigned, Object.keys(counted.rows).length]).toEqual([0, 100_000]);
    const tooMany = await post(pathOf(api.saveBrands, { id: exportid }), [
      ...many,
      mapped('mehr', field('marke'), 'is_equal', 'x', 't'),
    ]);
    expect(tooMany.status).toBe(422);
  });

  it('CAT-01 a table says whether a field of the export uses its results, also by way of a later table', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Verwendet' } });
    const used = async () => {
      const tables = ['categories', 'brands', 'colors'] as const;
      const loaded = tables.map((table) => kontor.ask(api.exportTable, { params: { id, table }, query: { rows: 0 } }));
      return (await Promise.all(loaded)).map((one) => one.used);
    };
    const construct = (...sources: object[]) =>
      kontor.ask(api.saveConstruction, {
        params: { projectId: id },
        body: sources.map((source, index) =>
          ConstructionRow.parse({ id: `z${index}`, exportfield: `feld${index}`, field: [source] }),
        ),
      });
    expect(await used()).toEqual([false, false, false]);
    await construct(field('titel'), field('color_name', '_intern'));
    expect(await used()).toEqual([false, false, true]);
    await kontor.ask(api.saveColors, {
      params: { id },
      body: [mapped('1', field('category', '_intern'), 'is_equal', '7', 'Rot')],
    });
    expect(await used()).toEqual([true, false, true]);
    await construct(field('product_type', '_intern'));
    expect(await used()).toEqual([true, false, false]);
    await construct(field('titel'));
    expect(await used()).toEqual([false, false, false]);
  });
});
