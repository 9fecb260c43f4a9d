import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, ownText, statement } from '#platform/duckdb/sql.ts';
import { isOneOf } from './one-of.ts';

const folder = mkdtempSync(joinPath(tmpdir(), 'kontor-one-of-'));
let duckdb: DuckDb;
beforeAll(async () => {
  duckdb = await DuckDb.open({ folder, memoryLimit: '200MB' });
});
afterAll(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const texts = duck`(VALUES ('w7'), ('W7'), (''), (NULL)) AS texts(t)`;
const words = (count: number) => Array.from({ length: count }, (_, index) => ownText(`w${index}`));

it('a text is found among few and many constants, and the result for NULL is NULL', async () => {
  for (const count of [8, 200]) {
    const rows = await duckdb.all(statement(duck`SELECT ${isOneOf(duck`t`, words(count))} AS found FROM ${texts}`));
    expect(rows.map(({ found }) => found)).toEqual([true, false, false, null]);
  }
});

it('matching against two dozen constants uses no join', async () => {
  const [plan] = await duckdb.all(
    statement(
      duck`EXPLAIN SELECT CASE WHEN length(t) = 2 THEN ${isOneOf(duck`t`, words(24))} END FROM (SELECT CAST(range AS VARCHAR) AS t FROM range(9))`,
    ),
  );
  expect(JSON.stringify(plan)).not.toContain('JOIN');
});
