import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';
import { openPieces, returnablePieces, type StoredLine, type StoredOrder } from '#orders/model/order-record.ts';
import { lineRefusal, type ChannelSupport } from '#orders/model/possible.ts';

/** What order rows show of a channel. */
export type RowChannel = { name: string; marketplace: string; support: ChannelSupport | undefined };

/** Lines of an order in the list; its own screen shows all. */
export const LIST_LINES = 10;

export async function linesOfOrders(
  trx: Trx,
  company: string,
  orders: readonly StoredOrder[],
  most: number,
): Promise<Map<string, StoredLine[]>> {
  const lines = await trx
    .selectFrom('order_lines')
    .selectAll()
    .where('company', '=', company)
    .where('channel', '=', anyOf([...new Set(orders.map(({ channel }) => channel))]))
    .where('order_id', '=', anyOf(orders.map(({ order_id }) => order_id)))
    .where('position', '<', most)
    .orderBy('position')
    .execute();
  return Map.groupBy(lines, (line) => orderKey(line));
}

export const orderKey = ({ channel, order_id }: Pick<StoredOrder, 'channel' | 'order_id'>): string =>
  `${channel}\n${order_id}`;

export function toRow(order: StoredOrder, lines: readonly StoredLine[], channel: RowChannel | undefined): OrderRow {
  const iso = (moment: Date | null) => moment?.toISOString() ?? null;
  return {
    orderid: order.order_id,
    channel: order.channel,
    channel_name: channel?.name || order.channel_name,
    marketplace: channel?.marketplace ?? '',
    state: order.state,
    hold: order.hold === 'cancel_requested' && order.wish_declined_at !== null ? 'none' : order.hold,
    fulfilled_by: order.fulfilled_by,
    placed_at: order.placed_at.toISOString(),
    changed_at: order.changed_at.toISOString(),
    ship_by: iso(order.ship_by),
    deliver_by: iso(order.deliver_by),
    shipped_at: iso(order.shipped_at),
    delivered_at: iso(order.delivered_at),
    currency: order.currency,
    country: order.country,
    buyer_order_number: order.buyer_order_number,
    open_pieces: order.open_pieces,
    unclear: order.unclear,
    total_cents: order.total_cents,
    lines: lines.map((line) => toLine(order, line, channel?.support)),
    line_count: order.line_count,
  };
}

function toLine(order: StoredOrder, line: StoredLine, support: ChannelSupport | undefined): OrderLine {
  const offered = (kind: 'ship' | 'cancel' | 'return') => {
    const reason = lineRefusal(kind, order, line, support);
    return { possible: reason === undefined, reason: reason ?? '' };
  };
  return {
    productid: line.line_id,
    sku: line.sku,
    title: line.title,
    masterid: line.master,
    item: line.item,
    ordered: line.ordered,
    shipped: line.shipped,
    cancelled: line.cancelled,
    returned: line.returned,
    open: openPieces(line),
    returnable: returnablePieces(line),
    waiting: line.ship_waiting + line.cancel_waiting + line.return_waiting,
    ship_waiting: line.ship_waiting,
    unit_cents: line.unit_cents,
    discount_cents: line.discount_cents,
    shipping_cents: line.shipping_cents,
    refunded_cents: line.refunded_cents,
    tax_rate: line.tax_rate,
    cancel_request: line.cancel_request,
    sent: offered('ship'),
    cancel: offered('cancel'),
    return: offered('return'),
  };
}
