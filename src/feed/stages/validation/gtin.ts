import { join, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';

/** Digits only, in a length that GS1 assigns; NULL for any other text. */
export const gtinNumber = (text: Sql): Sql =>
  duck`CASE WHEN regexp_full_match(${text}, '[0-9]{8}|[0-9]{12,14}') THEN CAST(${text} AS BIGINT) END`;

/**
 * Whether the last digit is the one that the others ask for: a shorter number is a longer one with leading zeros, so
 * all are weighed as 14 digits, 3 and 1 by turns. Numbers are divided since that is ten times faster than cutting texts.
 */
export function rightDigit(number: Sql): Sql {
  const weighed = Array.from({ length: 14 }, (_, index) => {
    const digit = duck`(${number} // ${ownNumber(10 ** index)}) % 10`;
    return index % 2 === 1 ? duck`3 * (${digit})` : digit;
  });
  return duck`(${join(weighed, duck` + `)}) % 10 = 0`;
}

/** Numbers for use within one company, which GS1 does not assign: 02, 04 and 20 to 29 as thirteen digits; 0 and 2 as eight. */
export function internal(text: Sql, number: Sql): Sql {
  const prefix = duck`(${number} // 100000000000) % 100`;
  return duck`CASE WHEN strlen(${text}) = 8 THEN ${number} // 10000000 IN (0, 2)
    ELSE ${prefix} IN (2, 4) OR ${prefix} BETWEEN 20 AND 29 END`;
}
