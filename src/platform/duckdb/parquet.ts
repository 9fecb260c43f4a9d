import { duck, ownNumber, type Sql } from './sql.ts';

/**
 * Rows per row group of an item file. DuckDB fills the columns of a group one after the other: groups of 16,384 rows stay in the
 * processor's caches, so that writing takes a third less time than with its default of 122,880, and reading is faster, too.
 * Smaller groups are slower again. A single row is found with less reading in a small group (docs/decisions/0018).
 */
export const ROW_GROUP = 16_384;

/** Options of COPY for item files. */
export const PARQUET: Sql = duck`(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ownNumber(ROW_GROUP)})`;
