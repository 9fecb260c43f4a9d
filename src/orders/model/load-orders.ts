import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { readActionBody } from './action-body.ts';
import {
  piecesOf,
  type OrderRecord,
  type StoredLine,
  type StoredShipment,
  type WaitingAction,
} from './order-record.ts';

/** States of an action that has not ended: its pieces are reserved. */
export const inFlight = ['new', 'sending', 'submitted', 'unknown', 'unclear'] as const;

/**
 * Loads and locks orders of a channel, in the order of their keys, with everything their next state is computed from. Orders that
 * do not exist are missing.
 */
export async function lockOrders(
  trx: Trx,
  company: string,
  channel: string,
  ids: readonly string[],
): Promise<Map<string, OrderRecord>> {
  const orders = await trx
    .selectFrom('orders')
    .selectAll()
    .where((eb) => eb.and({ company, channel }))
    .where('order_id', '=', anyOf(ids))
    .orderBy('order_id')
    .forUpdate()
    .execute();
  if (orders.length === 0) return new Map();
  const linesOf = await linesIn(trx, company, channel, ids);
  const shipmentsOf = await shipmentsIn(trx, company, channel, ids);
  const waitingOf = await waitingIn(trx, company, channel, ids);
  return new Map(
    orders.map((order) => {
      const id = order.order_id;
      const [lines, shipments, waiting] = [linesOf.get(id) ?? [], shipmentsOf.get(id) ?? [], waitingOf.get(id) ?? []];
      return [id, { isNew: false, order, lines, shipments, waiting }];
    }),
  );
}

async function linesIn(
  trx: Trx,
  company: string,
  channel: string,
  ids: readonly string[],
): Promise<Map<string, StoredLine[]>> {
  const lines = await trx
    .selectFrom('order_lines')
    .selectAll()
    .where((eb) => eb.and({ company, channel }))
    .where('order_id', '=', anyOf(ids))
    .orderBy('position')
    .execute();
  return Map.groupBy(lines, ({ order_id }) => order_id);
}

async function shipmentsIn(
  trx: Trx,
  company: string,
  channel: string,
  ids: readonly string[],
): Promise<Map<string, StoredShipment[]>> {
  const shipments = await trx
    .selectFrom('shipments')
    .select(['order_id', 'id', 'reference', 'carrier', 'tracking', 'state', 'source', 'action'])
    .where((eb) => eb.and({ company, channel }))
    .where('order_id', '=', anyOf(ids))
    .execute();
  if (shipments.length === 0) return new Map();
  const contents = await trx
    .selectFrom('shipment_lines')
    .select(['shipment', 'line_id as line', 'quantity'])
    .where('company', '=', company)
    .where('shipment', '=', anyOf(shipments.map(({ id }) => id)))
    .execute();
  const contentsOf = Map.groupBy(contents, ({ shipment }) => shipment);
  const all = shipments.map((shipment) => ({ ...shipment, lines: contentsOf.get(shipment.id) ?? [] }));
  return Map.groupBy(all, ({ order_id }) => order_id);
}

/** The newest first: the latest action is superseded first. */
async function waitingIn(
  trx: Trx,
  company: string,
  channel: string,
  ids: readonly string[],
): Promise<Map<string, WaitingAction[]>> {
  const actions = await trx
    .selectFrom('order_actions')
    .select(['order_id', 'id', 'kind', 'state', 'reference', 'sends', 'body'])
    .where((eb) => eb.and({ company, channel }))
    .where('order_id', '=', anyOf(ids))
    .where('state', 'in', inFlight)
    .orderBy('created_at', 'desc')
    .execute();
  const all = actions.map(({ body, ...action }) => ({ ...action, lines: piecesOf(readActionBody(body)) }));
  return Map.groupBy(all, ({ order_id }) => order_id);
}
