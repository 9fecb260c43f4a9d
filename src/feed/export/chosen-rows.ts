import { duck, ownNumber, statement, type Sql, type Statement } from '#platform/duckdb/sql.ts';

/**
 * Keeps which rows of a file of `items` rows are wanted, a bit for each, in a variable of the connection; `places` gives their `place`,
 * which may be missing. The next statements of the connection ask `isChosen`.
 */
export const chooseRows = (places: Sql, items: number): Statement =>
  statement(
    duck`SET VARIABLE chosen_rows = (SELECT bitstring_agg(CAST(place AS INTEGER), 0, ${ownNumber(items)}) FROM ${places})`,
  );

/**
 * Whether a row of a file, read with `file_row_number`, was chosen. DuckDB asks it while it reads: of rows that are not wanted no other
 * column is made, and a row group without any is not unpacked. A join with the items' numbers reads all columns of all rows first.
 */
export const isChosen: Sql = duck`get_bit(getvariable('chosen_rows'), CAST(file_row_number AS INTEGER)) = 1`;
