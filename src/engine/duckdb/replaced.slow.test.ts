import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listValue } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement } from '#platform/duckdb/sql.ts';
import { replaced } from './replaced.ts';

let folder: string;
let duckdb: DuckDb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-replaced-'));
  duckdb = await DuckDb.open({ folder });
});
afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

test("replaces like DuckDB's replace(), at the ends, in adjacent and in overlapping matches", async () => {
  const pieces = fc.constantFrom('<', '&', 'a', 'aa', 'ä', '€', '😀', ' ', '\n', '"', '&amp;');
  const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(text), { minLength: 1, maxLength: 20 }),
      text.filter((from) => from !== ''),
      text,
      async (texts, from, to) => {
        const [ours, theirs] = [replaced(duck`t`, duck`${from}`, duck`${to}`), duck`replace(t, ${from}, ${to})`];
        const rows = await duckdb.all(
          statement(duck`SELECT ${ours} AS ours, ${theirs} AS theirs FROM (SELECT unnest(${listValue(texts)}) AS t)`),
        );
        expect(rows.map((row) => row['ours'])).toEqual(rows.map((row) => row['theirs']));
      },
    ),
    { numRuns: 200 },
  );
});
