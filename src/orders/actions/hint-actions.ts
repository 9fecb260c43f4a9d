import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { ActionNews } from '#marketplaces/port.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** A marketplace has worked on these: what became of them is read now, not at the next look. What it says is a hint only. */
export async function hintActions(trx: Trx, company: string, news: readonly ActionNews[], now: Date): Promise<void> {
  const same = (one: string, other: string) => one.trim().toUpperCase() === other.trim().toUpperCase();
  for (const { id, sellerId } of await listAccounts(trx, company)) {
    const references = news
      .filter((one) => one.sellerId === '' || same(one.sellerId, sellerId))
      .map(({ reference }) => reference);
    if (references.length === 0) continue;
    await trx
      .updateTable('order_actions')
      .set({ not_before: now })
      .where((eb) => eb.and({ company, channel: id, state: 'submitted' }))
      // A parcel's reference is the number of the parcel.
      .where('kind', '<>', 'ship')
      .where('reference', '=', anyOf(references))
      .where('not_before', '>', now)
      .execute();
  }
}
