import { join, joining, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { BLANK } from '#shared/values/number-text.ts';
import { comparisonHolds } from '#shared/assignments/schema.ts';
import { BLANK_CLASS, boundNumber, INK_CLASS } from './number.ts';
import type { Condition, Operand, Test, TestKind } from '#engine/ir/rules.ts';
import type { Program } from './program.ts';
import { MANY } from './one-of.ts';
import { MISSING } from './relation.ts';
import { alternations, quotedPattern, simpleLower } from '#engine/ir/text.ts';

/** The most entries that are searched one by one in a text; longer lists use a pattern. */
const FEW_ENTRIES = 8;

/**
 * Entries longer than this (in bytes) are not turned into a pattern: an expression of hundreds of thousands of letters does not
 * compile, and would make the run fail for all other rules, too.
 */
const LONG_ENTRY = 4000;

function numbered(operand: Operand<string | undefined>, program: Program): Sql {
  return operand.from === 'field' ? program.number(operand.field) : boundNumber(operand.value);
}

/** The lines of a field as a list, lower-cased; NULL if the field is missing. */
function linesOf(field: string, program: Program): Sql {
  return duck`string_split_regex(${program.lower(field)}, '\r\n|\n|\r')`;
}

function containsAny(text: Sql, entries: readonly string[]): Sql {
  const wanted = entries.map(simpleLower);
  if (wanted.length === 0) return duck`FALSE`;
  if (wanted.length <= FEW_ENTRIES) {
    return join(
      wanted.map((entry) => duck`contains(${text}, ${entry})`),
      duck` OR `,
    );
  }
  const isLong = (entry: string) => Buffer.byteLength(entry) > LONG_ENTRY;
  const patterns = alternations(wanted.filter((entry) => !isLong(entry)).map(quotedPattern));
  return join(
    [
      ...patterns.map((pattern) => duck`regexp_matches(${text}, ${pattern})`),
      ...wanted.filter(isLong).map((entry) => duck`contains(${text}, ${entry})`),
    ],
    duck` OR `,
  );
}

function equalsAny(text: Sql, entries: readonly string[]): Sql {
  const wanted = entries.map(simpleLower);
  if (wanted.length === 0) return duck`FALSE`;
  // An entry is a line and so contains no LF: joining and splitting at LF is safe.
  const list = duck`string_split(${wanted.join('\n')}, chr(10))`;
  if (wanted.length <= MANY) return duck`list_contains(${list}, ${text})`;
  return joining(duck`${text} IN (SELECT unnest(${list}))`);
}

/** `n >= threshold`, where the threshold is the n-th number among all items that remain when the rule is reached. */
function ranked(
  side: 'highest' | 'lowest',
  operand: Operand<number | undefined>,
  field: string,
  program: Program,
): Sql {
  const number = program.number(field);
  const present = program.present();
  const order = side === 'highest' ? duck`DESC` : duck`ASC`;
  if (operand.from === 'field') {
    const count = program.number(operand.field);
    const rank = duck`rank() OVER (PARTITION BY (${number} IS NOT NULL AND ${present}) ORDER BY ${number} ${order})`;
    const place = program.defineWindow(rank);
    return duck`${number} IS NOT NULL AND ${count} BETWEEN 1 AND 1000000000 AND ${count} % 1 = 0 AND ${place} <= ${count}`;
  }
  const count = operand.value;
  if (count === undefined || count < 1) return duck`FALSE`;
  const last = side === 'highest' ? duck`min` : duck`max`;
  const threshold = program.defineThreshold(
    duck`${number}, ${present}`,
    (from) => duck`SELECT ${last}(n) AS value FROM (SELECT ${number} AS n FROM ${from}
      WHERE ${number} IS NOT NULL AND ${present} ORDER BY n ${order} LIMIT ${ownNumber(count)})`,
  );
  return side === 'highest' ? duck`${number} >= ${threshold}` : duck`${number} <= ${threshold}`;
}

type Compare = 'contains' | 'equals' | 'startsWith' | 'endsWith';

/** How the text of an item is compared with the wanted text, both lower-cased. */
const COMPARED: Record<Compare, (text: Sql, wanted: Sql) => Sql> = {
  contains: (text, wanted) => duck`contains(${text}, ${wanted})`,
  equals: (text, wanted) => duck`${text} = ${wanted}`,
  startsWith: (text, wanted) => duck`starts_with(${text}, ${wanted})`,
  endsWith: (text, wanted) => duck`ends_with(${text}, ${wanted})`,
};

const lowerOf = (text: string) => simpleLower(text.toWellFormed());

function compared({ kind, operand }: Test<Compare>, field: string, program: Program): Sql {
  if (operand.from === 'field') return COMPARED[kind](program.lower(field), program.lower(operand.field));
  const { value } = operand;
  if (value === undefined) return COMPARED[kind](program.lower(field), MISSING);
  return program.asked(
    field,
    (text) => COMPARED[kind](program.lowered(text), duck`${simpleLower(value)}`),
    (set) => comparisonHolds(kind, lowerOf(set ?? ''), lowerOf(value)),
  );
}

const INK = new RegExp(`[^${BLANK}]`, 'u');
/** Whether a text is missing or contains only blanks. Most texts begin with a letter, which needs no pattern to detect. */
export const isBlank = (text: Sql) =>
  duck`CASE WHEN ${text} BETWEEN '!' AND '~' THEN FALSE ELSE ${text} IS NULL OR NOT regexp_matches(${text}, ${INK_CLASS}) END`;

type Serialize<K extends TestKind> = (test: Test<K>, field: string, program: Program) => Sql;

/** The SQL of every kind of test: true where it holds, otherwise false or NULL. */
const TESTS: { readonly [K in TestKind]: Serialize<K> } = {
  contains: compared,
  equals: compared,
  startsWith: compared,
  endsWith: compared,
  isEmpty: (_test, field, program) => program.asked(field, isBlank, (set) => !INK.test(set ?? '')),
  longerThan: ({ operand }, field, program) => duck`length(${program.text(field)}) > ${numbered(operand, program)}`,
  moreWordsThan: ({ operand }, field, program) =>
    duck`${wordCount(program.text(field))} > ${numbered(operand, program)}`,
  containsAny: ({ operand }, field, program) => {
    const text = program.lower(field);
    if (operand.from === 'literal') return containsAny(text, operand.value);
    const lines = linesOf(operand.field, program);
    return program.defineLambda(duck`len(list_filter(${lines}, lambda e: e <> '' AND contains(${text}, e))) > 0`);
  },
  equalsAny: ({ operand }, field, program) => {
    const text = program.lower(field);
    if (operand.from === 'literal') return equalsAny(text, operand.value);
    return duck`list_contains(${linesOf(operand.field, program)}, ${text})`;
  },
  greater: ({ operand }, field, program) => duck`${program.number(field)} > ${numbered(operand, program)}`,
  greaterOrEqual: ({ operand }, field, program) => duck`${program.number(field)} >= ${numbered(operand, program)}`,
  less: ({ operand }, field, program) => duck`${program.number(field)} < ${numbered(operand, program)}`,
  lessOrEqual: ({ operand }, field, program) => duck`${program.number(field)} <= ${numbered(operand, program)}`,
  inHighest: ({ operand }, field, program) => ranked('highest', operand, field, program),
  inLowest: ({ operand }, field, program) => ranked('lowest', operand, field, program),
  matches: ({ pattern }, field, program) =>
    pattern === undefined ? duck`FALSE` : duck`regexp_matches(${program.text(field)}, ${pattern})`,
};

/** Counts runs of non-blank letters: replaces each run by one mark, removes the blanks, and takes the length. */
function wordCount(text: Sql): Sql {
  return duck`length(regexp_replace(regexp_replace(${text}, ${`${INK_CLASS}+`}, 'w', 'g'), ${`${BLANK_CLASS}+`}, '', 'g'))`;
}

function serializeTest<K extends TestKind>(test: Test<K>, field: string, program: Program): Sql {
  const positive = TESTS[test.kind](test, field, program);
  return test.negated ? duck`(${positive}) IS NOT TRUE` : duck`(${positive})`;
}

/** Returns SQL for whether a condition holds for an item at this point; NULL counts as false. */
export function serializeCondition(condition: Condition, program: Program): Sql {
  switch (condition.kind) {
    case 'always':
      return duck`TRUE`;
    case 'never':
      return duck`FALSE`;
    case 'field':
      return serializeTest(condition.test, condition.field, program);
    case 'anyField': {
      const { test } = condition;
      const any = program.fields().map((field) => serializeTest(test, field, program));
      return any.length === 0 ? duck`FALSE` : duck`(${join(any, duck` OR `)})`;
    }
  }
}
