import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rawConnection } from './raw-connection.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operator } from '#shared/rules/operators.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { exclusiveConditions } from '#engine/analysis/exclusive-conditions.ts';
import type { Rule as Compiled } from '#engine/ir/rules.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { MOST_STEPS } from '#engine/duckdb/rule-batches.ts';
import { ruleMeetings, ruleOverlaps, type Overlap } from '#engine/analysis/rule-overlaps.ts';
import { joinShadows, ruleShadows } from '#engine/analysis/rule-shadows.ts';
import type { WalkStep } from '#engine/analysis/rule-walk.ts';
import { act, always, rule, when } from './case.ts';
import { evaluate, type Item } from './evaluator.ts';
import { CATALOGUE, items, rules } from './random-rules.ts';
import { rowsOf } from './run-rules.ts';
import { writeSnapshot } from './snapshot-file.ts';

let folder: string;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-findings-'));
  connection = await rawConnection(1);
});

afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true });
});

// Random rules seldom set the same field or test it twice; these do.
const askedOften = fc
  .tuple(
    fc.constantFrom<Operator>(
      'contains',
      'not_contains',
      'is_equal',
      'starts_with',
      'ends_with',
      'is_empty',
      'is_not_empty',
    ),
    fc.constantFrom('a', 'rot', 'ro', 'b'),
  )
  .map(([select, value]) => when('Titel', select, value));
const askedNumber = fc
  .tuple(fc.constantFrom<Operator>('is_greater_than', 'is_less_than', 'is_equal'), fc.constantFrom('5', '9', '-3'))
  .map(([select, value]) => when('menge', select, value));
const setter = fc
  .tuple(
    fc.oneof(
      fc.constant([always()]),
      fc.array(askedOften, { minLength: 1, maxLength: 2 }),
      fc.array(askedNumber, { minLength: 1, maxLength: 2 }),
    ),
    fc.constantFrom('Titel', 'menge', 'neu'),
    fc.constantFrom('a', 'rot', 'Rot', '5', ''),
  )
  .map(([querys, field, value]) => rule(querys, [act(field, 'set', value)]));
const mixed = fc
  .tuple(rules, fc.array(setter, { minLength: 2, maxLength: 8, size: 'max' }))
  .map(([some, setters]) => setters.flatMap((one, at) => [one, ...some.slice(at, at + 1)]));

const RUNS = Number(process.env['KONTOR_RULE_RUNS'] ?? 80);
const table = (index: number) => `cut_${index}`;

async function walked<T>(steps: readonly WalkStep<T>[]): Promise<T[]> {
  const answers: T[] = [];
  for (const { statement, read } of steps) {
    const [row] = await rowsOf(connection, statement);
    if (read) answers.push(read(row ?? {}));
  }
  return answers;
}

/** By the evaluator: the items on which each active rule held, in the order of the rules. */
function heldItems(given: readonly Item[], list: readonly Rule[]): Set<string>[] {
  return evaluate(given, CATALOGUE, list).rules.map(({ rows }) => new Set(rows.map(({ id }) => id)));
}

function overlap(one: Set<string> | undefined, other: Set<string> | undefined): number {
  return [...(one ?? [])].filter((id) => other?.has(id)).length;
}

/** Pairs of rules that set a field one after the other, counted item by item. */
function expectedOverlaps(compiled: readonly Compiled[], held: readonly Set<string>[]): string[] {
  const last = new Map<string, { place: number; value: string | undefined } | undefined>();
  const found = new Map<string, number>();
  const setters = settingPlaces(compiled);
  compiled.forEach((one, place) => {
    for (const field of new Set(one.changes.map((change) => change.field))) {
      const change = one.changes.findLast((made) => made.field === field);
      const setter =
        !one.excludes && change?.kind === 'set' && change.value.from === 'literal' ? change.value : undefined;
      for (const id of held[place] ?? []) {
        const before = last.get(`${field} ${id}`);
        if (setter && before && before.value !== setter.value && (setters.get(field)?.size ?? 0) > 1) {
          const key = `${before.place} ${place} ${field}`;
          found.set(key, (found.get(key) ?? 0) + 1);
        }
        last.set(`${field} ${id}`, setter && { place, value: setter.value });
      }
    }
  });
  return [...found].map(([key, count]) => `${key}: ${count}`).toSorted();
}

function settingPlaces(compiled: readonly Compiled[]): Map<string, Set<string | undefined>> {
  const values = new Map<string, Set<string | undefined>>();
  for (const { changes, excludes } of compiled) {
    if (excludes) continue;
    for (const field of new Set(changes.map((change) => change.field))) {
      const change = changes.findLast((made) => made.field === field);
      if (change?.kind !== 'set' || change.value.from !== 'literal') continue;
      values.set(field, (values.get(field) ?? new Set()).add(change.value.value));
    }
  }
  return values;
}

