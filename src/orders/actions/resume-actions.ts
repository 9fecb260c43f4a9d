import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { Trx } from '#platform/db/database.ts';

/** Makes waiting actions of an account due now: its access was changed, and was the reason why most of them wait. */
export async function resumeActions(trx: Trx, { company, id }: Account, now: Date): Promise<void> {
  await trx
    .updateTable('order_actions')
    .set({ not_before: now })
    .where((eb) => eb.and({ company, channel: id, state: 'new' }))
    .where('not_before', '>', now)
    .execute();
}
