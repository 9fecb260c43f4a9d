import { readActionBody } from '#orders/model/action-body.ts';
import type { StoredOrder } from '#orders/model/order-record.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { orderKey } from './order-rows.ts';

/** Cents by order (`orderKey`) and line. */
export type ReturnedCents = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Returns what marketplaces paid buyers for returns that we accepted there. */
export async function returnedCents(
  trx: Trx,
  company: string,
  orders: readonly Pick<StoredOrder, 'channel' | 'order_id'>[],
): Promise<ReturnedCents> {
  const rows = await trx
    .selectFrom('order_actions')
    .select(['channel', 'order_id', 'body'])
    .where((eb) => eb.and({ company, kind: 'return', state: 'done' }))
    // Without a marketplace nothing is sent.
    .where('sends', '>', 0)
    .where('channel', '=', anyOf([...new Set(orders.map(({ channel }) => channel))]))
    .where('order_id', '=', anyOf(orders.map(({ order_id }) => order_id)))
    .execute();
  const sums = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const action = readActionBody(row.body);
    if (action.kind !== 'return') continue;
    const lines = sums.get(orderKey(row)) ?? new Map<string, number>();
    lines.set(action.line, (lines.get(action.line) ?? 0) + action.cents);
    sums.set(orderKey(row), lines);
  }
  return sums;
}