async function compareOverlaps(relation: Relation, compiled: readonly Compiled[], held: readonly Set<string>[]) {
  const whole = await walked(ruleOverlaps(relation, compiled, 0, { table }));
  const overlaps = whole.flatMap((pass) => pass.overlaps);
  const worded = (list: readonly Overlap[]) =>
    list.map(({ earlier, later, field, items: count }) => `${earlier} ${later} ${field}: ${count}`).toSorted();
  expect(worded(overlaps)).toEqual(expectedOverlaps(compiled, held));
  for (const { place, by, items: count } of whole.flatMap((pass) => pass.overwritten)) {
    const over = new Set(by.flatMap((later) => [...(held[later] ?? [])]));
    expect([place, count]).toEqual([place, overlap(held[place], over)]);
  }
  const cut = await walked(ruleOverlaps(relation, compiled, 0, { table, most: 6 }));
  expect(worded(cut.flatMap((pass) => pass.overlaps))).toEqual(worded(overlaps));
  const counted = new Map(
    whole.flatMap((pass) => pass.overwritten).map((one) => [`${one.place} ${one.field}`, one.items]),
  );
  for (const one of cut.flatMap((pass) => pass.overwritten)) {
    expect(one.items).toBeLessThanOrEqual(counted.get(`${one.place} ${one.field}`) ?? 0);
  }
  for (const most of [MOST_STEPS, 6]) {
    for (const { earlier, later, items: both } of (
      await walked(ruleMeetings(relation, compiled, overlaps, { table, most }))
    ).flat()) {
      expect([earlier, later, both]).toEqual([earlier, later, overlap(held[earlier], held[later])]);
    }
  }
  return overlaps.length;
}

async function compareShadows(given: readonly Item[], list: readonly Rule[], relation: Relation): Promise<number> {
  const active = list.filter((one) => one.active);
  const truth = evaluate(given, CATALOGUE, active);
  const compiled = readRules(list);
  const dead = truth.rules.flatMap(({ held }, place) => (held === 0 ? [place] : []));
  if (dead.length === 0) return 0;
  for (const most of [MOST_STEPS, 6]) {
    const shadows = joinShadows(await walked(ruleShadows(relation, compiled, dead, { table, most })));
    for (const place of dead) {
      const counted = active[place];
      const shadow = shadows.get(place);
      if (!counted) continue;
      const raw = new Set(evaluate(given, CATALOGUE, [counted]).rules[0]?.rows.map(({ id }) => id));
      expect([place, shadow?.raw]).toEqual([place, raw.size]);
      const alone = counted.querys.map((condition) => {
        return evaluate(given, CATALOGUE, [...active.slice(0, place), { ...counted, querys: [condition] }]).rules.at(-1)
          ?.held;
      });
      expect(shadow?.conditions.map((one) => one.alone)).toEqual(alone);
      const left = truth.rules.slice(0, place).flatMap(({ rows, ruleId }, at) => {
        const excludes = compiled.find(({ id }) => id === ruleId)?.excludes === true;
        const gone = excludes ? rows.filter(({ id }) => raw.has(id)).length : 0;
        return gone > 0 ? [[at, gone]] : [];
      });
      const causes = shadow?.causes
        .filter(({ kind }) => kind === 'excludes')
        .map(({ by, items: count }) => [by, count]);
      expect(causes?.toSorted(([one = 0], [other = 0]) => one - other)).toEqual(left);
    }
  }
  return dead.length;
}

test(
  'RUL-15 random rules: overlapping, overwritten and shadowed rules equal the reference evaluator, in batches too',
  { timeout: 60_000 + RUNS * 2_000 },
  async () => {
    let [overlaps, dead, exclusive] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(items, mixed, async (given, list) => {
        const relation = await writeSnapshot(connection, join(folder, 'findings.parquet'), given, CATALOGUE);
        overlaps += await compareOverlaps(relation, readRules(list), heldItems(given, list));
        dead += await compareShadows(given, list, relation);
        for (const one of list) {
          const pair = exclusiveConditions(readRules([one], one.id)[0]?.conditions ?? []);
          if (!pair) continue;
          exclusive += 1;
          const querys = pair.map((at) => one.querys[at]).filter((condition) => condition !== undefined);
          expect(evaluate(given, CATALOGUE, [rule(querys, [])]).rules[0]?.held).toBe(0);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    console.info(`${overlaps} overlaps, ${dead} rules that hold nowhere, ${exclusive} pairs of conditions proven`);
    expect(Math.min(overlaps, dead, exclusive)).toBeGreaterThan(RUNS / 10);
  },
);
