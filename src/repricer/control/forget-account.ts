import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** The account is no more: our offers in it are none any longer, prices on their way to it end. Decisions stay. */
export async function forgetAccount(
  trx: Trx,
  { company, id, masterid }: { company: string; id: string; masterid: string },
): Promise<void> {
  await trx
    .updateTable('price_submissions')
    .set((eb) => ({ state: 'held', held: 'ACCOUNT_GONE', lease_until: null, ended_at: eb.fn<Date>('now') }))
    .where((eb) => eb.and({ company, account: id }))
    .where('state', 'in', ['new', 'sending', 'accepted', 'unknown'])
    .execute();
  await trx
    .deleteFrom('price_previews')
    .where((eb) => eb.and({ company, account: id }))
    .execute();
  await trx
    .deleteFrom('item_sales')
    .where((eb) => eb.and({ company, account: id }))
    .execute();
  await pg`update item_alarms set released_at = now(), released_by = '', reason = 'Konto beim Marktplatz gelöscht'
    where company = ${company} and master = ${masterid} and released_at is null and (marketplace, item) in (
      select marketplace, item from listings where company = ${company} and master = ${masterid} and account = ${id})`.execute(
    trx,
  );
  await trx
    .deleteFrom('listings')
    .where((eb) => eb.and({ company, master: masterid, account: id }))
    .execute();
}
