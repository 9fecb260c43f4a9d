import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from './raw-connection.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_NAMES } from '#shared/rules/operators.ts';
import { ACTION_NAMES } from '#shared/rules/actions.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { countRules } from '#engine/analysis/rule-counts.ts';
import { calculationCases } from './cases-calculations.ts';
import { numberCases } from './cases-numbers.ts';
import { flowCases } from './cases-flow.ts';
import { hostileCases } from './cases-hostile.ts';
import { itemActionCases } from './cases-items.ts';
import { textActionCases } from './cases-actions.ts';
import { textCases } from './cases-text.ts';
import type { Case, Fields } from './case.ts';
import { evaluate, type Item } from './evaluator.ts';
import { answerOf, itemsAfter, shown } from './run-rules.ts';
import { writeSnapshot } from './snapshot-file.ts';

let folder: string;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-cases-'));
  connection = await rawConnection(1);
});

afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true });
});

function itemOf(fields: Fields, index: number): Item {
  const present = Object.entries(fields).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
  );
  return { id: String(index + 1), fields: new Map(present) };
}

/** Checks that the table, the evaluator and DuckDB agree on a case, counts included. */
async function check({ items, rules, expected }: Case): Promise<void> {
  const given = items.map(itemOf);
  const catalogue = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const wanted = expected.flatMap((fields, index) => (fields === 'left' ? [] : [itemOf(fields, index)]));
  const evaluated = evaluate(given, catalogue, rules);
  expect(shown(evaluated.items), 'evaluator').toEqual(shown(wanted));

  const relation = await writeSnapshot(connection, join(folder, 'case.parquet'), given, catalogue);
  const compiled = readRules(rules);
  expect(shown(await itemsAfter(connection, relation, compiled)), 'DuckDB').toEqual(shown(wanted));
  const counts = await answerOf(connection, countRules(relation, compiled));
  expect(counts).toEqual(
    evaluated.rules.map(({ ruleId, pre, post, diff, held, unchanged }) => ({
      ruleId,
      pre,
      post,
      diff,
      held,
      unchanged,
    })),
  );
}

describe('RUL-03 RUL-15 every text operator executes as documented', () => {
  test.each(textCases)('$title', check);
});

describe('RUL-03 RUL-15 every number operator executes as documented', () => {
  test.each(numberCases)('$title', check);
});

describe('RUL-05 RUL-15 every text action executes as documented', () => {
  test.each(textActionCases)('$title', check);
});

describe('RUL-05 RUL-15 every calculation executes as documented', () => {
  test.each(calculationCases)('$title', check);
});

describe('RUL-05 RUL-15 grouping and excluding execute as documented', () => {
  test.each(itemActionCases)('$title', check);
});

describe('RUL-09 GEN-03 rules, conditions and actions run in the documented order', () => {
  test.each([...flowCases, ...hostileCases])('$title', check);
});

test('RUL-03 RUL-05 the case table holds every operator and every action, and at least 300 cases', () => {
  const all = [
    ...textCases,
    ...numberCases,
    ...textActionCases,
    ...calculationCases,
    ...itemActionCases,
    ...flowCases,
    ...hostileCases,
  ];
  expect(all.length).toBeGreaterThanOrEqual(300);
  const operators = new Set(
    all.flatMap(({ rules }) => rules.flatMap(({ querys }) => querys.map(({ select }) => select))),
  );
  const actions = new Set(
    all.flatMap(({ rules }) => rules.flatMap(({ actions: list }) => list.map(({ select }) => select))),
  );
  expect([...operators].toSorted()).toEqual([...OPERATOR_NAMES].toSorted());
  expect([...actions].toSorted()).toEqual([...ACTION_NAMES].toSorted());
});
