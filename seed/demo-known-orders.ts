import { ORDER_PREFIX } from '#marketplaces/sandbox/buyers.ts';
import type { KnownOrder } from '#marketplaces/sandbox/order-book/book.ts';
import type { Trx } from '#platform/db/database.ts';

/** Older orders are of no use in a demo, and the sandbox holds all of its orders in memory. */
const KEPT_MS = 60 * 24 * 3_600_000;
const DAY = 24 * 3_600_000;

/**
 * Returns the orders that the sandbox gave out in earlier runs, as the demo company stored them: the sandbox itself stores nothing,
 * and an order that it does not know could never be shipped.
 */
export async function knownOrders(trx: Trx, place: Place, now: Date): Promise<KnownOrder[]> {
  const kept = () => keptOrders(trx, place, now);
  const orders = await kept()
    .select(['order_id', 'placed_at', 'changed_at', 'ship_by', 'deliver_by'])
    .orderBy('placed_at')
    .execute();
  const [lines, parcels] = [await linesOf(trx, place, kept), await parcelsOf(trx, place, kept)];
  return orders.map(
    ({ order_id: id, placed_at: placed, changed_at: changed, ship_by: shipBy, deliver_by: deliverBy }) => ({
      id,
      at: placed.getTime(),
      changedAt: changed.getTime(),
      shipBy: shipBy?.getTime() ?? placed.getTime() + 2 * DAY,
      deliverBy: deliverBy?.getTime() ?? placed.getTime() + 5 * DAY,
      lines: lines.get(id) ?? [],
      parcels: parcels.get(id) ?? [],
    }),
  );
}

type Place = { company: string; account: string };
type Kept = () => ReturnType<typeof keptOrders>;

const keptOrders = (trx: Trx, { company, account }: Place, now: Date) =>
  trx
    .selectFrom('orders')
    .where((eb) => eb.and({ company, channel: account }))
    .where('order_id', 'like', `${ORDER_PREFIX}%`)
    .where('placed_at', '>=', new Date(now.getTime() - KEPT_MS));

async function linesOf(
  trx: Trx,
  { company, account }: Place,
  kept: Kept,
): Promise<Map<string, KnownOrder['lines'][number][]>> {
  const rows = await trx
    .selectFrom('order_lines')
    .select(['order_id', 'line_id', 'sku', 'unit_cents', 'shipping_cents', 'ordered', 'cancelled', 'returned'])
    .select(['refunded_cents', 'cancel_request'])
    .where((eb) => eb.and({ company, channel: account }))
    .where('order_id', 'in', kept().select('order_id'))
    .orderBy('position')
    .execute();
  const byOrder = Map.groupBy(rows, ({ order_id: order }) => order);
  return new Map([...byOrder].map(([order, own]) => [order, own.map(lineOf)]));
}

type LineRow = {
  line_id: string;
  sku: string;
  unit_cents: number | null;
  shipping_cents: number;
  ordered: number;
  cancelled: number;
  returned: number;
  refunded_cents: number;
  cancel_request: string;
};

const lineOf = (row: LineRow): KnownOrder['lines'][number] => ({
  id: row.line_id,
  sku: row.sku,
  cents: row.unit_cents ?? 0,
  shippingCents: row.shipping_cents,
  ordered: row.ordered,
  cancelled: row.cancelled,
  returned: row.returned,
  refundedCents: row.refunded_cents,
  request: row.cancel_request === '' ? null : row.cancel_request,
  cancelledBy: row.cancelled > 0 ? 'MERCHANT' : null,
});

async function parcelsOf(
  trx: Trx,
  { company, account }: Place,
  kept: Kept,
): Promise<Map<string, KnownOrder['parcels'][number][]>> {
  const rows = await trx
    .selectFrom('shipments as s')
    .innerJoin('shipment_lines as l', (join) =>
      join.onRef('l.company', '=', 's.company').onRef('l.shipment', '=', 's.id'),
    )
    .select(['s.id', 's.order_id', 's.reference', 's.carrier', 's.tracking', 's.shipped_at', 's.state'])
    .select(['l.line_id', 'l.quantity'])
    .where('s.company', '=', company)
    .where('s.channel', '=', account)
    .where('s.state', '<>', 'cancelled')
    .where('s.order_id', 'in', kept().select('order_id'))
    .orderBy('s.shipped_at')
    .orderBy('s.id')
    .execute();
  const parcels = [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, items: [first, ...others] }],
  );
  const byOrder = Map.groupBy(parcels, ({ first }) => first.order_id);
  return new Map(
    [...byOrder].map(([order, own]) => [
      order,
      own.map(({ first: { reference, carrier, tracking, shipped_at: at, state }, items }) => ({
        reference,
        carrier,
        tracking,
        shippedAt: at.getTime(),
        delivered: state !== 'shipped',
        items: items.map(({ line_id: line, quantity }) => ({ line, quantity })),
      })),
    ]),
  );
}
