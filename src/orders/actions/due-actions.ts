import { actionKinds, type OrderAction } from '#marketplaces/orders-port.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Row } from '#platform/db/row.ts';
import { readActionBody } from '#orders/model/action-body.ts';
import { lockOrders } from '#orders/model/load-orders.ts';
import type { OrderRecord } from '#orders/model/order-record.ts';
import { FLOW, unansweredText } from './action-flow.ts';

const columns = [
  'company',
  'id',
  'channel',
  'order_id',
  'kind',
  'state',
  'body',
  'reference',
  'sends',
  'reads',
  'fence',
  'sent_at',
] as const;
/** A due action; its body is not parsed yet. */
export type DueAction = Row<'order_actions', (typeof columns)[number]>;
export type StartedSend = { row: DueAction; action: OrderAction };

/**
 * Marks sends whose lease has run out as unknown: their process died, so they may or may not have happened. Those of `served`
 * accounts (`company/channel`) are still under way in this process. Runs in a system transaction.
 */
export async function expireSends(trx: Trx, now: Date, served: readonly string[]): Promise<void> {
  await trx
    .updateTable('order_actions')
    .set({ state: 'unknown', not_before: now, lease_until: null, message: unansweredText })
    .where('state', '=', 'sending')
    .where('lease_until', '<', now)
    .where((eb) => eb.not(eb(pg<string>`company || '/' || channel`, '=', anyOf(served))))
    .execute();
}

/**
 * Returns due actions of the given states and kinds, the longest waiting first, at most `limit` per active account. Runs in a
 * system transaction.
 */
export function dueActions(
  trx: Trx,
  { states, kinds = actionKinds }: { states: readonly DueAction['state'][]; kinds?: readonly DueAction['kind'][] },
  now: Date,
  limit: number,
): Promise<DueAction[]> {
  return trx
    .selectFrom('marketplace_accounts as a')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('order_actions as o')
          .select(columns.map((column) => `o.${column}` as const))
          .whereRef('o.company', '=', 'a.company')
          .whereRef('o.channel', '=', 'a.id')
          .where('o.state', '=', anyOf([...states]))
          .where('o.kind', '=', anyOf([...kinds]))
          .where('o.not_before', '<=', now)
          .orderBy('o.not_before')
          .orderBy('o.id')
          .limit(limit)
          .as('due'),
      (join) => join.onTrue(),
    )
    .selectAll('due')
    .where('a.active', '=', true)
    .execute();
}

/**
 * Starts the send of one action: locks its order, checks again whether it may be sent, numbers the parcel and commits the intent.
 * Returns undefined if it must not be sent now or another process has taken it.
 */
export async function beginSend(database: Database, due: DueAction, now: Date): Promise<StartedSend | undefined> {
  const { company, id, channel, order_id } = due;
  return database.company(company, async (trx) => {
    const record = (await lockOrders(trx, company, channel, [order_id])).get(order_id);
    const waiting = record?.waiting.find((one) => one.id === id);
    if (record === undefined || waiting?.state !== 'new') return undefined;
    const held = whyHeld(record, due.kind);
    if (held !== undefined) {
      // One that was sent without an answer may have happened: it is read back instead, so that its parcel is found.
      const readBack = waiting.sends > 0 ? ({ state: 'unknown', reads: 1 } as const) : {};
      await trx
        .updateTable('order_actions')
        .set({ ...readBack, not_before: new Date(now.getTime() + FLOW.heldLook), message: held })
        .where((eb) => eb.and({ company, id }))
        .execute();
      return undefined;
    }
    const action = readActionBody(due.body);
    if (action.kind === 'ship' && action.reference === '') action.reference = await nextParcel(trx, record);
    const row = await trx
      .updateTable('order_actions')
      .set((eb) => ({
        state: 'sending',
        body: JSON.stringify(action),
        // The parcel is found again by its number, whatever the answer to the send is.
        ...(action.kind === 'ship' ? { reference: action.reference } : {}),
        sends: eb('sends', '+', 1),
        fence: eb('fence', '+', 1),
        reads: 0,
        sent_at: now,
        lease_until: new Date(now.getTime() + FLOW.leaseMs),
      }))
      .where((eb) => eb.and({ company, id, state: 'new' }))
      .returning(columns)
      .executeTakeFirst();
    return row && { row, action };
  });
}

/** Returns why an action must not be sent now, even if it was allowed when it was requested. */
function whyHeld({ order }: OrderRecord, kind: DueAction['kind']): string | undefined {
  if (kind !== 'ship') return undefined;
  if (order.pending || order.hold === 'fraud') return 'Wartet: die Bestellung ist nicht zum Versand freigegeben.';
  if (order.hold === 'cancel_requested' && order.wish_declined_at === null)
    return 'Wartet: der Käufer möchte stornieren. Bitte entscheiden Sie zuerst.';
  return undefined;
}

/** Returns the number by which the marketplace will know the parcel: above every number used there or here. */
async function nextParcel(trx: Trx, { order, shipments, waiting }: OrderRecord): Promise<string> {
  const usedNumbers = [...shipments, ...waiting].map(({ reference }) =>
    /^\d{1,9}$/.test(reference) ? Number(reference) : 0,
  );
  const parcels = Math.max(order.parcels, ...usedNumbers) + 1;
  await trx
    .updateTable('orders')
    .set({ parcels })
    .where((eb) => eb.and({ company: order.company, channel: order.channel, order_id: order.order_id }))
    .execute();
  return String(parcels);
}
