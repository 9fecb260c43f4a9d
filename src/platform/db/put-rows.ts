import type { Selectable } from 'kysely';
import type { Trx } from './database.ts';
import { pg } from './pg.ts';
import type { Tables } from './tables.ts';

/** Upserts whole rows by their key. All have the columns of the first; any number of rows is one parameter. */
export async function putRows<T extends keyof Tables>(
  trx: Trx,
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  rows: readonly Selectable<Tables[T]>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const keys: readonly string[] = key;
  const list = pg.join(columns.map((name) => pg.ref(name)));
  const rest = columns
    .filter((name) => !keys.includes(name))
    .map((name) => pg`${pg.ref(name)} = ${pg.ref(`excluded.${name}`)}`);
  await pg`insert into ${pg.table(table)} (${list})
    select ${list} from json_populate_recordset(null::${pg.table(table)}, ${JSON.stringify(rows)}::json)
    on conflict (${pg.join(keys.map((name) => pg.ref(name)))}) do update set ${pg.join(rest)}`.execute(trx);
}
