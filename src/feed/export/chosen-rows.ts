import { duck, ownNumber, statement, type Sql, type Statement } from '#platform/duckdb/sql.ts';

/**
 * Stores the wanted rows of a file of `items` rows as bits in a variable of the connection, for `isChosen` in its next
 * statements. `places` yields the row numbers as `place`, which may be NULL.
 */
export const chooseRows = (places: Sql, items: number): Statement =>
  statement(
    duck`SET VARIABLE chosen_rows = (SELECT bitstring_agg(CAST(place AS INTEGER), 0, ${ownNumber(items)}) FROM ${places})`,
  );

/**
 * Whether a row of a file, read with `file_row_number`, was chosen. DuckDB tests it while reading: it decodes no further columns
 * of other rows, and skips row groups without chosen rows. A join with item numbers would first read all columns of all rows.
 */
export const isChosen: Sql = duck`get_bit(getvariable('chosen_rows'), CAST(file_row_number AS INTEGER)) = 1`;
