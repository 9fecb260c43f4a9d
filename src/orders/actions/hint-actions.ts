import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { ActionNews } from '#marketplaces/port.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/**
 * Makes actions due now because the marketplace reports that it has processed them. The report is only a hint: the result is read
 * back.
 */
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
      // Parcels are excluded: their reference is a parcel number.
      .where('kind', '<>', 'ship')
      .where('reference', '=', anyOf(references))
      .where('not_before', '>', now)
      .execute();
  }
}
