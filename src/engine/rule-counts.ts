import { join, name, namesIn, ownNumber, sql, type Sql, type Statement } from '#platform/sql.ts';
import { rulesProgram, type RuleColumns } from './compile-rules.ts';
import type { Rule } from './ir.ts';
import { layered } from './layers.ts';
import type { Program } from './program.ts';
import { query, ROW, type Relation } from './relation.ts';

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

/**
 * The counts of one rule. Rules behind it are not computed, nor whatever it and the rules before it do not need.
 * `first`: the places (`row`) of the first `sample` items on which it holds, for `ruleRows`.
 */
export function countRule(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
  { sample = 0 }: { sample?: number } = {},
): Asked<RuleCount & { readonly first: readonly number[] }> {
  const { program, columns } = upTo(relation, rules, ruleId);
  const held = sql`${reaches(program, columns.index)} AND ${columns.holds}`;
  return {
    statement: countStatement(program, [columns], sample > 0 ? [sql`${firstRows(held, sample)} AS first`] : []),
    read: (row) => ({
      ...readCount(row, 0, columns.rule, count(row['reached'])),
      first: readNumbers(row['first']),
    }),
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
export function touches({ rule, holds, written }: RuleColumns): Sql {
  if (rule.excludes) return holds;
  if (written.length === 0) return sql`FALSE`;
  const differs = written.map(({ before, after }) => sql`${before} IS DISTINCT FROM ${after}`);
  // CASE: texts are compared only where the rule holds.
  return sql`CASE WHEN ${holds} THEN ${join(differs, sql` OR `)} END`;
}

/** Flags of many rules travel as bits of one column: a column each would be carried through every step. */
const BITS = 60;
const UNPACKED = 120;

/** The flags as conditions that are cheap to carry to the last step. */
function carried(program: Program, flags: readonly Sql[]): Sql[] {
  if (flags.length <= UNPACKED) return flags.map((flag) => columnOf(program, flag));
  const packs: Sql[] = [];
  for (let from = 0; from < flags.length; from += BITS) {
    const bits = flags
      .slice(from, from + BITS)
      .map((flag, bit) => sql`CASE WHEN ${flag} THEN ${power(bit)} ELSE 0 END`);
    packs.push(program.define(join(bits, sql` + `)));
  }
  return flags.map((_, index) => sql`(${packs[Math.floor(index / BITS)] ?? sql`0`} & ${power(index % BITS)}) <> 0`);
}

/** A flag as a column; TRUE, FALSE and what is one already stay as they are. */
export function columnOf(program: Program, flag: Sql): Sql {
  return namesIn(flag).size === 0 || (flag.pieces.length === 1 && namesIn(flag).size === 1)
    ? flag
    : program.define(flag);
}

function power(bit: number): Sql {
  return sql`CAST(${ownNumber(2 ** (bit % 30))} AS BIGINT) * ${ownNumber(2 ** (bit - (bit % 30)))}`;
}

/**
 * The counts of the asked rules as aggregates over a program's items (`countsOf` reads them), and `more` of them. Flags of
 * many rules are packed.
 */
export function countStatement(program: Program, asked: readonly RuleColumns[], more: readonly Sql[] = []): Statement {
  const flags = carried(
    program,
    asked.flatMap((columns) => [columns.holds, touches(columns), ...columns.unchanged]),
  );
  let next = 0;
  const counts = asked.map(({ index, unchanged }) => {
    const countIf = () => sql`count(*) FILTER (${reaches(program, index)} AND ${flags[next++] ?? sql`FALSE`})`;
    return { held: countIf(), touched: countIf(), unchanged: join([sql`0`, ...unchanged.map(countIf)], sql` + `) };
  });
  const list = (part: 'held' | 'touched' | 'unchanged') => listOf(counts.map((one) => one[part]));
  const reached = sql`count(*) FILTER (${reaches(program, asked[0]?.index ?? 0)})`;
  const own = [
    sql`count(*) AS total`,
    sql`${reached} AS reached`,
    sql`${list('held')} AS held`,
    sql`${list('touched')} AS touched`,
    sql`${list('unchanged')} AS unchanged`,
  ];
  const body = join([...own, ...more], sql`, `);
  const { relation: done, place } = layered(program, [body]);
  return query(done, sql`SELECT ${place(body)} FROM ${name(done.from)}`);
}

/** A list of numbers or texts in one column; DuckDB cannot tell the type of an empty one. */
function listOf(values: readonly Sql[]): Sql {
  return values.length === 0 ? sql`CAST([] AS BIGINT[])` : sql`[${join(values, sql`, `)}]`;
}

/** Counts of items as one column of the answer. */
export function countsOfItems(conditions: readonly Sql[]): Sql {
  return listOf(conditions.map((condition) => sql`count(*) FILTER (${condition})`));
}

/** The places of the first `most` items on which a condition holds. */
export function firstRows(condition: Sql, most: number): Sql {
  return sql`min(${ROW}, ${ownNumber(most)}) FILTER (${condition})`;
}

/** A list of counts or places as DuckDB gives it; none where there was no item. */
export function readNumbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(count) : [];
}

/** A number that DuckDB counted. */
export function count(value: unknown): number {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
  throw new Error('Not a count');
}

function at(value: unknown, index: number): number {
  return Array.isArray(value) ? count(value[index]) : count(undefined);
}

/** The counts of the asked rule at `index`; `pre` items reach it. */
export function readCount(row: Readonly<Record<string, unknown>>, index: number, rule: Rule, pre: number): RuleCount {
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
