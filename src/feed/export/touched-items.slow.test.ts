import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { act, rule, when } from '#engine/testing/case.ts';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { validatedItems } from '#feed/plan/validated-items.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import type { OutputRecord } from '#feed/stages/output/store.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { importedFieldSchema } from '#shared/import/schema.ts';
import { touchedItems, writeTouched } from './incremental-items.ts';
import { stateFile } from './published-baseline.ts';
import { writeRun } from './write-run.ts';

let folder: string;
let duckdb: DuckDb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-touched-'));
  duckdb = await DuckDb.open({ folder });
});
afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

const format = OutputFormat.parse({ kind: 'csv' });
const FIELDS = ['Titel', 'Preis'];
/** More than two row groups of the files below, so that some are skipped as a whole. */
const ITEMS = 5_000;
const file = (mark: string) => join(folder, `${mark}.parquet`);

const planOf = (mark: string, items: number): ExportPlan => {
  const fields = FIELDS.map((field, index) =>
    importedFieldSchema.parse({
      id: `f000${index + 1}`,
      name: field,
      header: field,
      guess: 'text',
      filled: 1,
      example: '',
    }),
  );
  const snapshot = { company: 'c', masterid: 'm', number: 1, items, fields, key: null, runid: '', source: '' };
  return {
    snapshot: { ...snapshot, createdAt: new Date(0) },
    path: file(mark),
    masterRules: [rule([when('Titel', 'ends_with', '7')], [act('Titel', 'append', ' neu')])],
    mappings: [],
    exportRules: [rule([when('Titel', 'contains', '13')], [act('@ALL@', 'unset')])],
    tables: noTables,
    construction: FIELDS.map((value) =>
      ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value }] }),
    ),
    attributes: [],
    template: undefined,
  };
};

type Change = { changed: number[]; gone: number[]; added: number[]; order: number };
const place = fc.integer({ min: 0, max: ITEMS - 1 });
const change: fc.Arbitrary<Change> = fc.record({
  changed: fc.array(place, { maxLength: 20 }),
  gone: fc.array(place, { maxLength: 5 }),
  added: fc.array(fc.integer({ min: ITEMS, max: 2 * ITEMS }), { maxLength: 5 }),
  order: fc.nat({ max: 9 }),
});

/** Writes a catalogue before and after a change; the second in another order. Returns its number of items. */
async function writeCatalogues({ changed, gone, added, order }: Change): Promise<number> {
  const listed = (numbers: readonly number[]) => `(${[-1, ...numbers].join(', ')})`;
  const values = `'A-' || i AS _id, 'Ware ' || i AS f0001, CASE WHEN alt THEN '1,00' ELSE '2,00' END AS f0002`;
  const copy = (rows: string, mark: string) =>
    connection.run(
      `COPY (SELECT *, hash(_id, f0001, f0002) AS _hash FROM (SELECT ${values} FROM (${rows}))) TO '${file(mark)}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
    );
  const connection = await rawConnection(1);
  await copy(`SELECT i, TRUE AS alt FROM range(${ITEMS}) t(i)`, 'before');
  await copy(
    `SELECT i, i NOT IN ${listed(changed)} AS alt FROM range(${2 * ITEMS + 1}) t(i)
      WHERE (i < ${ITEMS} AND i NOT IN ${listed(gone)}) OR i IN ${listed(added)} ORDER BY hash(i % ${order + 1}), i`,
    'after',
  );
  const [row] = (
    await connection.runAndReadAll(`SELECT count(*)::INT FROM read_parquet('${file('after')}')`)
  ).getRows();
  connection.closeSync();
  return Number(row?.[0]);
}

async function rowsOf(path: string): Promise<Map<string, string>> {
  const rows = await duckdb.all({ sql: `SELECT * FROM read_parquet('${path}')`, values: [] });
  return new Map(rows.map((row) => [String(row['_id']), JSON.stringify(Object.values(row).map(String))]));
}
const idsOf = async (path: string): Promise<string[]> =>
  (await duckdb.all({ sql: `SELECT _id FROM read_parquet('${path}')`, values: [] })).map((row) => String(row['_id']));

test('the last run updated with the items that differ equals a run of all items, in its order', async () => {
  let skipped = 0;
  const property = fc.asyncProperty(change, async (made) => {
    const items = await writeCatalogues(made);
    const [before, after] = [planOf('before', ITEMS), planOf('after', items)];
    await writeRun(duckdb, validatedItems(before, format), file('earlier'));
    await writeRun(duckdb, validatedItems(after, format), file('whole'));
    const count = await writeTouched(duckdb, { before, after }, file('touched'));
    await writeRun(duckdb, touchedItems(after, file('touched'), format), file('few'));
    const [touched, few, whole] = [
      await idsOf(file('touched')),
      await rowsOf(file('few')),
      await rowsOf(file('whole')),
    ];
    expect(touched).toHaveLength(count);
    if (few.size < 3) skipped++;
    const state = await rowsOf(file('earlier'));
    for (const id of touched) state.delete(id);
    for (const [id, row] of few) state.set(id, row);
    const sorted = (rows: Map<string, string>) => [...rows.values()].sort();
    expect(sorted(state)).toEqual(sorted(whole));
    expect([...few.keys()].filter((id) => !touched.includes(id))).toEqual([]);
    expect([...few.keys()]).toEqual([...whole.keys()].filter((id) => few.has(id)));
  });
  await fc.assert(property, {
    numRuns: 12,
    examples: [
      [{ changed: [], gone: [], added: [], order: 0 }],
      [{ changed: [], gone: [4_999], added: [], order: 0 }],
      [{ changed: [4_998], gone: [], added: [], order: 0 }],
    ],
  });
  expect(skipped).toBeGreaterThanOrEqual(3);
}, 120_000);

test('the stored state returns the values of removed items from any row group, and nothing if none was removed', async () => {
  await writeCatalogues({ changed: [], gone: [3, 2_500, 4_999], added: [], order: 0 });
  const storagePaths = storagePathsIn(folder);
  await mkdir(storagePaths.runFolder('c', 'e'), { recursive: true });
  const start = storagePaths.output('c', 'e', 1, 'parquet');
  const before = planOf('before', ITEMS);
  const items = await writeRun(duckdb, validatedItems(before, format), start);
  const output: OutputRecord = {
    number: 1,
    runid: '',
    name: '',
    bytes: 0,
    items,
    etag: '',
    mime: '',
    sidecars: { ending: 'csv', header: FIELDS },
    whole: true,
    base: null,
    createdAt: new Date(0),
    fetches: 0,
    lastFetchedAt: null,
  };
  const state = { output, whole: output, narrow: [] };
  const whole = await rowsOf(start);
  const valuesOf = async (ids: string) => {
    await duckdb.all({ sql: `COPY (${ids}) TO '${file('ids')}' (FORMAT parquet)`, values: [] });
    const wanted = { target: file('gone'), only: file('ids') };
    return rowsOf(await stateFile({ duckdb, storagePaths }, { company: 'c', id: 'e' }, state, wanted));
  };
  const ids = `SELECT b._id FROM '${file('before')}' b ANTI JOIN '${file('after')}' a ON a._id = b._id`;
  expect(await valuesOf(ids)).toEqual(new Map([...whole].filter(([id]) => ['A-3', 'A-2500', 'A-4999'].includes(id))));
  expect(await valuesOf(`${ids} LIMIT 0`)).toEqual(new Map());
});
