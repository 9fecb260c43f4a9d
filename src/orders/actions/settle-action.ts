import type { Issue } from '#marketplaces/port.ts';
import type { OrderAction } from '#marketplaces/orders-port.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Row } from '#platform/db/row.ts';
import type { Ids } from '#platform/ids.ts';
import { detailsOf } from '#orders/model/action-details.ts';
import { readActionBody } from '#orders/model/action-body.ts';
import { countDays } from '#orders/model/count-days.ts';
import { addEvents } from '#orders/model/events.ts';
import { inFlight, lockOrders } from '#orders/model/load-orders.ts';
import {
  piecesOf,
  type EventKind,
  type EventSource,
  type OrderRecord,
  type StoredLine,
} from '#orders/model/order-record.ts';
import { eraseAfter } from '#orders/persons/erase-after.ts';
import { orderState } from '#orders/model/order-state.ts';

type ActionRef = { company: string; id: string };
type ActionRow = Row<'order_actions', 'channel' | 'order_id' | 'state' | 'body' | 'sends'>;
export type Outcome = { reference: string; message: string; issues: readonly Issue[] };
/** Who or what ended the action; people also give their reason. */
export type EndedBy = { source: EventSource; author: string; resolution?: string };
const byProgram: EndedBy = { source: 'action', author: '' };

/**
 * Locks the order, then returns the action with it; undefined if the action has already ended. The order is always locked first.
 */
export async function lockAction(
  trx: Trx,
  { company, id }: ActionRef,
): Promise<{ row: ActionRow; action: OrderAction; record: OrderRecord } | undefined> {
  const row = await trx
    .selectFrom('order_actions')
    .select(['channel', 'order_id', 'state', 'body', 'sends'])
    .where((eb) => eb.and({ company, id }))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const record = (await lockOrders(trx, company, row.channel, [row.order_id])).get(row.order_id);
  const waiting = record?.waiting.find((one) => one.id === id);
  if (record === undefined || waiting === undefined) return undefined;
  return { row: { ...row, state: waiting.state }, action: readActionBody(row.body), record };
}

/**
 * Marks the action as done and books its pieces, with the order, the day's counters and the history. Does nothing if it has
 * already ended.
 */
export async function finishAction(
  trx: Trx,
  ids: Ids,
  ref: ActionRef,
  outcome: Outcome,
  now: Date,
  by: EndedBy = byProgram,
): Promise<void> {
  const locked = await lockAction(trx, ref);
  if (locked === undefined) return;
  const { action, record } = locked;
  await end(trx, ref, 'done', outcome, now, by);
  const lines = settledLines(record, action, true);
  await storeLines(trx, record, lines);
  await storeMovement(trx, ids, ref, record, action, now);
  await storeOrder(trx, record, lines, locked.row.state === 'unclear' ? -1 : 0, now);
  await note(trx, record, by.resolution === undefined ? 'action_done' : 'action_resolved', action, now, by);
  await countDays(trx, [{ was: record.order, order: record.order, before: record.lines, after: lines }]);
}

/** Marks the action as refused and releases its pieces. Does nothing if it has already ended. */
export async function refuseAction(
  trx: Trx,
  ref: ActionRef,
  outcome: Outcome,
  now: Date,
  by: EndedBy = byProgram,
): Promise<void> {
  const locked = await lockAction(trx, ref);
  if (locked === undefined) return;
  const { action, record } = locked;
  await end(trx, ref, 'refused', outcome, now, by);
  const lines = settledLines(record, action, false);
  await storeLines(trx, record, lines);
  await storeOrder(trx, record, lines, locked.row.state === 'unclear' ? -1 : 0, now);
  const kind = by.source === 'user' && by.resolution === undefined ? 'action_withdrawn' : 'action_refused';
  await note(trx, record, by.resolution === undefined ? kind : 'action_resolved', action, now, by);
}

const counters = {
  ship: { waiting: 'ship_waiting', booked: 'shipped' },
  cancel: { waiting: 'cancel_waiting', booked: 'cancelled' },
  return: { waiting: 'return_waiting', booked: 'returned' },
} as const;

/** Returns the lines after the action has ended: its reserved pieces are booked if it happened, released if not. */
function settledLines({ lines }: OrderRecord, action: OrderAction, succeeded: boolean): StoredLine[] {
  if (action.kind === 'refund') {
    const cents = succeeded ? action.cents : 0;
    return lines.map((line) =>
      line.line_id === action.line ? { ...line, refunded_cents: line.refunded_cents + cents } : { ...line },
    );
  }
  const { waiting, booked } = counters[action.kind];
  const pieces = new Map(piecesOf(action).map(({ line, quantity }) => [line, quantity]));
  return lines.map((line) => {
    const quantity = pieces.get(line.line_id) ?? 0;
    return { ...line, [waiting]: line[waiting] - quantity, [booked]: line[booked] + (succeeded ? quantity : 0) };
  });
}

