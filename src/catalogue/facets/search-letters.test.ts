import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { findItems } from '#catalogue/find-items.ts';
import { rowNumbers } from '#catalogue/grid.ts';

const titles = ['İstanbul Tasche', 'ΟΔΟΣ', 'Straße', 'STRAẞE', 'Müller'];
const folder = mkdtempSync(join(tmpdir(), 'kontor-letters-'));
const path = join(folder, 'items.parquet');
let duckdb: DuckDb;
beforeAll(async () => {
  duckdb = await DuckDb.open({ folder, threads: 1 });
  const rows = titles.map((title, index) => `('A-${index}', '${title}')`).join(', ');
  await duckdb.all({
    sql: `COPY (SELECT * FROM (VALUES ${rows}) t(_id, f0001)) TO '${path}' (FORMAT parquet)`,
    values: [],
  });
});
afterAll(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const fields = [{ id: 'f0001', name: 'Titel', header: 'Titel', filled: 5, guess: 'text' as const, example: '' }];
const facts = { company: 'a', masterid: 'a', number: 1, items: 5, key: null, runid: '', source: '' };
const snapshot = { ...facts, fields, createdAt: new Date(0) };

test.each([
  ['İstanbul', [0]],
  ['istanbul', [0]],
  ['ΟΔΟΣ', [1]],
  ['straße', [2, 3]],
  ['STRAẞE', [2, 3]],
  ['strasse', []],
  ['MÜLLER', [4]],
])('a search for „%s“ ignores case, and nothing but case', async (text, expected) => {
  const items = findItems({ path, snapshot }, text, 9);
  const found = items.read(await duckdb.all(items.statement)).map(({ title }) => title);
  expect(new Set(found)).toEqual(new Set(expected.map((at) => titles[at])));
  const rows = await duckdb.all(rowNumbers(path, snapshot, { search: text, filters: [] }, { offset: 0, limit: 9 }));
  expect(rows.map((row) => Number(row['r']))).toEqual(expected);
});
