import { createHash } from 'node:crypto';
import type { Trx } from '#platform/db/database.ts';
import type { StoredLine, StoredOrder } from '#orders/model/order-record.ts';
import type { MoneyBack } from '#orders/model/refundable.ts';
import type { WantedAction, WantedLine } from './request-action.ts';

/**
 * Returns a key of the pieces an action is about, counted from each line's first piece: a repeated request gets the same key, the
 * next pieces another. After a refusal the count starts lower and may meet the key of a later action that still holds; a repeat
 * number keeps them apart. The order must be locked.
 */
export async function freeActionKey(
  trx: Trx,
  { company, channel, order_id }: StoredOrder,
  lines: readonly WantedLine[],
  wanted: WantedAction,
  moneyBack: readonly MoneyBack[],
): Promise<string> {
  const intervals = lines.map(({ line, quantity }) => [
    line.line_id,
    firstOf(line, wanted.kind, moneyBack),
    wanted.kind === 'refund' ? wanted.cents : quantity,
  ]);
  const parts = [channel, order_id, wanted.kind, intervals, wanted.kind === 'ship' ? wanted.tracking : ''];
  for (let repeats = 0; ; repeats++) {
    const key = createHash('sha256')
      .update(JSON.stringify(repeats === 0 ? parts : [...parts, repeats]))
      .digest('hex');
    const taken = await trx
      .selectFrom('order_actions')
      .select('id')
      .where((eb) => eb.and({ company, action_key: key }))
      .where('state', 'not in', ['refused', 'superseded'])
      .executeTakeFirst();
    if (taken === undefined) return key;
  }
}

function firstOf(line: StoredLine, kind: WantedAction['kind'], moneyBack: readonly MoneyBack[]): number {
  if (kind === 'ship') return line.shipped + line.ship_waiting;
  if (kind === 'cancel') return line.cancelled + line.cancel_waiting;
  if (kind === 'return') return line.returned + line.return_waiting;
  const waiting = moneyBack.filter((one) => one.kind === 'refund' && !one.done && one.line === line.line_id);
  return line.refunded_cents + waiting.reduce((sum, { cents }) => sum + cents, 0);
}
