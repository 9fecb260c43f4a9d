import type { Insertable } from 'kysely';
import type { Trx } from './database.ts';
import { pg } from './pg.ts';
import type { Tables } from './tables.ts';

/**
 * Returns an insert statement for rows that all have the columns of the first, in the given order; any number of rows is one
 * parameter. `rows` must not be empty.
 */
export function insertRows<T extends keyof Tables>(trx: Trx, table: T, rows: readonly Insertable<Tables[T]>[]) {
  const [first = {}] = rows;
  const columns = Object.keys(first).filter((name): name is keyof Tables[T] & string => name in first);
  return trx.insertInto(table).columns(columns).expression(pg`select ${pg.join(columns.map((name) => pg.ref(name)))}
    from json_populate_recordset(null::${pg.table(table)}, ${JSON.stringify(rows)}::json)`);
}
