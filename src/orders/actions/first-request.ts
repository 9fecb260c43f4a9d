import { isDeepStrictEqual } from 'node:util';
import type { OrderAction } from '#marketplaces/orders-port.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { actionText } from '#orders/list/event-text.ts';
import { readActionBody } from '#orders/model/action-body.ts';
import { detailsOf } from '#orders/model/action-details.ts';
import type { RequestContext, RequestedAction, WantedAction } from './request-action.ts';

/**
 * Returns the action that the first submission of a form created; undefined if this is the first. @throws KontorError if the form
 * was changed since (its first answer was lost and the input corrected), or if the first action came to nothing
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

/**
 * Returns whether the stored action is what is requested now. 'open' lines always match: the first action has taken some of them.
 */
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
