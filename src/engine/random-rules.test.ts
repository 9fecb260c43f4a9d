import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Duck } from '#platform/duck.ts';
import type { Rule } from '#shared/rules.ts';
import { explainRules } from './explain-rules.ts';
import { readRules } from './read-rules.ts';
import { countRule, countRules } from './rule-counts.ts';
import { ruleRows } from './rule-rows.ts';
import { evaluate, type Evaluated, type Item } from './testing/evaluator.ts';
import { CATALOGUE, items, rules } from './testing/random-rules.ts';
import { answerOf, itemsAfter, rowsOf, shown } from './testing/run-rules.ts';
import { writeSnapshot } from './testing/snapshot-file.ts';

let folder: string;
let duck: Duck;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-random-'));
  duck = await Duck.open({ folder, threads: 1 });
  connection = await duck.connect();
});

afterAll(async () => {
  connection.closeSync();
  duck.close();
  await rm(folder, { recursive: true });
});

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

/** Compares every answer of the engine with the evaluator; gives how often a rule met an item, and how often it held. */
async function compare(given: Item[], list: Rule[]): Promise<{ met: number; held: number }> {
  const truth = evaluate(given, CATALOGUE, list);
  const relation = await writeSnapshot(connection, join(folder, 'random.parquet'), given, CATALOGUE);
  const compiled = readRules(list);
  expect(shown(await itemsAfter(connection, relation, compiled))).toEqual(shown(truth.items));
  expect(await answerOf(connection, countRules(relation, compiled))).toEqual(truth.rules.map(counted));

  const asked = truth.rules[Math.floor(truth.rules.length / 2)];
  if (asked) {
    expect(await answerOf(connection, countRule(relation, compiled, asked.ruleId))).toEqual(counted(asked));
    const page = ruleRows(relation, compiled, asked.ruleId, { fields: FIELDS, offset: 1, limit: 5 });
    const rows = page.read(await rowsOf(connection, page.statement));
    const wanted = asked.rows.slice(1, 6);
    expect(rows.map(({ id, before, after }) => ({ id, before, after }))).toEqual(
      wanted.map(({ id, before, after }) => ({ id, before: listed(before), after: listed(after) })),
    );
  }
  await compareExplained(given, truth.rules, relation, compiled);
  return {
    met: truth.rules.reduce((sum, one) => sum + one.pre, 0),
    held: truth.rules.reduce((sum, one) => sum + one.held, 0),
  };
}

async function compareExplained(
  given: Item[],
  truth: readonly Evaluated[],
  relation: Awaited<ReturnType<typeof writeSnapshot>>,
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
  { timeout: 120_000 },
  async () => {
    let [met, held, runs] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(items, rules, async (given, list) => {
        const result = await compare(given, list);
        [met, held, runs] = [met + result.met, held + result.held, runs + 1];
      }),
      { numRuns: Number(process.env['KONTOR_RULE_RUNS'] ?? 250) },
    );
    console.info(`${runs} rule sets, ${met} times a rule met an item, ${held} times it held`);
    expect(met).toBeGreaterThanOrEqual(10_000);
    expect(held / met).toBeGreaterThan(0.2);
  },
);
