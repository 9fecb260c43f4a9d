import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { ItemFilter } from '#shared/items/schema.ts';
import { filterCases, filterTexts } from '../../stages/feed/filter-cases.ts';
import { rule } from '../../stages/feed/rule-page.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

/** 200 items: brands of different frequency, prices in two spellings, one long title, one item number twice. */
function catalogue(): string {
  const rows = Array.from({ length: 200 }, (_, at) => {
    const brand = at % 10 === 0 ? '' : at % 2 === 0 ? 'Kübler' : at % 3 === 0 ? 'KÜBLER' : 'Nordkap';
    const price = at % 4 === 0 ? `${at},50 €` : `${at}.5`;
    const title = at === 7 ? 'x'.repeat(90) : `Hammer ${at % 2 === 0 ? 'groß' : 'klein'}`;
    return [`A-${at}`, brand, price, title, at === 3 ? '4006381333931' : `40063813${String(at).padStart(5, '0')}`];
  });
  rows[4] = ['A-4', 'Kübler', '4,50 €', 'Hammer groß', '4006381333931'];
  return ['sku;marke;preis;titel;ean', ...rows.map((row) => row.join(';'))].join('\n');
}

describe('facets', () => {
  let kontor: TestKontor;
  let masterid: string;
  let ids: Map<string, string>;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, catalogue(), { key: 'sku' });
    const { fields } = await kontor.ask(api.items, { query: { masterid, limit: 1 } });
    ids = new Map(fields.map(({ id, name }) => [name, id]));
  });
  afterAll(() => kontor.close());

  const idOf = (name: string) => ids.get(name) ?? '';
  const facet = (name: string, filters: readonly ItemFilter[] = [], search = '') =>
    kontor.ask(api.itemFacet, {
      query: { masterid, field: idOf(name), search, filter: JSON.stringify(filters) },
    });
  const found = async (...filters: ItemFilter[]) =>
    (await kontor.ask(api.items, { query: { masterid, limit: 1, filter: JSON.stringify(filters) } })).total;

  it('counts values case-insensitively, most frequent first, and the filled items', async () => {
    const brands = await facet('marke');
    expect(brands).toMatchObject({ items: 200, distinct: 2, histogram: null });
    expect(brands.filled).toBe(await found({ field: idOf('marke'), mode: 'is_not_empty', value: '' }));
    expect(brands.values.map(({ value }) => value)).toEqual(['Kübler', 'Nordkap']);
    for (const { value, items } of brands.values)
      expect([value, items]).toEqual([value, await found({ field: idOf('marke'), mode: 'is_equal', value })]);
  });

  it('is narrowed by the search and the filters of other fields, not by its own filter', async () => {
    const own: ItemFilter = { field: idOf('marke'), mode: 'is_equal', value: 'Nordkap' };
    const other: ItemFilter = { field: idOf('titel'), mode: 'is_equal', value: 'Hammer klein' };
    const narrowed = await facet('marke', [own, other]);
    expect(narrowed.values).toHaveLength(2);
    expect(narrowed.items).toBe(await found(other));
    for (const { value, items } of narrowed.values)
      expect(items).toBe(await found(other, { field: idOf('marke'), mode: 'is_equal', value }));
    expect((await facet('titel', [own])).items).toBe(await found(own));
    expect((await facet('marke', [], 'A-19')).items).toBe(11);
  });

  it('the first facet of a field caches its keys next to the snapshot, and later facets are counted from them', async () => {
    const other = await masterWith(kontor, 'sku;farbe;art\nA-1;rot;a\nA-2;Rot;a\nA-3;blau;b\nA-4;;b', { key: 'sku' });
    const { fields } = await kontor.ask(api.items, { query: { masterid: other, limit: 1 } });
    const [color = '', kind = ''] = ['farbe', 'art'].map((name) => fields.find((field) => field.name === name)?.id);
    const look = async (value: string) => {
      const filter = JSON.stringify([{ field: kind, mode: 'is_equal', value }]);
      const { items, filled, duplicates, values } = await kontor.ask(api.itemFacet, {
        query: { masterid: other, field: color, filter },
      });
      return { items, filled, duplicates, values: values.map((one) => [one.value, one.items]) };
    };
    expect(await look('a')).toEqual({ items: 2, filled: 2, duplicates: 2, values: [['rot', 2]] });
    const kept = globSync(`${kontor.dataFolder}/**/${other}/snapshots/*.keys`);
    expect(kept.map((path) => basename(path))).toEqual([`1.${color}.keys`]);
    expect(await look('b')).toEqual({ items: 2, filled: 1, duplicates: 0, values: [['blau', 1]] });
    expect(globSync(`${kontor.dataFolder}/**/${other}/snapshots/*.keys`)).toEqual(kept);
  });

  it("the bars of a histogram contain every number once, and a filter from first to last finds each bar's items", async () => {
    const { histogram } = await facet('preis');
    const bars = histogram ?? [];
    expect(bars.length).toBeGreaterThan(5);
    expect(bars.reduce((sum, { items }) => sum + items, 0)).toBe(200);
    expect(bars[0]?.from).toBe('0.5');
    for (const { from, to, items } of bars)
      expect(items).toBe(await found({ field: idOf('preis'), mode: 'between', value: from, to }));
  });

  it('reports unusually long and duplicate values exactly as the filters of these names find them', async () => {
    const titles = await facet('titel');
    expect(titles).toMatchObject({ distinct: 3, lengths: { shortest: 11, longest: 90 } });
    expect(titles.unusuallyLong).toEqual({ over: 22, items: 1 });
    expect(await found({ field: idOf('titel'), mode: 'length_exceeds', value: '22' })).toBe(1);
    const duplicate: ItemFilter = { field: idOf('ean'), mode: 'is_duplicate', value: '' };
    expect([(await facet('ean')).duplicates, await found(duplicate)]).toEqual([2, 2]);
    // One of the two remains, and its value still occurs twice in the catalogue.
    const one: ItemFilter = { field: idOf('sku'), mode: 'is_equal', value: 'A-3' };
    expect([(await facet('ean', [one])).duplicates, await found(duplicate, one)]).toEqual([1, 1]);
  });

  it('a selection without items yields an empty facet, and an unknown field is refused in German', async () => {
    const none: ItemFilter = { field: idOf('sku'), mode: 'is_equal', value: 'gibt es nicht' };
    const empty = { items: 0, filled: 0, distinct: 0, values: [], lengths: null, duplicates: 0, unusuallyLong: null };
    expect(await facet('preis', [none])).toEqual({ ...empty, histogram: [] });
    const refused = await kontor.raw(`/api/items/facet?masterid=${masterid}&field=f9999`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('gibt es in diesem Katalog nicht');
  });

  it('a catalogue without items is refused with a reason', async () => {
    const { masterid: empty } = await kontor.ask(api.createMaster, { body: { name: 'Leer' } });
    const refused = await kontor.raw(`/api/items/facet?masterid=${empty}&field=_id`);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('noch keine Artikel');
  });
});

