import { join, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import { columnOf } from '#engine/duckdb/aggregates.ts';
import type { RuleColumns } from '#engine/duckdb/compile-rules.ts';
import { fieldsRead } from '#engine/ir/fields-of.ts';
import type { Change, Rule } from '#engine/ir/rules.ts';
import type { Program } from '#engine/duckdb/program.ts';
import { hidden } from '#engine/ir/source-key.ts';
import { MISSING, type Relation } from '#engine/duckdb/relation.ts';
import { countsOf, reaches, type RuleCount } from './rule-counts.ts';
import { Questions } from './rule-questions.ts';
import type { Cutting } from '#engine/duckdb/rule-batches.ts';
import { walkRules, type Walker, type WalkStep } from './rule-walk.ts';

/** The number of items on which a field that a rule wrote is written again by one of the rules `by` before any rule reads it. */
export type Overwritten = {
  readonly place: number;
  readonly field: string;
  readonly by: readonly number[];
  readonly items: number;
};

/** Items on which two rules set the same field to different texts (undefined: empty), with no rule in between setting it. */
export type Overlap = {
  readonly earlier: number;
  readonly later: number;
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly items: number;
};

/** The counts of some rules and how these rules overlap with others; rules are identified by their position in the list. */
export type Overlaps = {
  readonly counts: readonly RuleCount[];
  readonly overwritten: readonly Overwritten[];
  readonly overlaps: readonly Overlap[];
};

/** The text that a rule finally sets a field to, if it is the same for all items; undefined empties the field. */
type Setter = { readonly value: string | undefined };

type Plan = {
  readonly overwritten: readonly Omit<Overwritten, 'items'>[];
  /** By field and by position: the rules that set the field to a text. Only fields that are set to more than one text. */
  readonly setters: ReadonlyMap<string, ReadonlyMap<number, Setter>>;
};

/**
 * Counts every rule from `from` on and finds which of them overwrite each other, in one pass over the items. In a very long list
 * that runs in batches, overwriting across batches is counted only for items that still remain.
 */
export function ruleOverlaps(
  relation: Relation,
  rules: readonly Rule[],
  from: number,
  cutting: Cutting,
): WalkStep<Overlaps>[] {
  const plan = { overwritten: overwriting(rules, from), setters: settersOf(rules, from) };
  return walkRules(relation, rules, (program) => overlapsWalker(program, plan), cutting);
}

function overlapsWalker(program: Program, plan: Plan): Walker<Overlaps> {
  const columns: RuleColumns[] = [];
  const places = new Map<number, RuleColumns>();
  const questions = new Questions();
  const overlaps: Overlap[] = [];
  const overwritten: Overwritten[] = [];
  return {
    after: (rule, place) => {
      columns.push(rule);
      places.set(place, rule);
      for (const [field, setters] of plan.setters)
        askSetter(program, questions, { field, setters, rule, place }, overlaps);
    },
    ask: () => {
      for (const one of plan.overwritten) askOverwritten(program, questions, one, places, overwritten);
      const counted = countsOf(program, columns);
      const answers = questions.asked(program);
      return {
        aggregates: [...counted.aggregates, ...answers.aggregates],
        read: (row) => {
          answers.tell(row);
          return { counts: counted.read(row), overwritten, overlaps };
        },
      };
    },
  };
}

/** Counts overlaps with the previous setter of the field, whose position is carried along in a hidden column. */
function askSetter(
  program: Program,
  questions: Questions,
  {
    field,
    setters,
    rule,
    place,
  }: { field: string; setters: ReadonlyMap<number, Setter>; rule: RuleColumns; place: number },
  overlaps: Overlap[],
): void {
  if (!rule.written.some((written) => written.field === field)) return;
  const key = hidden(`set ${field}`);
  const last = program.text(key);
  const setter = setters.get(place);
  if (setter && last !== MISSING) {
    const lastMatch = program.define(duck`CASE WHEN ${program.present()} AND ${rule.holds} THEN ${last} END`);
    questions.histogram(lastMatch, (found) => {
      for (const [other, items] of found) {
        const earlier = Number(other);
        const from = setters.get(earlier)?.value;
        if (from !== setter.value) overlaps.push({ earlier, later: place, field, from, to: setter.value, items });
      }
    });
  }
  const mine = setter ? ownText(String(place)) : MISSING;
  program.mark(key, program.define(duck`CASE WHEN ${rule.holds} THEN ${mine} ELSE ${last} END`));
}

/** Counts the items on which the rule and one of the others held; across batches both are carried as hidden columns. */
function askOverwritten(
  program: Program,
  questions: Questions,
  one: Omit<Overwritten, 'items'>,
  places: ReadonlyMap<number, RuleColumns>,
  overwritten: Overwritten[],
): void {
  const heldKey = hidden(`held ${one.place}`);
  const overKey = hidden(`over ${one.place} ${one.field}`);
  const rule = places.get(one.place);
  const held = rule ? rule.holds : program.text(heldKey);
  if (held === MISSING) return;
  const here = one.by.map((place) => places.get(place)).filter((found) => found !== undefined);
  const before = program.text(overKey);
  const parts: Sql[] = here.map((later) => duck`(${reaches(program, later.index)} AND ${later.holds})`);
  if (before !== MISSING) parts.push(duck`(${before} IS TRUE)`);
  if (parts.length === 0) {
    program.mark(heldKey, columnOf(program, held));
    return;
  }
  const over = program.define(join(parts, duck` OR `));
  program.mark(heldKey, columnOf(program, held));
  program.mark(overKey, over);
  const last = one.by.at(-1);
  if (last !== undefined && places.has(last)) {
    questions.count(duck`${held} AND ${over}`, (items) => overwritten.push({ ...one, items }));
  }
}

/** For pairs of rules, the number of items on which both hold. */
export function ruleMeetings(
  relation: Relation,
  rules: readonly Rule[],
  pairs: readonly { readonly earlier: number; readonly later: number }[],
  cutting: Cutting,
): WalkStep<{ earlier: number; later: number; items: number }[]>[] {
  const earlier = new Set(pairs.map((pair) => pair.earlier));
  const last = pairs.reduce((most, { later }) => Math.max(most, later), -1);
  const walker = (program: Program): Walker<{ earlier: number; later: number; items: number }[]> => {
    const questions = new Questions();
    const matches: { earlier: number; later: number; items: number }[] = [];
    const pending: (() => void)[] = [];
    return {
      after: (rule, place) => {
        if (earlier.has(place)) program.mark(hidden(`met ${place}`), columnOf(program, rule.holds));
        for (const pair of pairs) {
          if (pair.later !== place) continue;
          const both = duck`${program.text(hidden(`met ${pair.earlier}`))} AND ${rule.holds}`;
          pending.push(() => {
            questions.count(duck`${reaches(program, rule.index)} AND ${both}`, (items) =>
              matches.push({ ...pair, items }),
            );
          });
        }
      },
      ask: () => {
        pending.forEach((ask) => ask());
        const { aggregates, tell } = questions.asked(program);
        return {
          aggregates,
          read: (row) => {
            tell(row);
            return matches;
          },
        };
      },
    };
  };
  return walkRules(relation, rules.slice(0, last + 1), walker, cutting);
}

/**
 * For every rule from `from` on and each field it writes, the later rules that replace the field's value regardless of what it
 * was, up to the first rule that reads it. A rule is listed only if all of its fields are overwritten.
 */
function overwriting(rules: readonly Rule[], from: number): Omit<Overwritten, 'items'>[] {
  const reads = rules.map(fieldsRead);
  return rules.flatMap((rule, place) => {
    if (place < from || rule.excludes || rule.changes.length === 0) return [];
    const fields = [...new Set(rule.changes.map(({ field }) => field))];
    const found = fields.map((field) => ({ place, field, by: overwriters(rules, reads, place, field) }));
    return found.every(({ by }) => by.length > 0) ? found : [];
  });
}

function overwriters(
  rules: readonly Rule[],
  reads: readonly (ReadonlySet<string> | 'all')[],
  place: number,
  field: string,
): number[] {
  const by: number[] = [];
  for (let later = place + 1; later < rules.length; later += 1) {
    const read = reads[later];
    if (read === undefined || read === 'all' || read.has(field)) break;
    const rule = rules[later];
    if (rule && !rule.excludes && rule.changes.some((change) => change.field === field && replacesAll(change)))
      by.push(later);
  }
  return by;
}

/** Whether a change gives every item a value that does not depend on the old one. */
function replacesAll({ kind }: Change): boolean {
  return kind === 'set' || kind === 'combine';
}

function settersOf(rules: readonly Rule[], from: number): Map<string, Map<number, Setter>> {
  const byField = new Map<string, Map<number, Setter>>();
  rules.forEach((rule, place) => {
    if (place < from || rule.excludes) return;
    for (const change of rule.changes) {
      const setters = byField.get(change.field) ?? new Map<number, Setter>();
      if (change.kind === 'set' && change.value.from === 'literal') setters.set(place, { value: change.value.value });
      else setters.delete(place);
      byField.set(change.field, setters);
    }
  });
  const several = [...byField].filter(
    ([, setters]) => new Set([...setters.values()].map(({ value }) => value)).size > 1,
  );
  return new Map(several);
}
