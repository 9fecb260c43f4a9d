import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FacetCache } from '#catalogue/facets/facet-cache.ts';
import { itemFacet } from '#catalogue/facets/item-facet.ts';
import { readPage } from '#catalogue/grid.ts';
import { RowFiles } from '#catalogue/row-files/row-files.ts';
import type { Selection } from '#catalogue/selection/item-selection.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { selectLocally } from '#client/screens/items/all-items/local-items.ts';
import type { Item } from '#engine/testing/evaluator.ts';
import { CATALOGUE, items } from '#engine/testing/random-rules.ts';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import { writeSnapshot } from '#engine/testing/snapshot-file.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { filterModes, type ItemFilter, ItemFilters, type ItemRow } from '#shared/items/schema.ts';

let folder: string;
let duckdb: DuckDb;
let connection: Awaited<ReturnType<typeof rawConnection>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-selections-'));
  duckdb = await DuckDb.open({ folder, threads: 1 });
  connection = await rawConnection();
});
afterAll(async () => {
  connection.closeSync();
  duckdb.close();
  await rm(folder, { recursive: true });
});

/** KONTOR_SELECTION_RUNS=2000 takes a night. */
const RUNS = Number(process.env['KONTOR_SELECTION_RUNS'] ?? 25);

type Mark = 'point' | 'comma' | 'none';
let written = 0;

/** Writes a snapshot of the items, in which all fields but the first two are numbers. */
async function snapshotOf(articles: readonly Item[], mark: Mark) {
  const path = join(folder, `items${++written}.parquet`);
  await writeSnapshot(connection, path, articles, CATALOGUE);
  const fields = CATALOGUE.map((name, at) => ({
    id: `f000${at + 1}`,
    name,
    header: name,
    filled: 0,
    example: '',
    guess: at < 2 ? ('text' as const) : ('number' as const),
    ...(mark === 'none' ? {} : { groups: { mark, sure: true } }),
  }));
  const facts = { company: 'c', masterid: 'm', number: written, items: articles.length, key: null };
  const snapshot: SnapshotRecord = { ...facts, fields, runid: '', source: '', createdAt: new Date(0) };
  const source = { path, snapshot, wanted: fields.map(({ id }) => id), rowFiles: new RowFiles(duckdb) };
  return {
    fields,
    page: (selection: Selection, offset: number, limit: number) =>
      readPage(duckdb, source, selection, { offset, limit }),
    facet: (query: { field: string; search?: string; filter?: string }) =>
      itemFacet({ duckdb, facets: new FacetCache() }, source, query, AbortSignal.timeout(20_000)),
  };
}

const everything = { page: 0, size: 50, columns: null, facets: null, savedView: '' };
const idsOf = (rows: readonly ItemRow[]) => rows.map((row) => row['_id']);
const field = fc.constantFrom('f0001', 'f0002', 'f0003', 'f0004', 'f0005');
const pick = fc.nat(200);
const asked = fc.record({
  filters: fc.array(fc.record({ mode: fc.constantFrom(...filterModes), field, pick, to: pick, begins: fc.boolean() }), {
    maxLength: 2,
  }),
  search: fc.option(pick),
  sort: fc.option(fc.record({ field, descending: fc.boolean() })),
  facet: field,
});

test(
  'ITE-07 random selections: pages have each item once, browser and server agree, and facets count what filters find',
  { timeout: 60_000 + RUNS * 1_000 },
  async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        items,
        asked,
        fc.constantFrom<Mark>('none', 'point', 'comma'),
        async (articles, wanted, mark) => {
          const texts = articles.flatMap(({ fields }) => [...fields.values()]);
          const at = (place: number) => texts[place % Math.max(1, texts.length)] ?? 'x';
          const typed = wanted.filters.map(({ mode, field: on, pick: one, to, begins }) => ({
            field: on,
            mode,
            value: begins
              ? Array.from(at(one)).slice(0, 2).join('')
              : mode.endsWith('any')
                ? `${at(one)}\n${at(to)}`
                : at(one),
            ...(mode === 'between' ? { to: at(to) } : {}),
          }));
          const filters = ItemFilters.safeParse(typed).data ?? [];
          const search = wanted.search === null ? '' : at(wanted.search).trim().slice(0, 20);
          const searched = search === '' ? {} : { search };
          const selection: Selection = { filters, ...searched, ...(wanted.sort === null ? {} : { sort: wanted.sort }) };
          const { fields, page, facet } = await snapshotOf(articles, mark);

          const whole = await page(selection, 0, 5000);
          const walked: ReturnType<typeof idsOf> = [];
          for (let offset = 0; offset < whole.total; offset += 3)
            walked.push(...idsOf((await page(selection, offset, 3)).rows));
          expect(walked).toEqual(idsOf(whole.rows));
          expect(whole.total).toBe(walked.length);
          found += Math.min(1, walked.length);

          const local = idsOf(
            selectLocally((await page({ filters: [] }, 0, 5000)).rows, [{ id: '_id', name: '_id' }, ...fields], {
              ...everything,
              search,
              filters,
              sort: wanted.sort?.field ?? null,
              direction: wanted.sort?.descending === true ? 'desc' : 'asc',
            }),
          );
          expect(local).toEqual(walked);

          const others = filters.filter((one) => one.field !== wanted.facet);
          const count = async (filter: Omit<ItemFilter, 'field'>) =>
            (await page({ ...searched, filters: [...others, { field: wanted.facet, ...filter }] }, 0, 1)).total;
          const shown = await facet({ field: wanted.facet, ...searched, filter: JSON.stringify(filters) });
          for (const { value, whole: complete, items: counted } of shown.values)
            if (complete) expect([value, await count({ mode: 'is_equal', value })]).toEqual([value, counted]);
          for (const { from, to, items: counted } of shown.histogram ?? [])
            expect([from, to, await count({ mode: 'between', value: from, to })]).toEqual([from, to, counted]);
          expect(await count({ mode: 'is_empty', value: '' })).toBe(shown.items - shown.filled);
          expect(await count({ mode: 'is_duplicate', value: '' })).toBe(shown.duplicates);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(found).toBeGreaterThan(0);
  },
);

test('a histogram includes numbers of twenty digits', async () => {
  const numbers = ['00340434161094042557', '99999999999999999999', '99999999999999999998'];
  const { facet, page } = await snapshotOf(
    numbers.map((number, at) => ({ id: `A${at}`, fields: new Map([['menge', number]]) })),
    'none',
  );
  const { histogram } = await facet({ field: 'f0004' });
  expect(histogram?.reduce((sum, { items: counted }) => sum + counted, 0)).toBe(3);
  for (const { from, to, items: counted } of histogram ?? []) {
    const filters: ItemFilter[] = [{ field: 'f0004', mode: 'between', value: from, to }];
    expect((await page({ filters }, 0, 1)).total).toBe(counted);
  }
});
