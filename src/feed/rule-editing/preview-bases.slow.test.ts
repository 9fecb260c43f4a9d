import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countEffect } from '#engine/analysis/rule-effect.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import { act, always, exclude, rule, when } from '#engine/testing/case.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { PreviewBases, type PreviewLimits, type PreviewPlace } from './preview-bases.ts';

let folder: string;
let duckdb: DuckDb;
let items: Relation;
let bases: PreviewBases;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-bases-'));
  duckdb = await DuckDb.open({ folder });
  const path = join(folder, '1.parquet');
  await duckdb.all({
    sql: `COPY (SELECT i::VARCHAR AS _id, 'Schuh ' || i % 10 AS f0001, repeat('x', 100) AS f0002, (i % 7)::VARCHAR AS f0003
      FROM range(50000) r(i)) TO '${path}' (FORMAT parquet)`,
    values: [],
  });
  const fields = ['Titel', 'Text', 'Preis'].map((name, index) => ({ id: `f000${index + 1}`, name }));
  items = snapshotRelation({ path, fields });
});
afterEach(() => bases.close());
afterAll(async () => {
  duckdb.close();
  await rm(folder, { recursive: true });
});

function open(limits: Partial<PreviewLimits> = {}): PreviewBases {
  bases = new PreviewBases(duckdb, { tables: 4, bytes: 100_000_000, idleMs: 60_000, ...limits });
  return bases;
}

const above = [rule([when('Titel', 'ends_with', '3')], [exclude()]), rule([always()], [act('Titel', 'append', '!')])];
const edited = (value: string, field = 'Titel') => rule([when(field, 'contains', value)], [act('Preis', 'set', '1')]);

/** Queries on how many items the last rule holds; 'direct' if no stored table answers. */
async function ask(rules: readonly Rule[], { signal, scope = 'a' }: { signal?: AbortSignal; scope?: string } = {}) {
  const id = rules.at(-1)?.id ?? '';
  const work = async ({ asker, relation, rules: left }: PreviewPlace) => {
    const count = countEffect(relation, left, id, { sample: 1 });
    const [row = {}] = await asker.all(count.statement, signal);
    return count.read(row).held;
  };
  const question = { owner: 'one', scope, items, rules: readRules(rules), show: [] };
  return (await bases.ask(question, work, signal)) ?? 'direct';
}

test('RUL-11 edits of one rule are answered from one stored table of the rules above, concurrent ones too', async () => {
  open();
  const answers = ['schuh', '7!', '3!', 'x'].map((value) => ask([...above, edited(value)]));
  expect(await Promise.all(answers)).toEqual([45_000, 5_000, 0, 0]);
  expect(bases.size().tables).toBe(1);
});

test('RUL-11 no table is stored if the rules above do not touch the fields in question', async () => {
  open();
  const other = rule([always()], [act('Text', 'set', 'y')]);
  expect(await ask([other, edited('schuh')])).toBe('direct');
  expect(await ask([edited('schuh')])).toBe('direct');
  expect(bases.size().tables).toBe(0);
});

test('RUL-11 a table is completed although its first requester aborts', async () => {
  open();
  const gone = new AbortController();
  const first = ask([...above, edited('schuh')], { signal: gone.signal });
  gone.abort(new Error('weg'));
  await expect(first).rejects.toThrow('weg');
  expect(bases.size().tables).toBe(1);
  expect(await ask([...above, edited('7!')])).toBe(5_000);
  expect(bases.size().tables).toBe(1);
});

test('RUL-11 other rules above need another table; another field is added to the existing one', async () => {
  open();
  await ask([...above, edited('schuh')]);
  expect(await ask([...above.slice(1), edited('3!')])).toBe(5_000);
  expect(bases.size().tables).toBe(2);
  const small = bases.size().bytes;
  expect(await ask([...above, edited('xx', 'Text')])).toBe(45_000);
  expect(bases.size().tables).toBe(2);
  expect(bases.size().bytes).toBeGreaterThan(small);
});

test('RUL-11 a table that would be too large is not stored, but one for a smaller request may be', async () => {
  open({ bytes: 6_000_000 });
  expect(await ask([...above, edited('xx', 'Text')])).toBe('direct');
  expect(await ask([...above, edited('xxx', 'Text')])).toBe('direct');
  expect(bases.size().bytes).toBe(0);
  expect(await ask([...above, edited('7!')])).toBe(5_000);
  expect(bases.size()).toEqual({ tables: 1, bytes: expect.any(Number) });
});

test('RUL-11 tables are limited in number, the least recently used is dropped first, and idle ones expire', async () => {
  open({ tables: 2, idleMs: 1_500 });
  const lists = [0, 1, 2].map((at) => [rule([always()], [act('Titel', 'append', `-${at}`)]), edited(`-${at}`)]);
  for (const [at, list] of lists.entries()) expect(await ask(list, { scope: `${at}` })).toBe(50_000);
  expect(bases.size().tables).toBe(2);
  for (let tries = 0; bases.size().tables > 0 && tries < 200; tries += 1) await wait(50);
  expect(bases.size()).toEqual({ tables: 0, bytes: 0 });
  expect(await ask(lists[0] ?? [])).toBe(50_000);
});
