import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRules } from '#engine/read/read-rules.ts';
import { act, rule, when } from '#engine/testing/case.ts';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import { duck, name, ownText, statement, type Sql } from '#platform/duckdb/sql.ts';
import { compileRules } from './compile-rules.ts';
import { isOneOf } from './one-of.ts';
import { itemsQuery, nextStep, snapshotRelation, type Relation } from './relation.ts';

const folder = mkdtempSync(joinPath(tmpdir(), 'kontor-order-'));
const path = joinPath(folder, 'items.parquet');
let connection: DuckDBConnection;
const run = async (sql: Sql) => {
  const { sql: text, values } = statement(sql);
  return (await connection.runAndReadAll(text, [...values])).getRows();
};
beforeAll(async () => {
  connection = await rawConnection(4);
  const items = duck`SELECT CAST(range AS VARCHAR) AS _id, 'w' || range % 1000 AS f0001 FROM range(200000)`;
  await run(duck`COPY (${items}) TO ${ownText(path)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
});
afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true });
});

const relation = () => snapshotRelation({ path, fields: [{ id: 'f0001', name: 'Titel' }] });
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);

/** Writes the items to a file and counts those that do not directly follow their predecessor. */
async function misplaced(items: Relation): Promise<number> {
  const written = joinPath(folder, 'run.parquet');
  await run(duck`COPY (${itemsQuery(items, ['Titel'])}) TO ${ownText(written)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  const before = duck`SELECT CAST(id AS INT) - lag(CAST(id AS INT)) OVER (ORDER BY file_row_number) AS step
    FROM read_parquet(${ownText(written)}, file_row_number = true)`;
  const [row] = await run(duck`SELECT CAST(count(*) AS INT) FROM (${before}) WHERE step <> 1`);
  return Number(row?.[0]);
}

test.each([7, 20, 200])('items keep their order where a condition matches one of %i values', async (count) => {
  const one = rule([when('Titel', 'is_equal_any', words(count).join('\n'))], [act('Titel', 'replace', 'w', 'W')]);
  expect(await misplaced(compileRules(relation(), readRules([one]), { live: 'all' }))).toBe(0);
});

test('items keep their order where a condition ranks the highest numbers', async () => {
  const one = rule([when('Titel', 'is_in_highest', '5')], [act('Titel', 'replace', '7', '8')]);
  expect(await misplaced(compileRules(relation(), readRules([one]), { live: 'all' }))).toBe(0);
});

test.each([20, 200])('items keep their order where a check matches one of %i values', async (count) => {
  const before = relation();
  const known = isOneOf(
    name('f0001'),
    words(count).map((word) => duck`${word}`),
  );
  const body = duck`SELECT * REPLACE (CASE WHEN ${known} THEN 'x' ELSE f0001 END AS f0001) FROM ${name(before.from)}`;
  expect(await misplaced(nextStep(before, body, before.columns))).toBe(0);
});
