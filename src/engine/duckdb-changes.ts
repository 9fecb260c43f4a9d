import { join, ownNumber, sql, type Sql } from '#platform/sql.ts';
import { BLANK_CLASS, boundNumber, INK_CLASS, NUMBER } from './duckdb-number.ts';
import type { Calculation, Change, ChangeKind, Operand } from './ir.ts';
import type { Program } from './program.ts';
import { ID, MISSING, ROW } from './relation.ts';

/** Numbers that are calculated, and their results, have at most 18 digits before the point. */
const LIMIT = sql`1000000000000000000`;

function partOf(operand: Operand<string | undefined>, program: Program): Sql {
  if (operand.from === 'field') return program.text(operand.field);
  return operand.value === undefined ? MISSING : sql`${operand.value}`;
}

/** The parts one after the other; missing parts vanish; nothing at all is missing. */
function joined(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? MISSING : sql`nullif(concat(${join(parts, sql`, `)}), '')`;
}

/**
 * Exact results with two decimals, rounded half away from zero. DuckDB multiplies, adds and subtracts decimals exactly
 * but divides them as binary floating point, so a quotient is made of whole numbers.
 */
const CALCULATIONS: Record<Calculation, (left: Sql, right: Sql) => Sql> = {
  multiply: (left, right) => sql`round(${left} * ${right}, 2)`,
  add: (left, right) => sql`round(${left} + ${right}, 2)`,
  subtract: (left, right) => sql`round(${left} - ${right}, 2)`,
  divide: (left, right) => {
    const units = (number: Sql) => sql`CAST(${number} * 10000000000 AS HUGEINT)`;
    const cents = sql`(abs(${units(left)}) * 200 + abs(${units(right)})) // (abs(${units(right)}) * 2)`;
    return sql`CASE WHEN ${right} <> 0 THEN CAST(sign(${left}) * sign(${right}) * (${cents}) AS DECIMAL(36,0)) * 0.01 END`;
  },
};

function calculated(change: Change<'calculate'>, holds: Sql, program: Program): Sql {
  const left = program.number(change.source);
  const { by } = change;
  const right = by.from === 'field' ? program.number(by.field) : boundNumber(by.value);
  const inRange = sql`abs(${left}) < ${LIMIT} AND abs(${right}) < ${LIMIT}`;
  // TRY: a product may overflow even so; that item stays unchanged.
  const result = sql`TRY(CAST(${CALCULATIONS[change.operation](left, right)} AS DECIMAL(38,2)))`;
  const number = program.define(sql`CASE WHEN ${holds} AND ${inRange} THEN ${result} END`);
  return sql`CASE WHEN abs(${number}) < ${LIMIT} THEN CAST(${number} AS VARCHAR) END`;
}

/** The number of the first item among those on which the rule holds that have the same value of a field. */
function grouped(change: Change<'group'>, holds: Sql, program: Program): Sql {
  const key = program.text(change.by);
  const member = sql`CASE WHEN ${holds} AND ${program.present()} THEN ${key} END`;
  const first = sql`arg_min(${ID}, ${ROW}) OVER (PARTITION BY ${member})`;
  const group = program.defineWindow(first);
  return sql`CASE WHEN ${key} IS NULL THEN ${program.text(change.field)} ELSE ${group} END`;
}

/** Cut behind the last word that ends within the length, if that keeps 80 % of it, else exactly there. */
function shortened(text: Sql, length: number): Sql {
  const limit = ownNumber(length);
  const words = sql`regexp_extract(left(${text}, ${ownNumber(length + 1)}), ${`(?s)^(.*${INK_CLASS})${BLANK_CLASS}`}, 1)`;
  return sql`CASE WHEN length(${text}) <= ${limit} THEN ${text}
    WHEN length(${words}) * 5 >= ${ownNumber(length * 4)} THEN ${words} ELSE left(${text}, ${limit}) END`;
}

type Spell<K extends ChangeKind> = (change: Change<K>, program: Program, holds: Sql) => Sql;

/** DuckDB's words for every kind of change: the field's value where the rule holds. */
const CHANGES: { readonly [K in ChangeKind]: Spell<K> } = {
  set: ({ value }, program) => partOf(value, program),
  append: ({ field, value }, program) => joined([program.text(field), partOf(value, program)]),
  combine: ({ parts }, program) => joined(parts.map((part) => partOf(part, program))),
  replace: ({ field, pairs }, program) => {
    const replaced = pairs.reduce((text, { search, by }) => {
      const [from, to] = [partOf(search, program), partOf(by, program)];
      return sql`replace(${text}, coalesce(${from}, ''), coalesce(${to}, ''))`;
    }, program.text(field));
    return sql`nullif(${replaced}, '')`;
  },
  split: ({ field, separator, position }, program) => {
    const text = program.text(field);
    // Without a separator the text is one piece.
    const pieces = sql`CASE WHEN ${partOf(separator, program)} IS NULL THEN [${text}] ELSE string_split(${text}, ${partOf(separator, program)}) END`;
    return sql`nullif((${pieces})[${ownNumber(position)}], '')`;
  },
  shorten: ({ field, length }, program) => shortened(program.text(field), length),
  calculate: (change, program, holds) => calculated(change, holds, program),
  group: (change, program, holds) => grouped(change, holds, program),
  replacePattern: ({ field, pattern, rewrite }, program) =>
    sql`nullif(regexp_replace(${program.text(field)}, ${pattern}, ${rewrite}, 'g'), '')`,
};

function spellChange<K extends ChangeKind>(change: Change<K>, program: Program, holds: Sql): Sql {
  return CHANGES[change.kind](change, program, holds);
}

/**
 * Writes a change into the program for the items on which `holds`. Gives, for calculations, the condition under which an
 * item had to stay unchanged.
 */
export function applyChange(change: Change, program: Program, holds: Sql): Sql | undefined {
  const before = program.text(change.field);
  const value = spellChange(change, program, holds);
  if (change.kind !== 'calculate') {
    program.write(change.field, sql`CASE WHEN ${holds} THEN ${value} ELSE ${before} END`);
    return undefined;
  }
  const result = program.define(value);
  program.write(change.field, sql`coalesce(${result}, ${before})`);
  return sql`${holds} AND ${result} IS NULL`;
}
