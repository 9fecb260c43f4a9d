import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readItem, readPage } from '#catalogue/grid.ts';
import type { Selection } from '#catalogue/selection/item-selection.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { type RowFileLimits, RowFiles } from './row-files.ts';

const ITEMS = 3000;
const fields = ['Titel', 'Text', 'Lager'].map((name, index) => ({
  id: `f000${index + 1}`,
  name,
  guess: index === 2 ? ('integer' as const) : ('text' as const),
}));
const snapshot: SnapshotRecord = {
  company: 'one',
  masterid: 'one',
  number: 1,
  items: ITEMS,
  fields: fields.map((field) => ({ ...field, header: field.name, filled: ITEMS, example: '' })),
  key: 'Nummer',
  runid: '',
  source: '',
  createdAt: new Date(0),
};

let folder: string;
let path: string;
let duckdb: DuckDb;
let rowFiles: RowFiles;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-rows-'));
  duckdb = await DuckDb.open({ folder });
  path = join(folder, '1.parquet');
  // Texts as catalogues have them, and some that resemble the separators of cells and rows.
  await duckdb.all({
    sql: `COPY (SELECT 'N-' || i AS _id,
        CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 'Größe "L", 5' || chr(10) || '3' WHEN 2 THEN '"' WHEN 3 THEN chr(30) || chr(10)
          WHEN 4 THEN 'a' || chr(31) || 'b' WHEN 5 THEN chr(13) || chr(10) ELSE '👟 Schuh' END AS f0001,
        repeat('Beschreibung ö ', i % 40) || 'x' AS f0002, (i * 7919 % 3000)::VARCHAR AS f0003
      FROM range(${ITEMS}) r(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
    values: [],
  });
});
afterEach(() => rowFiles.close());
afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

function open(limits: Partial<RowFileLimits> = {}): RowFiles {
  rowFiles = new RowFiles(duckdb, { items: 100, bytes: 100_000_000, idleMs: 60_000, ...limits });
  return rowFiles;
}

const byStock: Selection = { filters: [], sort: { field: 'f0003', descending: true } };
const wanted = fields.map(({ id }) => id);
const page = (offset: number) =>
  readPage(duckdb, { path, snapshot, wanted, rowFiles }, byStock, { offset, limit: 100 });
const files = () => rowFiles.size().files;
/** Requests two pages, and waits for the row file that the second one creates. */
async function pagesThenFile() {
  const pages = [await page(0), await page(100)];
  await expect.poll(files).toBe(1);
  return pages;
}

test('ITE-07 pages read from the row file equal those read from the snapshot, whatever their texts contain', async () => {
  open();
  const before = await pagesThenFile();
  expect([await page(0), await page(100)]).toEqual(before);
  const numbers = Array.from({ length: ITEMS }, (_, number) => number);
  const columns = ['_id', ...wanted];
  const rows = await rowFiles.rows({ path, columns, items: ITEMS }, numbers);
  const all = await duckdb.all({ sql: `SELECT * FROM '${path}'`, values: [] });
  const readable = all.filter(({ f0001 }) => f0001 !== 'a\u001Fb');
  expect([...rows.values()].map((row) => ({ ...row }))).toEqual(readable);
});

test('ITE-07 an item and its neighbours can be read from the row file, also at both ends of the catalogue', async () => {
  open();
  const item = (number: number) =>
    readItem(duckdb, { path, snapshot, rowFiles }, `N-${number}`, { filters: [] }, new AbortController().signal);
  const asked = [0, 4, 1500, ITEMS - 1];
  const before = await Promise.all(asked.map(item));
  await pagesThenFile();
  expect(await Promise.all(asked.map(item))).toEqual(before);
  expect(before.map((one) => [one?.previous, one?.next])).toEqual([
    [null, 'N-1'],
    ['N-3', 'N-5'],
    ['N-1499', 'N-1501'],
    ['N-2998', null],
  ]);
});

test('the row file has no name in the file system, so nothing is left of it when the process is killed', async () => {
  open();
  await pagesThenFile();
  expect((await readdir(folder)).filter((name) => name !== '.duckdb-tmp')).toEqual(['1.parquet']);
});

test('a first page, a small catalogue and a catalogue that is too large create no row file; pages are served all the same', async () => {
  for (const limits of [{ items: ITEMS + 1 }, { bytes: 10_000 }]) {
    open(limits);
    const pages = [await page(0), await page(100), await page(0)];
    expect(pages.map(({ rows }) => rows.length)).toEqual([100, 100, 100]);
    expect(rowFiles.size()).toEqual({ files: 0, bytes: 0 });
    rowFiles.close();
  }
  open();
  await page(0);
  expect(files()).toBe(0);
});

test('an unused row file is closed after its idle time', async () => {
  open({ idleMs: 300 });
  await pagesThenFile();
  await expect.poll(files).toBe(0);
  expect((await page(0)).rows).toHaveLength(100);
});
