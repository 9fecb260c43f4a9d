import type { OrderAction } from '#marketplaces/orders-port.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import type { ActionState } from '#shared/orders/schema.ts';
import { carrierName } from '#orders/model/carrier-name.ts';
import { addEvents } from '#orders/model/events.ts';
import { lockOrders } from '#orders/model/load-orders.ts';
import {
  openPieces,
  piecesOf,
  returnablePieces,
  type OrderRecord,
  type StoredLine,
} from '#orders/model/order-record.ts';
import { lineRefusal, type ChannelSupport } from '#orders/model/possible.ts';
import { moneyBackOf, piecesCents, refundableCents, type MoneyBack } from '#orders/model/refundable.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { detailsOf } from '#orders/model/action-details.ts';
import { freeActionKey } from './action-key.ts';
import { firstRequest } from './first-request.ts';
import { finishAction } from './settle-action.ts';

/** An action that a user requests for an order. */
export type WantedAction =
  | {
      kind: 'ship';
      /** 'open': all open pieces of the order. */
      lines: readonly { line: string; quantity: number }[] | 'open';
      carrier: string;
      tracking: string;
      returnTracking: string;
    }
  | { kind: 'cancel' | 'return'; line: string; quantity: number; reason: string }
  | { kind: 'refund'; line: string; cents: number; reason: string };

export type RequestContext = {
  company: string;
  channel: string;
  order: string;
  author: string;
  /** The `Idempotency-Key` of the opened form: used again, it returns the result of the first click. */
  formKey: string | undefined;
  support: ChannelSupport | undefined;
  /** Whether the action is sent to a marketplace; if not, it is done as soon as it is stored. */
  remote: boolean;
  now: Date;
};
export type RequestedAction = { id: string; state: ActionState };

/**
 * Stores the intent of an action: checks it against the open pieces and the channel's abilities and reserves the pieces, in one
 * transaction with the order locked. @throws KontorError saying what is wrong; nothing was written then
 */
export async function requestAction(
  trx: Trx,
  ids: Ids,
  context: RequestContext,
  requested: WantedAction,
): Promise<RequestedAction> {
  const wanted =
    requested.kind === 'ship' ? { ...requested, carrier: carrierName(requested.carrier, context.support) } : requested;
  const { company, channel, order, formKey, now } = context;
  const record = (await lockOrders(trx, company, channel, [order])).get(order);
  if (record === undefined) throw notFound('Diese Bestellung');
  const before = formKey === undefined ? undefined : await firstRequest(trx, context, formKey, wanted);
  if (before !== undefined) return before;
  const lines = wantedLines(record, wanted);
  const moneyBack = wanted.kind === 'ship' ? [] : await moneyBackOf(trx, record.order);
  requirePossible(record, lines, wanted, context, moneyBack);
  const id = ids.id();
  const body = bodyOf(record, lines, wanted, { id, now, moneyBack });
  const made = await trx
    .insertInto('order_actions')
    .values({
      company,
      id,
      channel,
      order_id: order,
      kind: wanted.kind,
      action_key: await freeActionKey(trx, record.order, lines, wanted, moneyBack),
      form_key: formKey ?? null,
      body: JSON.stringify(body),
      state: 'new',
      not_before: now,
      created_by: context.author,
      created_at: now,
    })
    // Two requests at the same moment with the key of one form, or without the lock: the unique index decides.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) throw alreadyRequested();
  await adjustReserved(trx, record, body, 1);
  const by = { source: 'user' as const, author: context.author };
  if (!context.remote) {
    await finishAction(trx, ids, { company, id }, { reference: '', message: '', issues: [] }, now, by);
    return { id, state: 'done' };
  }
  await addEvents(trx, [{ order: record.order, event: { kind: 'action_new', details: detailsOf(body, true) } }], {
    ...by,
    at: now,
  });
  return { id, state: 'new' };
}

export type WantedLine = { line: StoredLine; quantity: number };

function wantedLines({ lines }: OrderRecord, wanted: WantedAction): WantedLine[] {
  const lineWishes =
    wanted.kind === 'ship'
      ? wanted.lines === 'open'
        ? allOpen(lines)
        : wanted.lines
      : [{ line: wanted.line, quantity: wanted.kind === 'refund' ? 0 : wanted.quantity }];
  if (lineWishes.length === 0) throw unprocessable('empty', 'Es wurde kein Stück gewählt. Es wurde nichts geändert.');
  const seen = new Set<string>();
  return lineWishes.map(({ line: id, quantity }) => {
    const line = lines.find(({ line_id }) => line_id === id);
    if (line === undefined) throw notFound('Diese Position der Bestellung');
    if (seen.has(id)) throw unprocessable('twice', 'Eine Position ist zweimal genannt. Es wurde nichts geändert.');
    seen.add(id);
    return { line, quantity };
  });
}

/** Returns all open pieces of an order; its first line if none is open, so that the refusal gives the reason. */
function allOpen(lines: readonly StoredLine[]): { line: string; quantity: number }[] {
  const open = lines.filter((line) => openPieces(line) > 0);
  if (open.length > 0) return open.map((line) => ({ line: line.line_id, quantity: openPieces(line) }));
  return lines.slice(0, 1).map((line) => ({ line: line.line_id, quantity: 1 }));
}

const wrong = (field: string, message: string) =>
  unprocessable('invalid', `${message} Es wurde nichts geändert.`, [{ field, message }]);

