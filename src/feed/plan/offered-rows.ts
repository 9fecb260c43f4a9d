import type { OfferedStock } from '#catalogue/offered-stock.ts';
import { duck, type Sql, storedFile } from '#platform/duckdb/sql.ts';

/** The stock offered on a channel, as a table of `item` and `pieces`, both texts. */
export const offeredRows = ({ path }: Pick<OfferedStock, 'path'>): Sql =>
  duck`read_csv(${storedFile(path)}, auto_detect = false, header = false, strict_mode = true, parallel = false, delim = ',',
    quote = '"', escape = '"', new_line = '\\n', columns = {'item': 'VARCHAR', 'pieces': 'VARCHAR'})`;
