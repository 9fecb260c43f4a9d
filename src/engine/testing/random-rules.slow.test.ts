import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from './raw-connection.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rule } from '#shared/rules/schema.ts';
import { explainRules } from '#engine/analysis/explain-rules.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { countRule, countRules } from '#engine/analysis/rule-counts.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { ruleRows, type RowsWanted } from '#engine/analysis/rule-rows.ts';
import { evaluate, type Evaluated, type Item } from './evaluator.ts';
import { CATALOGUE, items, rules } from './random-rules.ts';
import { answerOf, itemsAfter, rowsOf, shown } from './run-rules.ts';
import { writeSnapshot } from './snapshot-file.ts';

let folder: string;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-random-'));
  connection = await rawConnection(1);
});

afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true });
});

/** Enough for 10,000 combinations of a rule and an item that it meets; KONTOR_RULE_RUNS=20000 is for a run overnight. */
const RUNS = Number(process.env['KONTOR_RULE_RUNS'] ?? 180);

const FIELDS = [...CATALOGUE, 'neu'];

const listed = (fields: ReadonlyMap<string, string>) => FIELDS.map((field) => fields.get(field) ?? null);
const counted = ({ ruleId, pre, post, diff, held, unchanged }: Evaluated) => ({
  ruleId,
  pre,
  post,
  diff,
  held,
  unchanged,
});

/** Compares every result of the engine with the evaluator; returns how often a rule met an item, and how often it held. */
async function compare(given: Item[], list: Rule[]): Promise<{ met: number; held: number }> {
  const truth = evaluate(given, CATALOGUE, list);
  const relation = await writeSnapshot(connection, join(folder, 'random.parquet'), given, CATALOGUE);
  const compiled = readRules(list);
  expect(shown(await itemsAfter(connection, relation, compiled))).toEqual(shown(truth.items));
  expect(await answerOf(connection, countRules(relation, compiled))).toEqual(truth.rules.map(counted));

  const rule = truth.rules[Math.floor(truth.rules.length / 2)];
  if (rule) {
    await compareRequested(rule, given, relation, compiled);
  }
  await compareExplained(given, truth.rules, relation, compiled);
  return {
    met: truth.rules.reduce((sum, one) => sum + one.pre, 0),
    held: truth.rules.reduce((sum, one) => sum + one.held, 0),
  };
}

/** Compares the counts of one rule, a page of its items, and the items at the row numbers that the counts contain. */
async function compareRequested(
  evaluated: Evaluated,
  given: readonly Item[],
  relation: Relation,
  compiled: ReturnType<typeof readRules>,
): Promise<void> {
  const rowsOfItems = async (wanted: RowsWanted) => {
    const page = ruleRows(relation, compiled, evaluated.ruleId, wanted);
    const rows = page.read(await rowsOf(connection, page.statement));
    return rows.map(({ id, before, after }) => ({ id, before, after }));
  };
  const wanted = evaluated.rows.map(({ id, before, after }) => ({ id, before: listed(before), after: listed(after) }));
  const { first, ...counts } = await answerOf(
    connection,
    countRule(relation, compiled, evaluated.ruleId, { sample: 3 }),
  );
  expect(counts).toEqual(counted(evaluated));
  expect(first.map((row) => given[row]?.id)).toEqual(wanted.slice(0, 3).map(({ id }) => id));
  expect(await rowsOfItems({ fields: FIELDS, rows: first })).toEqual(wanted.slice(0, 3));
  expect(await rowsOfItems({ fields: FIELDS, offset: 1, limit: 5 })).toEqual(wanted.slice(1, 6));
}

async function compareExplained(
  given: Item[],
  truth: readonly Evaluated[],
  relation: Relation,
  compiled: ReturnType<typeof readRules>,
): Promise<void> {
  const item = given[Math.floor(given.length / 2)];
  if (!item) return;
  const steps = await answerOf(connection, explainRules(relation, compiled, item.id));
  const reached = truth.filter(({ failed }) => failed.has(item.id));
  expect(steps.map(({ ruleId, failed }) => [ruleId, failed ?? -1])).toEqual(
    reached.map(({ ruleId, failed }) => [ruleId, failed.get(item.id)]),
  );
  steps.forEach((step, at) => {
    const row = reached[at]?.rows.find(({ id }) => id === item.id);
    for (const { field, before, after } of step.changes) {
      expect([field, before, after]).toEqual([field, row?.before.get(field) ?? null, row?.after.get(field) ?? null]);
    }
  });
}

test(
  'RUL-15 RUL-11 random rules on random items: SQL, counts, pages and explanations equal the evaluator',
  { timeout: 60_000 + RUNS * 1_000 },
  async () => {
    let [met, held, runs] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(items, rules, async (given, list) => {
        const result = await compare(given, list);
        [met, held, runs] = [met + result.met, held + result.held, runs + 1];
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    console.info(`${runs} rule sets, ${met} times a rule met an item, ${held} times it held`);
    expect(met).toBeGreaterThanOrEqual(10_000);
    expect(held / met).toBeGreaterThan(0.2);
  },
);
