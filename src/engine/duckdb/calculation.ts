import { duck, ownNumber, type Sql } from '#platform/duckdb/sql.ts';
import { boundNumber, boundShortNumber, NUMBER, SHORT_NUMBER } from './number.ts';
import type { Calculation, Change } from '#engine/ir/rules.ts';
import type { Program } from './program.ts';

/** Operands and results of calculations must be below this in absolute value: 18 digits before the point. */
const LIMIT = duck`1000000000000000000`;

/** The fast path calculates in 64 bits, so its operands must be below a billion. */
const SHORT_LIMIT = 1_000_000_000;
const MOST_PRODUCT = 900_000;

type Spelled = (left: Sql, right: Sql) => Sql;

/** A quotient in cents, rounded half away from zero; `units` turns the operands into whole numbers of the given type. */
function quotient(left: Sql, right: Sql, units: Sql, type: Sql): Sql {
  const whole = (number: Sql) => duck`abs(CAST(${number} * ${units} AS ${type}))`;
  return duck`sign(${left}) * sign(${right}) * ((${whole(left)} * 200 + ${whole(right)}) // (${whole(right)} * 2))`;
}

/**
 * Exact results with two decimals, rounded half away from zero. DuckDB multiplies, adds and subtracts decimals exactly but
 * divides them as binary floating point, so a quotient is computed from whole numbers.
 */
const EXACT: Record<Calculation, Spelled> = {
  multiply: (left, right) => duck`round(${left} * ${right}, 2)`,
  add: (left, right) => duck`round(${left} + ${right}, 2)`,
  subtract: (left, right) => duck`round(${left} - ${right}, 2)`,
  divide: (left, right) => {
    const cents = quotient(left, right, duck`10000000000`, duck`HUGEINT`);
    return duck`CASE WHEN ${right} <> 0 THEN CAST(${cents} AS DECIMAL(36,0)) * 0.01 END`;
  },
};

/** The calculations on short numbers, in 64 bits. A product of short numbers is a DECIMAL(18,12): 6 digits before the point. */
const SHORT: Record<Calculation, { readonly fits: Spelled; readonly result: Spelled }> = {
  multiply: {
    fits: (left, right) => duck`abs(CAST(${left} AS DOUBLE) * CAST(${right} AS DOUBLE)) < ${ownNumber(MOST_PRODUCT)}`,
    result: EXACT.multiply,
  },
  add: { fits: () => duck`TRUE`, result: EXACT.add },
  subtract: { fits: () => duck`TRUE`, result: EXACT.subtract },
  divide: {
    // As millionths in 64 bits; the result stays below 10^12, and the divisor cannot be zero.
    fits: (left, right) => duck`abs(${left}) < 1000000 AND abs(${right}) < 1000000 AND abs(${right}) >= 0.001`,
    result: (left, right) =>
      duck`CAST(${quotient(left, right, duck`1000000`, duck`BIGINT`)} AS DECIMAL(18,0)) * CAST(0.01 AS DECIMAL(3,2))`,
  },
};

/** Whether the fast path can be used. */
function fitsShort({ operation, by }: Change<'calculate'>, left: Sql, right: Sql): Sql {
  if (operation === 'multiply' && by.from === 'literal' && by.value !== undefined) {
    // One comparison for each item instead of a floating-point product.
    const most = Math.min(SHORT_LIMIT, Math.floor(MOST_PRODUCT / Math.abs(Number(by.value))));
    return duck`${left} > ${ownNumber(-most)} AND ${left} < ${ownNumber(most)} AND ${right} IS NOT NULL`;
  }
  const limit = ownNumber(SHORT_LIMIT);
  return duck`abs(${left}) < ${limit} AND abs(${right}) < ${limit} AND ${SHORT[operation].fits(left, right)}`;
}

/** Writes a calculation into the program; returns the condition under which an item had to stay unchanged. */
export function applyCalculation(change: Change<'calculate'>, program: Program, holds: Sql): Sql {
  const { field, operation, source, by } = change;
  const [left, right] = [
    program.shortNumber(source),
    by.from === 'field' ? program.shortNumber(by.field) : boundShortNumber(by.value),
  ];
  const fits = fitsShort(change, left, right);
  const short = program.define(
    duck`CASE WHEN ${holds} AND ${fits} THEN CAST(${SHORT[operation].result(left, right)} AS DECIMAL(18,2)) END`,
  );
  const long = longResult(change, program, duck`${holds} AND (${fits}) IS NOT TRUE`);
  program.writeNumber(field, {
    done: program.define(duck`${short} IS NOT NULL OR ${long} IS NOT NULL`),
    text: duck`coalesce(CAST(${short} AS VARCHAR), CAST(${long} AS VARCHAR))`,
    short: duck`CAST(${short} AS ${SHORT_NUMBER})`,
    full: duck`coalesce(CAST(${short} AS ${NUMBER}), CAST(${long} AS ${NUMBER}))`,
  });
  return duck`${holds} AND ${short} IS NULL AND ${long} IS NULL`;
}

/** The result where the fast path does not fit; NULL if there is none or it is out of range. */
function longResult({ operation, source, by }: Change<'calculate'>, program: Program, needed: Sql): Sql {
  const left = program.number(source);
  const right = by.from === 'field' ? program.number(by.field) : boundNumber(by.value);
  const inRange = duck`abs(${left}) < ${LIMIT} AND abs(${right}) < ${LIMIT}`;
  // TRY, because a product may overflow even so.
  const result = duck`TRY(CAST(${EXACT[operation](left, right)} AS DECIMAL(38,2)))`;
  return program.define(duck`CASE WHEN ${needed} AND ${inRange} AND abs(${result}) < ${LIMIT} THEN ${result} END`);
}
