import type { OrderRow, OrderState } from '#shared/orders/schema.ts';
import type { BadgeTone } from '#client/ui/badge.tsx';

/** Number of orders that the card lists. */
export const LISTED = 10;

export type ItemOrder = Pick<OrderRow, 'orderid' | 'channel' | 'channel_name' | 'placed_at'> & {
  pieces: number;
  state: { tone: BadgeTone; text: string };
};

const states: Record<OrderState, ItemOrder['state']> = {
  pending: { tone: 'gray', text: 'vorgemerkt' },
  open: { tone: 'blue', text: 'offen' },
  part_shipped: { tone: 'blue', text: 'teilweise versandt' },
  shipped: { tone: 'green', text: 'versandt' },
  cancelled: { tone: 'gray', text: 'storniert' },
  returned: { tone: 'gray', text: 'retourniert' },
};

/** Returns the orders that contain the item, newest first, with its pieces only: other lines of the same order do not count. */
export function itemOrders(
  rows: readonly OrderRow[],
  { masterid, itemid }: { masterid: string; itemid: string },
): ItemOrder[] {
  return rows.flatMap(({ orderid, channel, channel_name, placed_at, state, lines }) => {
    const own = lines.filter((line) =>
      line.item === null ? line.sku === itemid : line.item === itemid && line.masterid === masterid,
    );
    if (own.length === 0) return [];
    const pieces = own.reduce((sum, line) => sum + line.ordered, 0);
    return [{ orderid, channel, channel_name, placed_at, pieces, state: states[state] }];
  });
}
