import { anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';
import { openPieces, returnablePieces, type StoredLine, type StoredOrder } from '#orders/model/order-record.ts';
import { lineRefusal, parcelRefusal, type ChannelSupport } from '#orders/model/possible.ts';

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

/** Returns the open pieces in all lines of each order that has more lines than are listed. */
export async function openBeyond(
  trx: Trx,
  company: string,
  orders: readonly StoredOrder[],
  most: number,
): Promise<Map<string, number>> {
  const long = orders.filter(({ line_count }) => line_count > most);
  if (long.length === 0) return new Map();
  const rows = await trx
    .selectFrom('order_lines')
    .select(['channel', 'order_id'])
    .select(pg<number>`sum(ordered - shipped - cancelled - ship_waiting - cancel_waiting)::int`.as('open'))
    .where('company', '=', company)
    .where('channel', '=', anyOf([...new Set(long.map(({ channel }) => channel))]))
    .where('order_id', '=', anyOf(long.map(({ order_id }) => order_id)))
    .groupBy(['channel', 'order_id'])
    .execute();
  return new Map(rows.map((row) => [orderKey(row), row.open]));
}

export const orderKey = ({ channel, order_id }: Pick<StoredOrder, 'channel' | 'order_id'>): string =>
  `${channel}\n${order_id}`;

/** `open`: the pieces in all lines that can be shipped; needed where `lines` are not all. */
export function toRow(
  order: StoredOrder,
  lines: readonly StoredLine[],
  channel: RowChannel | undefined,
  open = lines.reduce((sum, line) => sum + openPieces(line), 0),
): OrderRow {
  const parcel = parcelRefusal(order, open, channel?.support);
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
    parcel: offered(parcel),
  };
}

const offered = (refusal: string | undefined) => ({ possible: refusal === undefined, reason: refusal ?? '' });

function toLine(order: StoredOrder, line: StoredLine, support: ChannelSupport | undefined): OrderLine {
  const offer = (kind: 'ship' | 'cancel' | 'return') => offered(lineRefusal(kind, order, line, support));
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
    sent: offer('ship'),
    cancel: offer('cancel'),
    return: offer('return'),
  };
}
