import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import { addEvents } from '#orders/model/events.ts';
import { lockOrders } from '#orders/model/load-orders.ts';
import { notifyCancelRequest } from './notify-orders.ts';

/**
 * Records the buyer's cancellation request from a file; the order waits until a person decides. Returns false if there is no such
 * order.
 */
export async function requestCancellation(
  { database, clock }: { database: Database; clock: Clock },
  { company, name }: Principal,
  channel: string,
  order_id: string,
): Promise<boolean> {
  return database.company(company, async (trx) => {
    const record = (await lockOrders(trx, company, channel, [order_id])).get(order_id);
    if (record === undefined) return false;
    const { order } = record;
    if (order.hold === 'cancel_requested') return true;
    await trx
      .updateTable('orders')
      .set({ hold: 'cancel_requested', wish_declined_at: null })
      .where((eb) => eb.and({ company, channel, order_id }))
      .execute();
    const event = { kind: 'cancel_requested' as const, details: {} };
    const now = clock.now();
    await addEvents(trx, [{ order, event }], { source: 'file', author: name, at: now });
    // Nothing can be held back if all pieces are shipped.
    if (order.open_pieces > 0) await notifyCancelRequest(trx, order, now);
    return true;
  });
}
