import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** Returns how many orders of each channel are not shipped or cancelled yet; a channel with none is missing. */
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
    // By the index; orders with open pieces have one of these states.
    .where('state', 'in', ['pending', 'open', 'part_shipped'])
    .groupBy('channel')
    .execute();
  return new Map(rows.map(({ channel, n }) => [channel, Number(n)]));
}
