import { addNotification } from '#notifications/notifications.ts';
import type { Trx } from '#platform/db/database.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import type { StoredOrder } from '#orders/model/order-record.ts';
import type { StoredMerge } from './store-merges.ts';

/**
 * Notifies people of decisions they have to make: a buyer requests a cancellation, or the channel reports something impossible.
 */
export async function notifyOrders(trx: Trx, company: string, merges: readonly StoredMerge[]): Promise<void> {
  for (const { merge } of merges) {
    const { order_id, channel, channel_name } = merge.order;
    const path = orderPath(channel, order_id);
    if (merge.events.some(({ kind }) => kind === 'cancel_requested'))
      await notifyCancelRequest(trx, merge.order, merge.order.changed_at);
    if (merge.events.some(({ kind }) => kind === 'contradiction'))
      await addNotification(trx, company, {
        id: `order-contradiction-${channel}-${order_id}`,
        event: 'order',
        title: `Bestellung ${order_id} widerspricht sich`,
        text: `${channel_name} meldet Stücke als versandt, die hier storniert sind. Bitte sehen Sie dort nach; Kontor sendet dazu nichts.`,
        path,
      });
  }
}

/**
 * Notifies people of a buyer's cancellation request, to be decided before the goods leave. A buyer may withdraw it and request
 * again: the moment is part of the id.
 */
export async function notifyCancelRequest(
  trx: Trx,
  { company, channel, order_id, channel_name }: Pick<StoredOrder, 'company' | 'channel' | 'order_id' | 'channel_name'>,
  at: Date,
): Promise<void> {
  await addNotification(trx, company, {
    id: `order-wish-${channel}-${order_id}-${at.getTime()}`,
    event: 'order',
    title: `Stornowunsch zu Bestellung ${order_id}`,
    text: `Der Käufer bei ${channel_name} möchte stornieren. Entscheiden Sie, bevor die Ware das Haus verlässt.`,
    path: orderPath(channel, order_id),
  });
}
