import { join, name, ownNumber, sql, type Sql, type Statement } from '#platform/sql.ts';
import { rulesProgram, type RuleColumns } from './compile-rules.ts';
import type { Rule } from './ir.ts';
import { layered } from './layers.ts';
import type { Program } from './program.ts';
import { query, type Relation } from './relation.ts';

/**
 * RUL-11: `pre` items reach the rule, `post` leave it, `diff` were changed or excluded. `held`: its conditions hold;
 * `unchanged`: calculations that could not be done (no number, division by zero, out of range).
 */
export type RuleCount = {
  readonly ruleId: string;
  readonly pre: number;
  readonly post: number;
  readonly diff: number;
  readonly held: number;
  readonly unchanged: number;
};

/** A statement and how its single row is read. */
export type Asked<T> = { readonly statement: Statement; readonly read: (row: Readonly<Record<string, unknown>>) => T };

/** The counts of every rule, in one pass over the items. */
export function countRules(relation: Relation, rules: readonly Rule[]): Asked<RuleCount[]> {
  const { program, rules: columns } = rulesProgram(relation, rules);
  return {
    statement: countStatement(program, columns),
    read: (row) => {
      let pre = count(row['total']);
      return columns.map(({ rule }, at) => {
        const counted = readCount(row, at, rule, pre);
        pre = counted.post;
        return counted;
      });
    },
  };
}

/** The counts of one rule. Rules behind it are not computed, nor whatever it and the rules before it do not need. */
export function countRule(relation: Relation, rules: readonly Rule[], ruleId: string): Asked<RuleCount> {
  const { program, columns } = upTo(relation, rules, ruleId);
  return {
    statement: countStatement(program, [columns]),
    read: (row) => readCount(row, 0, columns.rule, count(row['reached'])),
  };
}

/** The program of the rules until the asked one, and that one's columns. An unknown id is a bug of the caller. */
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

/** Whether an item is still there when the rule is reached. */
export function reaches(program: Program, index: number): Sql {
  const left = program.leftAt();
  return left ? sql`(${left} IS NULL OR ${left} >= ${ownNumber(index)})` : sql`TRUE`;
}

/** Whether the rule changes or excludes an item that reaches it. */
function touches({ rule, holds, written }: RuleColumns): Sql {
  if (rule.excludes) return holds;
  if (written.length === 0) return sql`FALSE`;
  const differs = written.map(({ before, after }) => sql`${before} IS DISTINCT FROM ${after}`);
  return sql`${holds} AND (${join(differs, sql` OR `)})`;
}

function countStatement(program: Program, asked: readonly RuleColumns[]): Statement {
  const countIf = (condition: Sql) => sql`count(*) FILTER (${condition})`;
  const list = (counts: readonly Sql[]) => sql`[${join(counts, sql`, `)}]`;
  const held = asked.map(({ index, holds }) => countIf(sql`${reaches(program, index)} AND ${holds}`));
  const touched = asked.map((columns) => countIf(sql`${reaches(program, columns.index)} AND ${touches(columns)}`));
  const unchanged = asked.map(({ index, unchanged: marks }) =>
    marks.length === 0
      ? sql`0`
      : join(
          marks.map((mark) => countIf(sql`${reaches(program, index)} AND ${mark}`)),
          sql` + `,
        ),
  );
  const reached = countIf(reaches(program, asked[0]?.index ?? 0));
  const body = sql`count(*) AS total, ${reached} AS reached, ${list(held)} AS held, ${list(touched)} AS touched, ${list(unchanged)} AS unchanged`;
  const { relation: done, place } = layered(program, [body]);
  return query(done, sql`SELECT ${place(body)} FROM ${name(done.from)}`);
}

/** A number that DuckDB counted. */
function count(value: unknown): number {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
  throw new Error('Not a count');
}

function at(value: unknown, index: number): number {
  return Array.isArray(value) ? count(value[index]) : count(undefined);
}

function readCount(row: Readonly<Record<string, unknown>>, index: number, rule: Rule, pre: number): RuleCount {
  const held = at(row['held'], index);
  return {
    ruleId: rule.id,
    pre,
    post: rule.excludes ? pre - held : pre,
    diff: at(row['touched'], index),
    held,
    unchanged: at(row['unchanged'], index),
  };
}
