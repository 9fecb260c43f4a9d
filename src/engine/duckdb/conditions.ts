import { join, ownNumber, sql, type Sql } from '#platform/duckdb/sql.ts';
import { BLANK_CLASS, boundNumber, INK_CLASS } from './number.ts';
import type { Condition, Operand, Test, TestKind } from '#engine/ir/rules.ts';
import type { Program } from './program.ts';
import { MISSING } from './relation.ts';
import { alternations, quotedPattern, simpleLower } from '#engine/ir/text.ts';

/** Up to so many entries a list is compared one by one; longer ones by a pattern or a hash table. */
const FEW_ENTRIES = 8;

/** An item's text operand, lower-cased. */
function lowered(operand: Operand<string | undefined>, program: Program): Sql {
  if (operand.from === 'field') return program.lower(operand.field);
  return operand.value === undefined ? MISSING : sql`${simpleLower(operand.value)}`;
}

function numbered(operand: Operand<string | undefined>, program: Program): Sql {
  return operand.from === 'field' ? program.number(operand.field) : boundNumber(operand.value);
}

/** The lines of a field as a list, lower-cased; missing gives NULL. */
function linesOf(field: string, program: Program): Sql {
  return sql`string_split_regex(${program.lower(field)}, '\r\n|\n|\r')`;
}

function containsAny(text: Sql, entries: readonly string[]): Sql {
  const wanted = entries.map(simpleLower);
  if (wanted.length === 0) return sql`FALSE`;
  if (wanted.length <= FEW_ENTRIES) {
    return join(
      wanted.map((entry) => sql`contains(${text}, ${entry})`),
      sql` OR `,
    );
  }
  return join(
    alternations(wanted.map(quotedPattern)).map((pattern) => sql`regexp_matches(${text}, ${pattern})`),
    sql` OR `,
  );
}

function equalsAny(text: Sql, entries: readonly string[]): Sql {
  const wanted = entries.map(simpleLower);
  if (wanted.length === 0) return sql`FALSE`;
  if (wanted.length <= FEW_ENTRIES) {
    return sql`${text} IN (${join(
      wanted.map((entry) => sql`${entry}`),
      sql`, `,
    )})`;
  }
  // An entry is a line, so LF separates entries and nothing else.
  return sql`${text} IN (SELECT unnest(string_split(${wanted.join('\n')}, chr(10))))`;
}

/** `n >= threshold` where the threshold is the n-th number of all items that are there when the rule is reached. */
function ranked(
  side: 'highest' | 'lowest',
  operand: Operand<number | undefined>,
  field: string,
  program: Program,
): Sql {
  const number = program.number(field);
  const present = program.present();
  const order = side === 'highest' ? sql`DESC` : sql`ASC`;
  if (operand.from === 'field') {
    const count = program.number(operand.field);
    const rank = sql`rank() OVER (PARTITION BY (${number} IS NOT NULL AND ${present}) ORDER BY ${number} ${order})`;
    const place = program.defineWindow(rank);
    return sql`${number} IS NOT NULL AND ${count} BETWEEN 1 AND 1000000000 AND ${count} % 1 = 0 AND ${place} <= ${count}`;
  }
  const count = operand.value;
  if (count === undefined || count < 1) return sql`FALSE`;
  const last = side === 'highest' ? sql`min` : sql`max`;
  const threshold = program.defineThreshold(
    sql`${number}, ${present}`,
    (from) => sql`SELECT ${last}(n) AS value FROM (SELECT ${number} AS n FROM ${from}
      WHERE ${number} IS NOT NULL AND ${present} ORDER BY n ${order} LIMIT ${ownNumber(count)})`,
  );
  return side === 'highest' ? sql`${number} >= ${threshold}` : sql`${number} <= ${threshold}`;
}

type Spell<K extends TestKind> = (test: Test<K>, field: string, program: Program) => Sql;

/** DuckDB's words for every kind of test: true where it holds, false or NULL where not. */
const TESTS: { readonly [K in TestKind]: Spell<K> } = {
  contains: ({ operand }, field, program) => sql`contains(${program.lower(field)}, ${lowered(operand, program)})`,
  equals: ({ operand }, field, program) => sql`${program.lower(field)} = ${lowered(operand, program)}`,
  startsWith: ({ operand }, field, program) => sql`starts_with(${program.lower(field)}, ${lowered(operand, program)})`,
  endsWith: ({ operand }, field, program) => sql`ends_with(${program.lower(field)}, ${lowered(operand, program)})`,
  isEmpty: (_test, field, program) =>
    sql`${program.text(field)} IS NULL OR NOT regexp_matches(${program.text(field)}, ${INK_CLASS})`,
  longerThan: ({ operand }, field, program) => sql`length(${program.text(field)}) > ${numbered(operand, program)}`,
  moreWordsThan: ({ operand }, field, program) =>
    sql`${wordCount(program.text(field))} > ${numbered(operand, program)}`,
  containsAny: ({ operand }, field, program) => {
    const text = program.lower(field);
    if (operand.from === 'literal') return containsAny(text, operand.value);
    return sql`len(list_filter(${linesOf(operand.field, program)}, lambda e: e <> '' AND contains(${text}, e))) > 0`;
  },
  equalsAny: ({ operand }, field, program) => {
    const text = program.lower(field);
    if (operand.from === 'literal') return equalsAny(text, operand.value);
    return sql`list_contains(${linesOf(operand.field, program)}, ${text})`;
  },
  greater: ({ operand }, field, program) => sql`${program.number(field)} > ${numbered(operand, program)}`,
  greaterOrEqual: ({ operand }, field, program) => sql`${program.number(field)} >= ${numbered(operand, program)}`,
  less: ({ operand }, field, program) => sql`${program.number(field)} < ${numbered(operand, program)}`,
  lessOrEqual: ({ operand }, field, program) => sql`${program.number(field)} <= ${numbered(operand, program)}`,
  inHighest: ({ operand }, field, program) => ranked('highest', operand, field, program),
  inLowest: ({ operand }, field, program) => ranked('lowest', operand, field, program),
  matches: ({ pattern }, field, program) =>
    pattern === undefined ? sql`FALSE` : sql`regexp_matches(${program.text(field)}, ${pattern})`,
};

/** Runs of letters that are no blanks: what is left of the text when each run shrinks to one mark and blanks vanish. */
function wordCount(text: Sql): Sql {
  return sql`length(regexp_replace(regexp_replace(${text}, ${`${INK_CLASS}+`}, 'w', 'g'), ${`${BLANK_CLASS}+`}, '', 'g'))`;
}

function spellTest<K extends TestKind>(test: Test<K>, field: string, program: Program): Sql {
  const positive = TESTS[test.kind](test, field, program);
  return test.negated ? sql`(${positive}) IS NOT TRUE` : sql`(${positive})`;
}

/** Whether a condition holds for an item as it is now; NULL is as good as false. */
export function spellCondition(condition: Condition, program: Program): Sql {
  switch (condition.kind) {
    case 'always':
      return sql`TRUE`;
    case 'never':
      return sql`FALSE`;
    case 'field':
      return spellTest(condition.test, condition.field, program);
    case 'anyField': {
      const { test } = condition;
      const any = program.fields().map((field) => spellTest(test, field, program));
      return any.length === 0 ? sql`FALSE` : sql`(${join(any, sql` OR `)})`;
    }
  }
}
