import type { Trx } from '#platform/db/database.ts';
import { readActionBody } from './action-body.ts';
import type { StoredLine, StoredOrder } from './order-record.ts';
import { goodsCents } from './order-state.ts';

/** Money that one of our actions refunds or may refund; completed refunds are in the line's `refunded_cents`. */
export type MoneyBack = {
  kind: 'cancel' | 'return' | 'refund';
  line: string;
  quantity: number;
  cents: number;
  done: boolean;
};

type Line = Pick<
  StoredLine,
  | 'line_id'
  | 'ordered'
  | 'unit_cents'
  | 'discount_cents'
  | 'shipping_cents'
  | 'cancelled'
  | 'cancel_waiting'
  | 'returned'
  | 'return_waiting'
  | 'refunded_cents'
>;

/**
 * Returns what can still be refunded of a line: the amount paid, less refunds made and those that waiting actions may make, of
 * any kind. Pieces cancelled by the channel were refunded there. 0 for a line without pieces left: all was refunded.
 */
export function refundableCents(line: Line, moneyBack: readonly MoneyBack[]): number {
  if (line.ordered - line.cancelled - line.cancel_waiting <= 0) return 0;
  const ours = moneyBack.filter((one) => one.line === line.line_id);
  const cancelledByUs = ours
    .filter(({ kind, done }) => kind === 'cancel' && done)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const cancelledThere = Math.max(0, line.cancelled - cancelledByUs);
  const paid = goodsCents(line, line.ordered - cancelledThere) + line.shipping_cents;
  return Math.max(0, paid - line.refunded_cents - ours.reduce((sum, { cents }) => sum + cents, 0));
}

/** Returns the refund for cancelled or returned pieces: their price, at most what the line has left to refund. */
export function piecesCents(line: Line, quantity: number, moneyBack: readonly MoneyBack[]): number {
  const left = line.ordered - line.cancelled - line.cancel_waiting - line.returned - line.return_waiting;
  const price = goodsCents(line, left) - goodsCents(line, left - quantity);
  return Math.max(0, Math.min(price, refundableCents(line, moneyBack)));
}

/** Returns what our actions on an order refunded or may refund. */
export async function moneyBackOf(
  trx: Trx,
  { company, channel, order_id }: Pick<StoredOrder, 'company' | 'channel' | 'order_id'>,
): Promise<MoneyBack[]> {
  const rows = await trx
    .selectFrom('order_actions')
    .select(['state', 'body'])
    .where((eb) => eb.and({ company, channel, order_id }))
    .where('kind', '<>', 'ship')
    .where('state', 'not in', ['refused', 'superseded'])
    .execute();
  return rows.flatMap(({ state, body }): MoneyBack[] => {
    const action = readActionBody(body);
    const done = state === 'done';
    if (action.kind === 'ship' || (action.kind === 'refund' && done)) return [];
    const { kind, line, cents } = action;
    return [{ kind, line, quantity: action.kind === 'refund' ? 0 : action.quantity, cents, done }];
  });
}
