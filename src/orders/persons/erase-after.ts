import type { StoredOrder } from '#orders/model/order-record.ts';

const DAY = 24 * 60 * 60_000;
/** Days that personal data is kept after the event that ends its use; `open`: the most for an order that stays open. */
export const KEEP = { delivered: 30, promised: 30, shipped: 45, cancelled: 7, open: 180 } as const;

type Moments = Pick<
  StoredOrder,
  'state' | 'placed_at' | 'delivered_at' | 'deliver_by' | 'shipped_at' | 'cancelled_at' | 'changed_at'
>;

/** Returns when an order's personal data is erased: by its delivery, else its promised delivery, else its shipment. */
export function eraseAfter(order: Moments): Date {
  const after = (moment: Date, days: number) => new Date(moment.getTime() + days * DAY);
  if (order.state === 'cancelled') return after(order.cancelled_at ?? order.changed_at, KEEP.cancelled);
  if (order.state === 'shipped' || order.state === 'returned') {
    if (order.delivered_at !== null) return after(order.delivered_at, KEEP.delivered);
    const shipped = order.shipped_at ?? order.changed_at;
    if (order.deliver_by !== null)
      return after(new Date(Math.max(order.deliver_by.getTime(), shipped.getTime())), KEEP.promised);
    return after(shipped, KEEP.shipped);
  }
  return after(order.placed_at, KEEP.open);
}
