import { join, name, namesIn, ownNumber, duck, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import { layered } from './layers.ts';
import type { Program } from './program.ts';
import { query, ROW } from './relation.ts';

/** A statement and how its single row is read. */
export type Query<T> = { readonly statement: Statement; readonly read: (row: Readonly<Record<string, unknown>>) => T };

/** The statement of aggregates over all items of a program. */
export function aggregateStatement(program: Program, aggregates: readonly Sql[]): Statement {
  const body = join(aggregates, duck`, `);
  const { relation: done, place } = layered(program, [body]);
  return query(done, duck`SELECT ${place(body)} FROM ${name(done.from)}`);
}

/** Flags of many rules travel as bits of one column: a column each would be carried through every step. */
const BITS = 60;
const UNPACKED = 120;

/** The flags as conditions that are cheap to carry to the last step. */
export function carried(program: Program, flags: readonly Sql[]): Sql[] {
  if (flags.length <= UNPACKED) return flags.map((flag) => columnOf(program, flag));
  const packs = packed(program, flags);
  return flags.map((_, index) => bitOf(packs[packOf(index)] ?? duck`0`, index));
}

/** The flags as bits of columns, 60 each. */
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

/** Which of the columns has a flag. */
export function packOf(index: number): number {
  return Math.floor(index / BITS);
}

/** Whether a flag is set in its column. */
export function bitOf(pack: Sql, index: number): Sql {
  return duck`(${pack} & ${power(index % BITS)}) <> 0`;
}

/** A flag as a column; TRUE, FALSE and what is one already stay as they are. */
export function columnOf(program: Program, flag: Sql): Sql {
  return namesIn(flag).size === 0 || (flag.pieces.length === 1 && namesIn(flag).size === 1)
    ? flag
    : program.define(flag);
}

function power(bit: number): Sql {
  return duck`CAST(${ownNumber(2 ** (bit % 30))} AS BIGINT) * ${ownNumber(2 ** (bit - (bit % 30)))}`;
}

/** A list of numbers or texts in one column; DuckDB cannot tell the type of an empty one. */
export function listOf(values: readonly Sql[]): Sql {
  return values.length === 0 ? duck`CAST([] AS BIGINT[])` : duck`[${join(values, duck`, `)}]`;
}

/** Items on which a condition holds. FILTER would look at every column for each of many counts. */
export function itemsOn(condition: Sql): Sql {
  return duck`coalesce(count_if(${condition}), 0)`;
}

/** Counts of items as one column of the answer. */
export function countsOfItems(conditions: readonly Sql[]): Sql {
  return listOf(conditions.map((condition) => itemsOn(condition)));
}

/** The places of the first `most` items on which a condition holds. */
export function firstRows(condition: Sql, most: number): Sql {
  return duck`min(${ROW}, ${ownNumber(most)}) FILTER (${condition})`;
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

/** One count of a list of them. */
export function countAt(value: unknown, index: number): number {
  return Array.isArray(value) ? count(value[index]) : count(undefined);
}
