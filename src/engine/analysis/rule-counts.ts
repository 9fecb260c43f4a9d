import { join, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import {
  aggregateStatement,
  carried,
  count,
  countAt,
  firstRows,
  itemsOn,
  listOf,
  readNumbers,
  type Query,
} from '#engine/duckdb/aggregates.ts';
import { rulesProgram, type RuleColumns } from '#engine/duckdb/compile-rules.ts';
import type { Rule } from '#engine/ir/rules.ts';
import type { Program } from '#engine/duckdb/program.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import type { Cutting } from '#engine/duckdb/rule-batches.ts';
import { walkRules, type Walker, type WalkStep } from './rule-walk.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Counts of one rule (RUL-11): `pre` items reach the rule, `post` leave it, `diff` were changed or excluded. `held`: items on
 * which its conditions hold; `unchanged`: calculations that could not be done (no number, division by zero, out of range).
 */
export type RuleCount = {
  readonly ruleId: string;
  readonly pre: number;
  readonly post: number;
  readonly diff: number;
  readonly held: number;
  readonly unchanged: number;
};

/** The counts of every rule, in one pass over the items. For lists of any length: `countRulesInBatches`. */
export function countRules(relation: Relation, rules: readonly Rule[]): Query<RuleCount[]> {
  const { program, rules: columns } = rulesProgram(relation, rules);
  const { aggregates, read } = countsOf(program, columns);
  return { statement: aggregateStatement(program, aggregates), read };
}

/** The counts of every rule of a list of any length; the results of the steps, concatenated, cover all rules. */
export function countRulesInBatches(
  relation: Relation,
  rules: readonly Rule[],
  cutting: Cutting,
): WalkStep<RuleCount[]>[] {
  const walker = (program: Program): Walker<RuleCount[]> => {
    const columns: RuleColumns[] = [];
    return { after: (rule) => columns.push(rule), ask: () => countsOf(program, columns) };
  };
  return walkRules(relation, rules, walker, cutting);
}

/**
 * The counts of one rule. Later rules are not computed, nor anything that this rule and those before it do not need. `first`: the
 * row numbers (`row`) of the first `sample` items on which it holds, for `ruleRows`.
 */
export function countRule(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
  { sample = 0 }: { sample?: number } = {},
): Query<RuleCount & { readonly first: readonly number[] }> {
  const { program, columns } = upTo(relation, rules, ruleId);
  const { aggregates, read } = countsOf(program, [columns]);
  const held = duck`${reaches(program, columns.index)} AND ${columns.holds}`;
  const first = sample > 0 ? [duck`${firstRows(held, sample)} AS first`] : [];
  return {
    statement: aggregateStatement(program, [...aggregates, ...first]),
    read: (row) => ({ ...only(read(row)), first: readNumbers(row['first']) }),
  };
}

/** Returns the first of the counts; throws if there is none. */
export function only(counts: readonly RuleCount[]): RuleCount {
  const [one] = counts;
  if (!one) throw new Error('No rule was counted');
  return one;
}

/** Compiles the rules up to the given one; returns the program and that rule's columns. An unknown id throws: a caller's bug. */
export function upTo(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
): { program: Program; columns: RuleColumns } {
  const index = rules.findIndex(({ id }) => id === ruleId);
  const compiled = rulesProgram(relation, rules.slice(0, index + 1));
  const columns = compiled.rules[index];
  if (!columns) throw new Error(`No such rule: ${ruleId}`);
  return { program: compiled.program, columns };
}

/** Whether an item still remains when the rule at `index` is reached. */
export function reaches(program: Program, index: number): Sql {
  const left = program.excludedAt();
  return left ? duck`(${left} IS NULL OR ${left} >= ${ownNumber(index)})` : duck`TRUE`;
}

/** Whether the rule changes or excludes an item that reaches it. */
export function touches({ rule, holds, written }: RuleColumns): Sql {
  if (rule.excludes) return holds;
  if (written.length === 0) return duck`FALSE`;
  const differs = written.map(({ before, after }) => duck`${before} IS DISTINCT FROM ${after}`);
  // CASE, so that DuckDB compares the texts only where the rule holds.
  return duck`CASE WHEN ${holds} THEN ${join(differs, duck` OR `)} END`;
}

/** The counts of rules as aggregates over the items of their program, and a function that reads them from the result row. */
export type Counted = { readonly aggregates: readonly Sql[]; readonly read: (row: Row) => RuleCount[] };

/** Returns the counts of the given rules. Flags of many rules are packed into a few columns. */
export function countsOf(program: Program, rules: readonly RuleColumns[]): Counted {
  const flags = carried(
    program,
    rules.flatMap((columns) => [columns.holds, touches(columns), ...columns.unchanged]),
  );
  let next = 0;
  const counts = rules.map(({ index, unchanged }) => {
    const countIf = () => itemsOn(duck`${reaches(program, index)} AND ${flags[next++] ?? duck`FALSE`}`);
    return { held: countIf(), touched: countIf(), unchanged: join([duck`0`, ...unchanged.map(countIf)], duck` + `) };
  });
  const list = (part: 'held' | 'touched' | 'unchanged') => listOf(counts.map((one) => one[part]));
  return {
    aggregates: [
      duck`${itemsOn(reaches(program, rules[0]?.index ?? 0))} AS reached`,
      duck`${list('held')} AS held`,
      duck`${list('touched')} AS touched`,
      duck`${list('unchanged')} AS unchanged`,
    ],
    read: (row) => {
      let pre = count(row['reached']);
      return rules.map(({ rule }, at) => {
        const counted = readCount(row, at, rule, pre);
        pre = counted.post;
        return counted;
      });
    },
  };
}

/** Reads the counts of the rule at `index` of the counted rules; `pre` items reach it. */
function readCount(row: Row, index: number, rule: Rule, pre: number): RuleCount {
  const held = countAt(row['held'], index);
  return {
    ruleId: rule.id,
    pre,
    post: rule.excludes ? pre - held : pre,
    diff: countAt(row['touched'], index),
    held,
    unchanged: countAt(row['unchanged'], index),
  };
}
