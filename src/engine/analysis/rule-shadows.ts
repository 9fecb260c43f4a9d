import { join, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { bitOf, columnOf, packed, packOf } from '#engine/duckdb/aggregates.ts';
import type { RuleColumns } from '#engine/duckdb/compile-rules.ts';
import { serializeCondition } from '#engine/duckdb/conditions.ts';
import { fieldsOf } from '#engine/ir/fields-of.ts';
import type { Condition, Rule } from '#engine/ir/rules.ts';
import type { Program } from '#engine/duckdb/program.ts';
import { hidden } from '#engine/ir/source-key.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { reaches } from './rule-counts.ts';
import { Questions } from './rule-questions.ts';
import type { Cutting } from '#engine/duckdb/rule-batches.ts';
import { walkRules, type Walker, type WalkStep } from './rule-walk.ts';

/**
 * The number of rules above that are examined for each rule that holds on no item: the nearest ones that write a field its
 * conditions read. If many rules hold on no item, fewer for each, because every pair needs its own count.
 */
const CANDIDATES = { each: 20, all: 300 } as const;

/** Why a rule holds on no item; rules are identified by their position in the list. */
export type Shadow = {
  readonly place: number;
  /** Items on which the rule would hold if no rule ran before it. */
  raw: number;
  /** For each condition: the number of items reaching the rule that meet it alone, and together with all conditions before it. */
  readonly conditions: { alone: number; together: number }[];
  /** How many of the `raw` items a rule above excluded, or changed so that the conditions no longer hold. */
  readonly causes: { readonly by: number; readonly kind: 'excludes' | 'changes'; readonly items: number }[];
};

/** Examines, in one pass over the items, the rules at the given positions, which hold on no item that reaches them. */
export function ruleShadows(
  relation: Relation,
  rules: readonly Rule[],
  dead: readonly number[],
  cutting: Cutting,
): WalkStep<Shadow[]>[] {
  const most = Math.max(1, Math.min(CANDIDATES.each, Math.floor(CANDIDATES.all / dead.length)));
  const suspects = dead.flatMap((place, index) => {
    const rule = rules[place];
    return rule ? [{ place, rule, index, candidates: candidatesOf(rules, place, most) }] : [];
  });
  // Rules after the last of them cannot matter.
  const last = dead.reduce((one, other) => Math.max(one, other), -1);
  return walkRules(
    relation,
    rules.slice(0, last + 1),
    (program, from) => shadowsWalker(program, from, suspects),
    cutting,
  );
}

/** Merges the partial results of several batches. */
export function joinShadows(parts: readonly (readonly Shadow[])[]): Map<number, Shadow> {
  const whole = new Map<number, Shadow>();
  for (const { place, raw, conditions, causes } of parts.flat()) {
    const known = whole.get(place);
    whole.set(place, {
      place,
      raw: raw + (known?.raw ?? 0),
      conditions: [...(known?.conditions ?? []), ...conditions],
      causes: [...(known?.causes ?? []), ...causes],
    });
  }
  return whole;
}

type Suspect = {
  readonly place: number;
  readonly rule: Rule;
  /** Index among the suspects. */
  readonly index: number;
  readonly candidates: ReadonlySet<number>;
};

/** Hidden columns that carry, as bits, whether each suspect would hold on the unchanged item. */
const rawKey = (pack: number) => hidden(`raw ${pack}`);

function markRaw(program: Program, suspects: readonly Suspect[]): void {
  const raw = suspects.map(({ rule }) => allOf(rule.conditions, program));
  packed(program, raw).forEach((pack, at) => program.mark(rawKey(at), pack));
}

function rawFlag(program: Program, { index }: Suspect): Sql {
  return bitOf(program.text(rawKey(packOf(index))), index);
}

function shadowsWalker(program: Program, from: number, suspects: readonly Suspect[]): Walker<Shadow[]> {
  const questions = new Questions();
  const shadows = new Map<number, Shadow>(
    suspects.map(({ place }) => [place, { place, raw: 0, conditions: [], causes: [] }]),
  );
  const matched = new Map<number, Sql>();
  const reached: { readonly shadow: Shadow; readonly columns: RuleColumns }[] = [];
  const turned: { readonly shadow: Shadow; readonly by: number; readonly columns: RuleColumns; readonly flag: Sql }[] =
    [];
  if (from === 0) markRaw(program, suspects);
  let rules = 0;
  return {
    before: (place) => {
      for (const one of suspects) {
        if (one.candidates.has(place)) matched.set(one.place, allOf(steady(one.rule), program));
      }
    },
    after: (columns, place) => {
      rules += 1;
      for (const one of suspects) {
        const shadow = shadows.get(one.place);
        if (!shadow) continue;
        if (one.place === place) reached.push({ shadow, columns });
        if (!one.candidates.has(place)) continue;
        const [was, is] = [matched.get(one.place) ?? duck`FALSE`, allOf(steady(one.rule), program)];
        const flag = duck`${rawFlag(program, one)} AND ${columns.holds} AND ${was} AND (${is}) IS NOT TRUE`;
        turned.push({ shadow, by: place, columns, flag });
      }
    },
    ask: () => {
      for (const suspect of suspects) {
        const shadow = shadows.get(suspect.place);
        if (shadow) askLeft(program, questions, { raw: rawFlag(program, suspect), shadow, from, rules });
      }
      for (const { shadow, by, columns, flag } of turned) {
        questions.count(duck`${reaches(program, columns.index)} AND ${flag}`, (items) => {
          if (items > 0) shadow.causes.push({ by, kind: 'changes', items });
        });
      }
      for (const { shadow, columns } of reached) askConditions(program, questions, shadow, columns);
      const { aggregates, tell } = questions.asked(program);
      return {
        aggregates,
        read: (row) => {
          tell(row);
          return [...shadows.values()];
        },
      };
    },
  };
}

/** Counts the unchanged items on which the rule would hold, and which earlier rules exclude them. */
function askLeft(
  program: Program,
  questions: Questions,
  { raw, shadow, from, rules }: { raw: Sql; shadow: Shadow; from: number; rules: number },
): void {
  if (shadow.place < from) return;
  if (from === 0) questions.count(raw, (items) => (shadow.raw += items));
  const left = program.excludedAt();
  if (!left) return;
  const before = Math.min(rules, shadow.place - from);
  questions.histogram(duck`CASE WHEN ${raw} AND ${left} < ${ownNumber(before)} THEN ${left} END`, (found) => {
    for (const [index, items] of found) shadow.causes.push({ by: from + Number(index), kind: 'excludes', items });
  });
}

function askConditions(
  program: Program,
  questions: Questions,
  shadow: Shadow,
  { conditions, index }: RuleColumns,
): void {
  const columns = conditions.map((condition) => columnOf(program, condition));
  columns.forEach((condition, at) => {
    const counts = { alone: 0, together: 0 };
    shadow.conditions.push(counts);
    questions.count(duck`${reaches(program, index)} AND ${condition}`, (items) => (counts.alone = items));
    const all = join(columns.slice(0, at + 1), duck` AND `);
    questions.count(duck`${reaches(program, index)} AND ${all}`, (items) => (counts.together = items));
  });
}

function allOf(conditions: readonly Condition[], program: Program): Sql {
  const serialized = conditions.map((condition) => columnOf(program, serializeCondition(condition, program)));
  return serialized.length === 0 ? duck`TRUE` : columnOf(program, join(serialized, duck` AND `));
}

/** Conditions without those that compare with all items: their result changes with every item that is excluded. */
function steady({ conditions }: Rule): Condition[] {
  return conditions.filter(
    (condition) =>
      !('test' in condition) || (condition.test.kind !== 'inHighest' && condition.test.kind !== 'inLowest'),
  );
}

function candidatesOf(rules: readonly Rule[], place: number, most: number): Set<number> {
  const fields = fieldsOf({ id: '', conditions: rules[place]?.conditions ?? [], changes: [], excludes: false });
  const writers = rules
    .slice(0, place)
    .flatMap(({ changes }, at) => (changes.some(({ field }) => fields === 'all' || fields.has(field)) ? [at] : []));
  return new Set(writers.slice(-most));
}
