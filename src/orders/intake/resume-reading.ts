import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { Trx } from '#platform/db/database.ts';
import { POLL } from './poll-walks.ts';

/** Makes orders of an account due now that could not be read: its access was changed, and was the reason for most failures. */
export async function resumeReading(trx: Trx, { company, id: channel }: Account, now: Date): Promise<void> {
  await trx
    .updateTable('order_hints')
    .set({ not_before: now })
    .where((eb) => eb.and({ company, channel }))
    .where('tries', '>', 0)
    .where('not_before', '>', now)
    .execute();
  const due = new Date(now.getTime() - POLL.every);
  const failed = trx.updateTable('order_polls').where((eb) => eb.and({ company, channel }));
  await failed.set({ polled_at: due }).where('failed_since', 'is not', null).where('polled_at', '>', due).execute();
  await failed.set({ back_not_before: now }).where('back_not_before', '>', now).execute();
}
