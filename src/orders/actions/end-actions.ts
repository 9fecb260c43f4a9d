import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { inFlight } from '#orders/model/load-orders.ts';
import { leaveUnclear, refuseAction } from './settle-action.ts';

const notSent = 'Nicht gesendet: das Konto beim Marktplatz wurde gelöscht.';
const unknown =
  'Das Konto beim Marktplatz wurde gelöscht, bevor bekannt war, was daraus wurde. Bitte sehen Sie dort nach und sagen Sie es hier.';

/**
 * Ends the waiting actions of a deleted account, which nothing will send or read back: actions never sent are refused and release
 * their pieces, the others become unclear for people to resolve. Its orders stay and are handled like those of a deleted channel
 * (`goneSupport`).
 */
export async function endActions(trx: Trx, { company, id: channel }: Pick<Account, 'company' | 'id'>, now: Date) {
  const actions = await trx
    .selectFrom('order_actions')
    .select(['id', 'state', 'sends'])
    .where((eb) => eb.and({ company, channel }))
    .where('state', 'in', inFlight)
    // Orders are always locked in the order of their ids, to avoid deadlocks.
    .orderBy('order_id')
    .orderBy('id')
    .execute();
  for (const { id, state, sends } of actions) {
    if (state === 'unclear') continue;
    const neverSent = state === 'new' && sends === 0;
    if (neverSent) await refuseAction(trx, { company, id }, { reference: '', message: notSent, issues: [] }, now);
    else await leaveUnclear(trx, { company, id }, unknown, now);
  }
  await trx
    .deleteFrom('order_hints')
    .where((eb) => eb.and({ company, channel }))
    .execute();
  await trx
    .deleteFrom('order_polls')
    .where((eb) => eb.and({ company, channel }))
    .execute();
}

/** Nightly: ends actions of deleted accounts that were requested during the deletion, or left waiting by an older version. */
export async function endStrandedActions(
  { database, clock }: { database: Database; clock: Clock },
  company: string,
): Promise<void> {
  await database.company(company, async (trx) => {
    const stranded = await trx
      .selectFrom('order_actions')
      .select('channel as id')
      .distinct()
      .where('company', '=', company)
      .where('state', 'in', inFlight)
      .where('state', '<>', 'unclear')
      .where('channel', 'not in', (eb) =>
        eb.selectFrom('marketplace_accounts').select('id').where('company', '=', company),
      )
      .orderBy('channel')
      .execute();
    for (const { id } of stranded) await endActions(trx, { company, id }, clock.now());
  });
}
