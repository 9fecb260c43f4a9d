import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** How many orders of each of these channels are not shipped or cancelled yet; a channel without one is missing. */
export async function openOrders(
  trx: Trx,
  company: string,
  channels: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('orders')
    .select(['channel', (eb) => eb.fn.countAll<number>().as('n')])
    .where('company', '=', company)
    .where('channel', '=', anyOf(channels))
    // By its index; these states are those of orders with open pieces.
    .where('state', 'in', ['pending', 'open', 'part_shipped'])
    .groupBy('channel')
    .execute();
  return new Map(rows.map(({ channel, n }) => [channel, Number(n)]));
}