describe('facets of the items that a rule meets', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, catalogue(), { key: 'sku' });
  });
  afterAll(() => kontor.close());

  const set = (field: string, value: string) => ({
    field,
    select: 'set' as const,
    value: [{ type: '_string' as const, value }],
  });
  const rules = [
    rule('Größen', { query: { field: 'marke', value: 'kübler' }, action: set('größe', 'XL') }),
    rule('Titel', { query: { field: 'größe', select: 'is_equal', value: 'XL' }, action: set('titel', 'neu') }),
  ];
  const facet = (field: string, filters: readonly ItemFilter[] = []) =>
    kontor.ask(api.ruleFacet, {
      params: { masterid },
      body: { data: rules[1]?.id ?? '', rules, field, filters: [...filters] },
    });

  it('count the values as they were when the rule began, including fields written by earlier rules', async () => {
    const brands = await facet('marke');
    expect(brands.values.map(({ value }) => value)).toEqual(['Kübler']);
    expect(await facet('größe')).toMatchObject({ items: brands.items, filled: brands.items, distinct: 1 });
    const titles = await facet('titel');
    expect(titles.values.map(({ value }) => value)).not.toContain('neu');
    expect(titles.distinct).toBeGreaterThan(1);
    expect((await facet('preis')).histogram?.reduce((sum, { items }) => sum + items, 0)).toBe(brands.items);
  });

  it('are narrowed by filters of other fields, and an unknown field is empty', async () => {
    const big: ItemFilter = { field: 'titel', mode: 'is_equal', value: 'hammer groß' };
    const narrowed = await facet('marke', [big]);
    const all = await facet('titel', [big]);
    expect(narrowed.items).toBe(all.values.find(({ value }) => value === 'Hammer groß')?.items);
    expect(narrowed.items).toBeLessThan(all.items);
    expect(await facet('gibt es nicht')).toMatchObject({ items: all.items, filled: 0, values: [] });
  });
});

describe('filters of the grid', () => {
  let kontor: TestKontor;
  let masterid: string;
  let field: string;
  beforeAll(async () => {
    kontor = await testKontor();
    const rows = Object.entries(filterTexts).map(([id, text]) => `${id};${text}`);
    masterid = await masterWith(kontor, ['sku;farbe', ...rows].join('\n'), { key: 'sku' });
    const { fields } = await kontor.ask(api.items, { query: { masterid, limit: 1 } });
    field = fields.find(({ name }) => name === 'farbe')?.id ?? '';
  });
  afterAll(() => kontor.close());

  it.each(filterCases)('ITE-07 $mode finds $finds, as the case table says', async ({ finds, ...filter }) => {
    const { data } = await kontor.ask(api.items, {
      query: { masterid, limit: 50, filter: JSON.stringify([{ field, ...filter }]) },
    });
    expect(data.map((row) => row['_id'])).toEqual(finds);
  });
});
