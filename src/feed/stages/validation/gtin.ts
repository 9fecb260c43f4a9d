import { join, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';

/** The number of a text of digits in a length that GS1 assigns; NULL for any other text. */
export const gtinNumber = (text: Sql): Sql =>
  duck`CASE WHEN regexp_full_match(${text}, '[0-9]{8}|[0-9]{12,14}') THEN CAST(${text} AS BIGINT) END`;

/**
 * Whether the check digit is right. A shorter number is a longer one with leading zeros, so all are weighted as 14 digits,
 * alternating 3 and 1. Uses division, which is ten times faster than cutting texts.
 */
export function rightDigit(number: Sql): Sql {
  const weighed = Array.from({ length: 14 }, (_, index) => {
    const digit = duck`(${number} // ${ownNumber(10 ** index)}) % 10`;
    return index % 2 === 1 ? duck`3 * (${digit})` : digit;
  });
  return duck`(${join(weighed, duck` + `)}) % 10 = 0`;
}

/** Whether GS1 reserves a number for use within a company: prefix 02, 04 or 20 to 29 of thirteen digits, 0 or 2 of eight. */
export function internal(text: Sql, number: Sql): Sql {
  const prefix = duck`(${number} // 100000000000) % 100`;
  return duck`CASE WHEN strlen(${text}) = 8 THEN ${number} // 10000000 IN (0, 2)
    ELSE ${prefix} IN (2, 4) OR ${prefix} BETWEEN 20 AND 29 END`;
}