function requirePossible(
  { order }: OrderRecord,
  lines: readonly WantedLine[],
  wanted: WantedAction,
  { support, remote }: RequestContext,
  moneyBack: readonly MoneyBack[],
): void {
  for (const { line, quantity } of lines) {
    const refusal = lineRefusal(wanted.kind, order, line, support) ?? priceRefusal(line, wanted, remote);
    if (refusal !== undefined) throw new KontorError(409, 'not_possible', `${refusal} Es wurde nichts geändert.`);
    if (wanted.kind === 'refund') {
      requireFirst(line, wanted.cents, order.currency, moneyBack);
      const most = refundableCents(line, moneyBack);
      if (wanted.cents > most) throw wrong('cents', mostText(most, order.currency));
      continue;
    }
    const most = wanted.kind === 'return' ? returnablePieces(line) : openPieces(line);
    if (quantity > most) throw wrong('quantity', `Nur noch ${most} offen.`);
    if (wanted.kind === 'ship' && support?.partialShip === false && quantity < most)
      throw wrong('quantity', 'Dieser Kanal nimmt nur ganze Positionen als versandt.');
    if (wanted.kind === 'cancel' && support !== undefined && support.cancelScope !== 'quantity' && quantity < most)
      throw wrong('quantity', 'Dieser Kanal storniert nur ganze Positionen.');
  }
  if (support === undefined) return;
  if (wanted.kind === 'ship') {
    if (!support.otherCarriers && !support.carriers.includes(wanted.carrier))
      throw wrong('carrier', `Der Kanal kennt diesen Versanddienst nicht. Er nimmt: ${support.carriers.join(', ')}.`);
    if (support.returnTracking === 'required' && wanted.returnTracking === '')
      throw wrong('returntracking', 'Dieser Kanal verlangt eine Sendungsnummer für die Retoure.');
    return;
  }
  const reasons = support.actions[wanted.kind]?.reasons ?? [];
  if (reasons.length > 0 && !reasons.includes(wanted.reason))
    throw wrong('reason', `Der Kanal kennt diesen Grund nicht. Er nimmt: ${reasons.join(', ')}.`);
}

/**
 * Returns why a return is refused: the marketplace pays the amount we send, so without a price nothing would be refunded, yet the
 * return would count as done.
 */
function priceRefusal(line: StoredLine, { kind }: WantedAction, remote: boolean): string | undefined {
  if (kind !== 'return' || !remote || line.unit_cents !== null) return undefined;
  return 'Der Preis dieser Position ist noch nicht bekannt; es ist nicht zu sagen, wie viel zurückgezahlt wird.';
}

/** Refuses a second refund of the same amount while one is waiting: most often the user did not see the first one. */
function requireFirst(line: StoredLine, cents: number, currency: string, moneyBack: readonly MoneyBack[]): void {
  const isSame = (one: MoneyBack) =>
    one.kind === 'refund' && !one.done && one.line === line.line_id && one.cents === cents;
  if (!moneyBack.some(isSame)) return;
  throw new KontorError(
    409,
    'not_possible',
    `Diese Erstattung ist schon unterwegs: über ${moneyText(cents, currency)} zu dieser Position wartet eine, deren Ende noch nicht feststeht. Dieselbe noch einmal geht erst, wenn sie erledigt, zurückgezogen oder geklärt ist. Es wurde nichts geändert.`,
  );
}

const alreadyRequested = () =>
  new KontorError(
    409,
    'not_possible',
    'Diese Aktion wurde im selben Moment schon einmal verlangt. Es wurde nichts geändert; bitte laden Sie die Seite neu.',
  );

const mostText = (most: number, currency: string): string =>
  most === 0
    ? 'Zu dieser Position ist nichts mehr zu erstatten: alles ist zurückgezahlt, oder eine Stornierung, Retoure oder Erstattung darüber ist unterwegs.'
    : `Es kann höchstens noch ${moneyText(most, currency)} erstattet werden.`;

function bodyOf(
  { order }: OrderRecord,
  lines: readonly WantedLine[],
  wanted: WantedAction,
  { id, now, moneyBack }: { id: string; now: Date; moneyBack: readonly MoneyBack[] },
): OrderAction {
  const on = { order: order.order_id, idemKey: id, orderedAt: order.placed_at };
  if (wanted.kind === 'ship')
    return {
      ...on,
      kind: 'ship',
      // Assigned when the action is sent: by then the marketplace may know parcels that we do not.
      reference: '',
      shippedAt: now,
      carrier: wanted.carrier,
      tracking: wanted.tracking,
      returnTracking: wanted.returnTracking,
      lines: lines.map(({ line, quantity }) => ({ line: line.line_id, quantity })),
    };
  const [first] = lines;
  if (first === undefined) throw new Error('an order action has no line');
  const { line, reason, kind } = wanted;
  const { currency } = order;
  if (kind === 'refund') return { ...on, kind, line, reason, cents: wanted.cents, currency };
  const { quantity } = wanted;
  const { ordered } = first.line;
  const cents = piecesCents(first.line, quantity, moneyBack);
  if (kind === 'cancel') return { ...on, kind, line, quantity, ordered, reason, cents, currency };
  return { ...on, kind, line, quantity, reason, cents, currency };
}

const waitingColumn = { ship: 'ship_waiting', cancel: 'cancel_waiting', return: 'return_waiting' } as const;

/**
 * Reserves pieces for an action (`sign` 1) or releases them (-1). The order must be locked; check constraints of the database
 * guard it as well.
 */
export async function adjustReserved(
  trx: Trx,
  { order }: OrderRecord,
  action: OrderAction,
  sign: 1 | -1,
): Promise<void> {
  if (action.kind === 'refund') return;
  const column = waitingColumn[action.kind];
  for (const { line, quantity } of piecesOf(action))
    await trx
      .updateTable('order_lines')
      .set((eb) => ({ [column]: eb(column, '+', sign * quantity) }))
      .where((eb) =>
        eb.and({ company: order.company, channel: order.channel, order_id: order.order_id, line_id: line }),
      )
      .execute();
}
