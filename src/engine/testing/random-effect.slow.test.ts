import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from './raw-connection.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rule } from '#shared/rules/schema.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { requestedPlace, compileRulesInBatches, MOST_STEPS } from '#engine/duckdb/rule-batches.ts';
import { countRulesInBatches } from '#engine/analysis/rule-counts.ts';
import { countEffect, effectItems } from '#engine/analysis/rule-effect.ts';
import { affectsLaterRules, previewBase, previewFields } from '#engine/analysis/rule-preview.ts';
import type { Rule as Compiled } from '#engine/ir/rules.ts';
import { evaluate, type Evaluated, type Item } from './evaluator.ts';
import { CATALOGUE, items, rules } from './random-rules.ts';
import { answerOf, itemsAfter, rowsOf, shown } from './run-rules.ts';
import { writeSnapshot } from './snapshot-file.ts';

let folder: string;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-effect-'));
  connection = await rawConnection(1);
});

afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true });
});

const RUNS = Number(process.env['KONTOR_RULE_RUNS'] ?? 60);
const SHOWN = 4;

/** The most steps of a statement: so few that nearly all lists are split into batches. */
const CUT = 6;
const table = (index: number) => `cut_${index}`;

async function run(statements: readonly { sql: string; values: readonly unknown[] }[]): Promise<void> {
  for (const { sql, values } of statements)
    await rowsOf(connection, { sql, values: values.map((value) => value as string) });
}

/** By the evaluator: how many items meet each condition of the rule alone, and together with all conditions before it. */
function expectedConditions(given: readonly Item[], list: readonly Rule[], evaluated: Evaluated) {
  const place = list.findIndex(({ id }) => id === evaluated.ruleId);
  const rule = list[place];
  if (!rule) throw new Error('no such rule');
  return rule.querys.map((condition, at) => {
    const single = [...list.slice(0, place), { ...rule, querys: [condition] }];
    const alone = evaluate(given, CATALOGUE, single).rules.at(-1)?.held;
    const together = [...evaluated.failed.values()].filter((failed) => failed === -1 || failed > at).length;
    return { alone, together };
  });
}

async function compareEffect(
  given: readonly Item[],
  list: readonly Rule[],
  evaluated: Evaluated,
  place: { relation: Relation; rules: readonly Compiled[] },
): Promise<void> {
  const count = countEffect(place.relation, place.rules, evaluated.ruleId, { sample: SHOWN });
  const { conditions, changed, same, ...counts } = await answerOf(connection, count);
  const { rows, failed: _failed, ...expected } = evaluated;
  expect(counts).toEqual(expected);
  expect(conditions).toEqual(expectedConditions(given, list, evaluated));

  const excludes =
    expected.post < expected.pre ||
    (expected.held > 0 && expected.diff === expected.held && place.rules.at(-1)?.excludes);
  const differs = (row: Evaluated['rows'][number]) =>
    [...row.before.keys(), ...row.after.keys()].some((field) => row.before.get(field) !== row.after.get(field));
  const touched = rows.filter((row) => excludes || differs(row)).slice(0, SHOWN);
  const untouched = rows.filter((row) => !excludes && !differs(row)).slice(0, SHOWN);
  const shownItems = effectItems(place.relation, place.rules, evaluated.ruleId, {
    rows: [...changed, ...same],
    title: 'Titel',
  });
  const found = shownItems.read(await rowsOf(connection, shownItems.statement));
  expect(found.map(({ id }) => id)).toEqual([...touched, ...untouched].map(({ id }) => id));
  for (const [at, row] of [...touched, ...untouched].entries()) {
    const item = found[at];
    expect(item?.title ?? null).toBe(row.before.get('Titel') ?? null);
    for (const { field, before, after } of item?.fields ?? []) {
      expect([field, before, after]).toEqual([field, row.before.get(field) ?? null, row.after.get(field) ?? null]);
    }
  }
}

async function compareAll(given: Item[], list: Rule[]): Promise<number> {
  const truth = evaluate(given, CATALOGUE, list);
  const relation = await writeSnapshot(connection, join(folder, 'effect.parquet'), given, CATALOGUE);
  const compiled = readRules(list);
  const counted = [];
  for (const [most, waiting] of [
    [MOST_STEPS, 8],
    [CUT, 9],
    [CUT, 1],
  ] as const) {
    const batches = compileRulesInBatches(relation, compiled, { live: 'all', table, most, waiting });
    await run(batches.statements);
    expect(shown(await itemsAfter(connection, batches.relation, []))).toEqual(shown(truth.items));
    if (waiting === 1) continue;
    for (const { statement, read } of countRulesInBatches(relation, compiled, { table, most })) {
      const [row] = await rowsOf(connection, statement);
      if (read) counted.push(...read(row ?? {}));
    }
  }
  const counts = truth.rules.map(({ rows: _rows, failed: _failed, ...rest }) => rest);
  expect(counted).toEqual([...counts, ...counts]);

  const last = truth.rules.at(-1);
  const rule = compiled.at(-1);
  if (!last || !rule) return 0;
  await compareEffect(given, list, last, { relation, rules: compiled });
  const cut = requestedPlace(relation, compiled, last.ruleId, { show: ['Titel'], table, most: CUT });
  await run(cut.statements);
  await compareEffect(given, list, last, cut);
  const live = previewFields(rule, ['Titel']);
  const base = previewBase(relation, compiled.slice(0, -1), { live, table });
  await run(base.statements);
  await compareEffect(given, list, last, { relation: base.relation, rules: [rule] });
  // Where the rules above do not matter, the statistics read the items directly.
  if (!affectsLaterRules(relation, compiled.slice(0, -1), live)) {
    await compareEffect(given, list, last, { relation, rules: [rule] });
  }
  return cut.statements.length;
}

test(
  'RUL-11 RUL-15 random rules: effects, counts and runs equal the reference evaluator, stored or in batches',
  { timeout: 60_000 + RUNS * 2_000 },
  async () => {
    let [runs, tables] = [0, 0];
    await fc.assert(
      fc.asyncProperty(items, rules, async (given, list) => {
        tables += await compareAll(given, list);
        runs += 1;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    console.info(`${runs} rule sets, cut by ${tables} tables`);
    expect(tables).toBeGreaterThan(runs / 2);
  },
);
