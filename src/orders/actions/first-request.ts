import { isDeepStrictEqual } from 'node:util';
import type { OrderAction } from '#marketplaces/orders-port.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { actionText } from '#orders/list/event-text.ts';
import { readActionBody } from '#orders/model/action-body.ts';
import { detailsOf } from '#orders/model/action-details.ts';
import type { RequestContext, RequestedAction, WantedAction } from './request-action.ts';

/**
 * What the first click of a form became; undefined: this is the first. @throws KontorError where the form says something else by now
 * (its first answer was lost, and what it said was corrected), or where nothing came of the first
 */
export async function firstRequest(
  trx: Trx,
  { company, channel, order }: RequestContext,
  formKey: string,
  wanted: WantedAction,
): Promise<RequestedAction | undefined> {
  const found = await trx
    .selectFrom('order_actions')
    .select(['id', 'state', 'channel', 'order_id', 'kind', 'body', 'message'])
    .where((eb) => eb.and({ company, form_key: formKey }))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  if (found.channel !== channel || found.order_id !== order || found.kind !== wanted.kind)
    throw unprocessable(
      'key_used',
      'Dieser Schlüssel (Idempotency-Key) gehört schon zu einer anderen Aktion. Es wurde nichts geändert.',
    );
  const first = readActionBody(found.body);
  const words = actionText(detailsOf(first));
  if (!isSame(first, wanted))
    throw unprocessable(
      'key_used',
      `Schon beim ersten Absenden wurde vermerkt: ${words}. Was danach geändert wurde, ist nicht übernommen. Bitte schließen Sie das Formular, und sehen Sie in der Bestellung nach.`,
    );
  if (found.state === 'refused' || found.state === 'superseded')
    throw new KontorError(
      409,
      'ended',
      `Das erste Absenden hat nichts bewirkt (${words}): ${found.message} Für einen neuen Versuch öffnen Sie das Formular bitte noch einmal.`,
    );
  return { id: found.id, state: found.state };
}

/** Whether an action is what is wanted now. What is open is no other wish because the first one took some of it. */
function isSame(first: OrderAction, wanted: WantedAction): boolean {
  if (wanted.kind === 'ship') {
    const { carrier, tracking, returnTracking, lines } = wanted;
    if (first.kind !== 'ship' || first.carrier !== carrier || first.tracking !== tracking) return false;
    return first.returnTracking === returnTracking && (lines === 'open' || isDeepStrictEqual(first.lines, lines));
  }
  if (first.kind !== wanted.kind || first.line !== wanted.line || first.reason !== wanted.reason) return false;
  if (first.kind === 'refund') return wanted.kind === 'refund' && first.cents === wanted.cents;
  return wanted.kind !== 'refund' && first.quantity === wanted.quantity;
}
