import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, ownText, statement } from '#platform/duckdb/sql.ts';
import { allRows } from '#catalogue/grid.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-filtered-'));
const path = join(folder, 'items.parquet');
let duckdb: DuckDb;
beforeAll(async () => {
  duckdb = await DuckDb.open({ folder, threads: 4 });
  const items = duck`SELECT CAST(range AS VARCHAR) AS _id, 'w' || range % 1000 AS f0001 FROM range(200000)`;
  await duckdb.all(statement(duck`COPY (${items}) TO ${ownText(path)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`));
});
afterAll(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const fields = [{ id: 'f0001', name: 'Titel', header: 'Titel', filled: 200_000, guess: 'text' as const, example: '' }];
const snapshot = {
  company: 'a',
  masterid: 'a',
  number: 1,
  items: 200_000,
  fields,
  key: null,
  runid: '',
  source: '',
  createdAt: new Date(0),
};
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index * 7}`).join('\n');

test.each([
  ['a short list of words', { field: 'f0001', mode: 'is_equal_any' as const, value: words(7) }],
  ['a long list of words', { field: 'f0001', mode: 'is_equal_any' as const, value: words(130) }],
  ['duplicate values', { field: 'f0001', mode: 'is_duplicate' as const, value: '' }],
])('items filtered by %s are returned in the order of the catalogue', async (_what, filter) => {
  const session = await duckdb.session();
  try {
    const ids: number[] = [];
    for await (const rows of session.stream(allRows(path, snapshot, { filters: [filter] }, [])))
      ids.push(...rows.map(({ _id }) => Number(_id)));
    expect(ids.length).toBeGreaterThan(1000);
    expect(ids.filter((id, at) => id < (ids[at - 1] ?? 0))).toEqual([]);
  } finally {
    session.close();
  }
});
