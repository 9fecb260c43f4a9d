import { z } from 'zod';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { OrderAction, OrderDetails } from '#shared/orders/schema.ts';
import { readActionBody } from '#orders/model/action-body.ts';
import { piecesOf, type StoredOrder } from '#orders/model/order-record.ts';
import { fileSupport, orderRefusal } from '#orders/model/possible.ts';
import { moneyBackOf, refundableCents } from '#orders/model/refundable.ts';
import type { Row } from '#platform/db/row.ts';
import { eventText } from './event-text.ts';
import { linesOfOrders, orderKey, toRow, type RowChannel } from './order-rows.ts';

/** Maximum number of lines shown of one order. */
const LINES = 1000;
/** Maximum number of entries shown of its history, the newest. */
const EVENTS = 500;

const Issues = z.array(z.object({ code: z.string(), message: z.string() })).catch([]);

/** Returns an order with everything that happened to it, without personal data. */
export async function orderDetails(
  trx: Trx,
  order: StoredOrder,
  channel: RowChannel | undefined,
): Promise<OrderDetails> {
  const { company, channel: id, order_id } = order;
  const ofOrder = { company, channel: id, order_id };
  const lines = (await linesOfOrders(trx, company, [order], LINES)).get(orderKey(order)) ?? [];
  const support = channel?.support ?? fileSupport;
  const moneyBack = await moneyBackOf(trx, order);
  const refundable = lines.map((line) => ({ productid: line.line_id, cents: refundableCents(line, moneyBack) }));
  const refusal =
    orderRefusal('refund', order, channel?.support) ??
    (refundable.some(({ cents }) => cents > 0) ? undefined : 'Es ist nichts mehr zu erstatten.');
  return {
    order: toRow(order, lines, channel),
    ...(await movementsOf(trx, ofOrder)),
    actions: await actionsOf(trx, ofOrder),
    events: await eventsOf(trx, ofOrder),
    carriers: [...support.carriers],
    other_carriers: support.otherCarriers,
    return_tracking: support.returnTracking,
    channel_gone: channel?.support?.gone === true,
    refund_reasons: [...(support.actions.refund?.reasons ?? [])],
    refund: { possible: refusal === undefined, reason: refusal ?? '' },
    refundable,
    persons_until: await personsUntil(trx, ofOrder),
  };
}

type OfOrder = { company: string; channel: string; order_id: string };
type Movements = Pick<OrderDetails, 'shipments' | 'cancellations' | 'returns' | 'refunds'>;

async function movementsOf(trx: Trx, ofOrder: OfOrder): Promise<Movements> {
  const cancellations = await trx
    .selectFrom('cancellations')
    .select(['line_id as productid', 'quantity', 'by_party as by', 'reason', 'at'])
    .where((eb) => eb.and(ofOrder))
    .orderBy('at')
    .execute();
  const returns = await trx
    .selectFrom('returns')
    .select(['line_id as productid', 'quantity', 'state', 'reason', 'at'])
    .where((eb) => eb.and(ofOrder))
    .orderBy('at')
    .execute();
  const refunds = await trx
    .selectFrom('refunds')
    .select(['line_id as productid', 'cents', 'currency', 'reason', 'at'])
    .where((eb) => eb.and(ofOrder))
    .orderBy('at')
    .execute();
  const dated = <T extends { at: Date }>(rows: readonly T[]) =>
    rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  return {
    shipments: await shipmentsOf(trx, ofOrder),
    cancellations: dated(cancellations),
    returns: dated(returns),
    refunds: dated(refunds),
  };
}

async function shipmentsOf(trx: Trx, ofOrder: OfOrder): Promise<Movements['shipments']> {
  const shipments = await trx
    .selectFrom('shipments')
    .select([
      'id',
      'reference',
      'carrier',
      'tracking',
      'return_tracking as returntracking',
      'shipped_at',
      'source',
      'state',
    ])
    .where((eb) => eb.and(ofOrder))
    .orderBy('shipped_at')
    .orderBy('id')
    .execute();
  const contents = await trx
    .selectFrom('shipment_lines')
    .select(['shipment', 'line_id as productid', 'quantity'])
    .where('company', '=', ofOrder.company)
    .where('shipment', '=', anyOf(shipments.map(({ id }) => id)))
    .execute();
  const contentsOf = Map.groupBy(contents, ({ shipment }) => shipment);
  return shipments.map((row) => ({
    ...row,
    shipped_at: row.shipped_at.toISOString(),
    lines: (contentsOf.get(row.id) ?? []).map(({ productid, quantity }) => ({ productid, quantity })),
  }));
}

async function actionsOf(trx: Trx, ofOrder: OfOrder): Promise<OrderAction[]> {
  const rows = await trx
    .selectFrom('order_actions')
    .selectAll()
    .where((eb) => eb.and(ofOrder))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toAction);
}

function toAction(row: Row<'order_actions'>): OrderAction {
  const action = readActionBody(row.body);
  const iso = (moment: Date | null) => moment?.toISOString() ?? null;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    withdrawable: row.state === 'new' && row.sends === 0,
    lines: piecesOf(action).map(({ line, quantity }) => ({ productid: line, quantity })),
    carrier: action.kind === 'ship' ? action.carrier : '',
    tracking: action.kind === 'ship' ? action.tracking : '',
    returntracking: action.kind === 'ship' ? action.returnTracking : '',
    reason: action.kind === 'ship' ? '' : action.reason,
    // Only a marketplace, to which the return was sent, pays the buyer for it by itself.
    cents:
      action.kind === 'refund' || (action.kind === 'return' && row.sends > 0 && row.state !== 'refused')
        ? action.cents
        : null,
    message: row.message,
    issues: Issues.parse(JSON.parse(row.issues)),
    sends: row.sends,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    sent_at: iso(row.sent_at),
    ended_at: iso(row.ended_at),
    resolution: row.resolution === null ? '' : `${row.resolved_by ?? ''}: ${row.resolution}`,
  };
}

async function eventsOf(trx: Trx, ofOrder: OfOrder): Promise<OrderDetails['events']> {
  const rows = await trx
    .selectFrom('order_events')
    .select(['id', 'at', 'kind', 'source', 'author', 'details'])
    .where((eb) => eb.and(ofOrder))
    .orderBy('id', 'desc')
    .limit(EVENTS)
    .execute();
  return rows.map(({ details, at, ...row }) => ({ ...row, at: at.toISOString(), text: eventText(row.kind, details) }));
}

async function personsUntil(trx: Trx, ofOrder: OfOrder): Promise<string | null> {
  const row = await trx
    .selectFrom('order_persons')
    .select((eb) => eb.fn.max('erase_after').as('until'))
    .where((eb) => eb.and(ofOrder))
    .executeTakeFirst();
  return row?.until?.toISOString() ?? null;
}
