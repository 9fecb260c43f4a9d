import { join, name, namesIn, ownNumber, duck, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import { layered } from './layers.ts';
import type { Program } from './program.ts';
import { query, ROW } from './relation.ts';

/** A statement and a function that reads its single row. */
export type Query<T> = { readonly statement: Statement; readonly read: (row: Readonly<Record<string, unknown>>) => T };

/** Returns the statement that computes aggregates over all items of a program. */
export function aggregateStatement(program: Program, aggregates: readonly Sql[]): Statement {
  const body = join(aggregates, duck`, `);
  const { relation: done, place } = layered(program, [body]);
  return query(done, duck`SELECT ${place(body)} FROM ${name(done.from)}`);
}

/** Flags of many rules are packed as bits into one column: a column for each would be carried through every step. */
const BITS = 60;
const UNPACKED = 120;

/** Returns the flags as conditions that are cheap to carry to the last step. */
export function carried(program: Program, flags: readonly Sql[]): Sql[] {
  if (flags.length <= UNPACKED) return flags.map((flag) => columnOf(program, flag));
  const packs = packed(program, flags);
  return flags.map((_, index) => bitOf(packs[packOf(index)] ?? duck`0`, index));
}

/** Packs the flags as bits into columns, 60 in each. */
export function packed(program: Program, flags: readonly Sql[]): Sql[] {
  const packs: Sql[] = [];
  for (let from = 0; from < flags.length; from += BITS) {
    const bits = flags
      .slice(from, from + BITS)
      .map((flag, bit) => duck`CASE WHEN ${flag} THEN ${power(bit)} ELSE 0 END`);
    packs.push(program.define(join(bits, duck` + `)));
  }
  return packs;
}

/** The index of the column that holds a flag. */
export function packOf(index: number): number {
  return Math.floor(index / BITS);
}

/** Whether a flag is set in its column. */
export function bitOf(pack: Sql, index: number): Sql {
  return duck`(${pack} & ${power(index % BITS)}) <> 0`;
}

/** Returns a flag as a column; TRUE, FALSE and existing columns are returned unchanged. */
export function columnOf(program: Program, flag: Sql): Sql {
  return namesIn(flag).size === 0 || (flag.pieces.length === 1 && namesIn(flag).size === 1)
    ? flag
    : program.define(flag);
}

function power(bit: number): Sql {
  return duck`CAST(${ownNumber(2 ** (bit % 30))} AS BIGINT) * ${ownNumber(2 ** (bit - (bit % 30)))}`;
}

/** A list of numbers or texts in one column; an empty list needs a cast because DuckDB cannot infer its type. */
export function listOf(values: readonly Sql[]): Sql {
  return values.length === 0 ? duck`CAST([] AS BIGINT[])` : duck`[${join(values, duck`, `)}]`;
}

/** Counts the items on which a condition holds. FILTER would read every column for each of many counts. */
export function itemsOn(condition: Sql): Sql {
  return duck`coalesce(count_if(${condition}), 0)`;
}

/** Counts of items as one list column of the result. */
export function countsOfItems(conditions: readonly Sql[]): Sql {
  return listOf(conditions.map((condition) => itemsOn(condition)));
}

/** The row numbers of the first `most` items on which a condition holds. */
export function firstRows(condition: Sql, most: number): Sql {
  return duck`min(${ROW}, ${ownNumber(most)}) FILTER (${condition})`;
}

/** Reads a list of counts or row numbers as DuckDB returns it; empty if there was no item. */
export function readNumbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(count) : [];
}

/** Reads a number that DuckDB counted; throws if it is not a number. */
export function count(value: unknown): number {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
  throw new Error('Not a count');
}

/** Reads one count from a list. */
export function countAt(value: unknown, index: number): number {
  return Array.isArray(value) ? count(value[index]) : count(undefined);
}
