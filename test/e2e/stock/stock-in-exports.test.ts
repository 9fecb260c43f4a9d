import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { importFile, masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';
import { exclude, rule, set, when } from '../../stages/feed/rules.ts';

const STOCK = '_intern:stock_offered';
const line = (index: number, pieces: number) => `"A ""${index}"", x";Ware ${index};${pieces}`;
const csv = (first = 40) =>
  ['sku;titel;bestand', ...Array.from({ length: 60 }, (_, index) => line(index, index === 0 ? first : index)), ''].join(
    '\n',
  );
const item = (index: number) => `A "${index}", x`;
const row = (id: string, exportfield: string, type: string, value: string) =>
  ConstructionRow.parse({ id, exportfield, field: [{ type, value, caption: '' }] });
const rows = [
  row('1', 'id', '_field', 'sku'),
  row('2', 'title', '_field', 'titel'),
  row('3', 'quantity', '_intern', 'stock_offered'),
];
const soldOut = rule('Leer', [when(STOCK, 'is_equal', '0')], [exclude]);
const few = rule('Knapp', [when(STOCK, 'is_less_than', '5')], [set('titel', 'Letzte Stücke')]);

describe("Kontor's stock for a channel in rules and fields of its export", () => {
  let kontor: TestKontor;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv(), { key: 'sku' });
    const made = { name: 'Laden', format: { kind: 'csv' as const } };
    id = (await kontor.ask(api.createExport, { params: { masterid }, body: made })).id;
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await kontor.ask(api.saveRules, { params: { masterid: id }, body: [soldOut, few] });
  });
  afterAll(() => kontor.close());

  const saveStock = (more: Partial<StockSettings> = {}) =>
    kontor.ask(api.saveStockSettings, {
      params: { masterid },
      body: StockSettings.parse({
        field: 'bestand',
        channels: [{ id, active: true, floor: 2, cap: null, share: 50 }],
        ...more,
      }),
    });
  const offered = (index: number) =>
    expect.poll(
      async () => {
        const { rows: found } = await kontor.ask(api.stock, {
          params: { masterid },
          query: { search: item(index) },
        });
        return found[0]?.offers[0]?.offered;
      },
      { timeout: 10_000 },
    );
  const lines = async () => {
    const { text, run } = await runExport(kontor, id);
    expect(run).toMatchObject({ state: 'done' });
    return text.trim().split(/\r?\n/).slice(1);
  };

  it('can be picked for an export, and not for the catalogue, which has no channel', async () => {
    const names = async (of: string) =>
      (await kontor.ask(api.mappingFields, { params: { id: of } })).map(({ type, value }) => `${type}:${value}`);
    expect(await names(id)).toContain(STOCK);
    expect(await names(masterid)).not.toContain(STOCK);
  });

  it('is empty until stock is computed, so that no rule takes an item for sold out', async () => {
    const told = await lines();
    expect(told).toHaveLength(60);
    expect(told[0]).toBe('"A ""0"", x";Ware 0;');
    const { findings } = await kontor.ask(api.ruleFindings, { params: { masterid: id }, body: { rules: [soldOut] } });
    expect(findings.map(({ message }) => message).join()).toContain(
      'das Feld „Bestand für diesen Kanal“ ab, aber für diesen Kanal wird kein Bestand berechnet',
    );
  });

  it('is the same in file, effect of a rule, impact and explanation', async () => {
    await saveStock();
    await offered(0).toBe(20);
    const told = await lines();
    // 0 to 2 pieces count as sold out, but article 0 has 40.
    expect(told).toHaveLength(58);
    expect(told[0]).toBe('"A ""0"", x";Ware 0;20');
    expect(told.filter((one) => one.includes('Letzte Stücke'))).toHaveLength(7);
    const effect = await kontor.ask(api.ruleEffect, {
      params: { masterid: id },
      body: { data: few.id, rules: [soldOut, few] },
    });
    expect(effect).toMatchObject({ count: { pre: 58, post: 58, diff: 7 }, held: 7 });
    const { exports } = await kontor.ask(api.ruleImpact, { params: { masterid: id }, body: { rules: [few] } });
    expect(exports).toMatchObject([{ before: 58, after: 60, added: 2 }]);
    const explained = await kontor.ask(api.explain, {
      params: { masterid, itemid: item(3) },
      query: { export: id, field: 'quantity' },
    });
    expect(explained.field).toMatchObject({ value: '1' });
    expect(explained.stages.find(({ kind }) => kind === 'stock')).toEqual({
      kind: 'stock',
      name: 'Bestand für diesen Kanal',
      value: '1',
      concerns: true,
    });
    expect(explained.answer).toContain('Bestand für diesen Kanal: „1“');
    const gone = await kontor.ask(api.explain, { params: { masterid, itemid: item(2) }, query: { export: id } });
    expect(gone.excludedBy).toMatchObject({ scope: 'export', name: 'Leer' });
  });

  it('a rule that reads it has no finding about a missing field', async () => {
    const { findings } = await kontor.ask(api.ruleFindings, {
      params: { masterid: id },
      body: { rules: [soldOut, few] },
    });
    expect(findings).toEqual([]);
  });

  it('an order changes the next file as a delta, and a past run is explained with its own number', async () => {
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, {
      params: { id },
      body: { ...settings, delta: { active: true, removed: 'zero' } },
    });
    const before = await runExport(kontor, id);
    await takeOrders(kontor, id, [{ orderid: 'B-1', lines: [{ sku: item(30), ordered: 6 }] }]);
    await offered(30).toBe(12);
    const { runid } = await kontor.ask(api.runExport, { params: { id } });
    expect(await settled(kontor, runid)).toMatchObject({
      state: 'done',
      accepted: 1,
      difference: { changed: 1, added: 0, removed: 0 },
    });
    const explain = (query: object) =>
      kontor.ask(api.explain, {
        params: { masterid, itemid: item(30) },
        query: { export: id, field: 'quantity', ...query },
      });
    expect((await explain({})).field).toMatchObject({ value: '12' });
    expect((await explain({ run: before.run.runid })).field).toMatchObject({ value: '15' });
  });

  it('is also in the stock and price feed between two runs of the export', async () => {
    await takeOrders(kontor, id, [{ orderid: 'B-2', lines: [{ sku: item(40), ordered: 8 }] }]);
    await offered(40).toBe(16);
    const { runid } = await kontor.ask(api.runStock, { params: { id } });
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done' });
    const { feeds } = await kontor.ask(api.export, { params: { id } });
    const answer = await kontor.raw(feeds.find(({ type }) => type === 3)?.path ?? '', { as: null });
    expect(await answer.text()).toContain('"A ""40"", x";16');
  });

  it('a run right after an import waits for the new numbers', async () => {
    await importFile(kontor, masterid, { name: 'a.csv', bytes: csv(80) });
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, delta: { active: false } } });
    expect((await lines())[0]).toBe('"A ""0"", x";Ware 0;40');
  });

  it('while the stock is held, a run fails with the reason and the former file is served', async () => {
    await importFile(kontor, masterid, { name: 'a.csv', bytes: csv().replace('bestand', 'lager') });
    const state = async () => (await kontor.ask(api.stock, { params: { masterid } })).state.held;
    await expect.poll(state, { timeout: 10_000 }).toContain('kein Feld „bestand“');
    const served = async () => (await kontor.raw(pathOf(api.exportFile, { id }))).text();
    const before = await served();
    expect(before).toContain('"A ""0"", x";Ware 0;40');
    const { runid } = await kontor.ask(api.runExport, { params: { id } });
    const run = await settled(kontor, runid);
    expect(run.state).toBe('failed');
    expect(run.message).toContain('Der Bestand ist angehalten');
    expect(await served()).toBe(before);
  });
});
