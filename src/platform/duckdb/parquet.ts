import { duck, ownNumber, type Sql } from './sql.ts';

/**
 * Rows of a row group of a file of items. DuckDB fills the columns of a group one after the other: groups of 16,384 rows stay in the
 * processor's caches, which makes writing a third cheaper than its default of 122,880, and reading the file, too. Smaller ones
 * cost more again, and a single row is found in a small group with less reading (docs/decisions/0018).
 */
export const ROW_GROUP = 16_384;

/** How files of items are written, for COPY. */
export const PARQUET: Sql = duck`(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ownNumber(ROW_GROUP)})`;
