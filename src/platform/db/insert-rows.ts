import type { Insertable } from 'kysely';
import type { Trx } from './database.ts';
import { pg } from './pg.ts';
import type { Tables } from './tables.ts';

/**
 * The beginning of a statement that writes rows, all with the columns of the first and in this order: however many there are, they
 * are one parameter. There must be one at least.
 */
export function insertRows<T extends keyof Tables>(trx: Trx, table: T, rows: readonly Insertable<Tables[T]>[]) {
  const [first = {}] = rows;
  const columns = Object.keys(first).filter((name): name is keyof Tables[T] & string => name in first);
  return trx.insertInto(table).columns(columns).expression(pg`select ${pg.join(columns.map((name) => pg.ref(name)))}
    from json_populate_recordset(null::${pg.table(table)}, ${JSON.stringify(rows)}::json)`);
}