/** Marks the result as unknown: people have to check and report it. The pieces stay reserved. */
export async function leaveUnclear(
  trx: Trx,
  ref: ActionRef,
  message: string,
  now: Date,
): Promise<OrderRecord | undefined> {
  const locked = await lockAction(trx, ref);
  if (locked === undefined || locked.row.state === 'unclear') return undefined;
  await trx
    .updateTable('order_actions')
    .set({ state: 'unclear', message, lease_until: null })
    .where((eb) => eb.and(ref))
    .execute();
  await storeOrder(trx, locked.record, locked.record.lines, 1, now);
  await note(trx, locked.record, 'action_unclear', locked.action, now, byProgram);
  return locked.record;
}

async function end(
  trx: Trx,
  ref: ActionRef,
  state: 'done' | 'refused',
  { reference, message, issues }: Outcome,
  now: Date,
  by: EndedBy,
): Promise<void> {
  await trx
    .updateTable('order_actions')
    .set({
      state,
      message,
      issues: JSON.stringify(issues),
      ended_at: now,
      lease_until: null,
      ...(reference === '' ? {} : { reference }),
      ...(by.resolution === undefined ? {} : { resolved_by: by.author, resolution: by.resolution }),
    })
    .where((eb) => eb.and(ref))
    .where('state', '=', anyOf([...inFlight]))
    .execute();
}

async function storeLines(trx: Trx, { order }: OrderRecord, lines: OrderRecord['lines']): Promise<void> {
  for (const line of lines) {
    const { shipped, cancelled, returned, ship_waiting, cancel_waiting, return_waiting, refunded_cents } = line;
    await trx
      .updateTable('order_lines')
      .set({ shipped, cancelled, returned, ship_waiting, cancel_waiting, return_waiting, refunded_cents })
      .where((eb) =>
        eb.and({ company: order.company, channel: order.channel, order_id: order.order_id, line_id: line.line_id }),
      )
      .execute();
  }
}

async function storeOrder(
  trx: Trx,
  { order }: OrderRecord,
  lines: OrderRecord['lines'],
  unclear: number,
  now: Date,
): Promise<void> {
  const state = orderState(order.pending, lines);
  const { shipped_at, cancelled_at } = order;
  const next = {
    ...order,
    ...state,
    shipped_at: state.state === 'shipped' ? (shipped_at ?? (await lastShipped(trx, order)) ?? now) : shipped_at,
    cancelled_at: state.state === 'cancelled' ? (cancelled_at ?? now) : cancelled_at,
  };
  await trx
    .updateTable('order_persons')
    .set({ erase_after: eraseAfter(next) })
    .where((eb) => eb.and({ company: order.company, channel: order.channel, order_id: order.order_id }))
    .execute();
  await trx
    .updateTable('orders')
    .set((eb) => ({
      ...state,
      unclear: eb('unclear', '+', unclear),
      shipped_at: next.shipped_at,
      cancelled_at: next.cancelled_at,
    }))
    .where((eb) => eb.and({ company: order.company, channel: order.channel, order_id: order.order_id }))
    .execute();
}

/** When the last parcel left: what completes an order may be the cancellation of the rest, days later. */
async function lastShipped(trx: Trx, { company, channel, order_id }: OrderRecord['order']): Promise<Date | undefined> {
  const last = await trx
    .selectFrom('shipments')
    .select('shipped_at')
    .where((eb) => eb.and({ company, channel, order_id }))
    .where('state', '!=', 'cancelled')
    .orderBy('shipped_at', 'desc')
    .executeTakeFirst();
  return last?.shipped_at;
}

/** Stores the row of which the counters of the lines are the sum. */
async function storeMovement(
  trx: Trx,
  ids: Ids,
  { company, id: action }: ActionRef,
  { order, waiting }: OrderRecord,
  body: OrderAction,
  at: Date,
): Promise<void> {
  const row = { company, id: ids.id(), channel: order.channel, order_id: order.order_id, action };
  if (body.kind === 'ship') {
    const reference = waiting.find(({ id }) => id === action)?.reference ?? body.reference;
    await trx
      .insertInto('shipments')
      .values({
        ...row,
        reference: body.reference === '' ? reference : body.reference,
        carrier: body.carrier,
        tracking: body.tracking,
        return_tracking: body.returnTracking,
        shipped_at: body.shippedAt,
        source: 'us',
        state: 'shipped',
      })
      .execute();
    await trx
      .insertInto('shipment_lines')
      .values(body.lines.map(({ line, quantity }) => ({ company, shipment: row.id, line_id: line, quantity })))
      .execute();
    return;
  }
  const of = { ...row, line_id: body.line, reason: body.reason, at };
  if (body.kind === 'cancel')
    await trx
      .insertInto('cancellations')
      .values({ ...of, quantity: body.quantity, by_party: 'us' })
      .execute();
  else if (body.kind === 'return')
    await trx
      .insertInto('returns')
      .values({ ...of, quantity: body.quantity, state: 'accepted' })
      .execute();
  else
    await trx
      .insertInto('refunds')
      .values({ ...of, cents: body.cents, currency: body.currency })
      .execute();
}

function note(trx: Trx, { order }: OrderRecord, kind: EventKind, action: OrderAction, at: Date, by: EndedBy) {
  const { source, author, resolution } = by;
  // A user ends an action without a resolution only where no marketplace does it.
  const remote = source !== 'user' || resolution !== undefined;
  return addEvents(trx, [{ order, event: { kind, details: detailsOf(action, remote) } }], { source, author, at });
}
