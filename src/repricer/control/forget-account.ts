import type { Trx } from '#platform/db/database.ts';

/** The account is no more: our offers in it are none any longer, prices on their way to it end. Decisions stay. */
export async function forgetAccount(
  trx: Trx,
  { company, id, masterid }: { company: string; id: string; masterid: string },
): Promise<void> {
  await trx
    .updateTable('price_submissions')
    .set((eb) => ({ state: 'held', held: 'ACCOUNT_GONE', lease_until: null, ended_at: eb.fn<Date>('now') }))
    .where('company', '=', company)
    .where('account', '=', id)
    .where('state', 'in', ['new', 'sending', 'accepted', 'unknown'])
    .execute();
  await trx.deleteFrom('price_previews').where('company', '=', company).where('account', '=', id).execute();
  await trx.deleteFrom('item_sales').where('company', '=', company).where('account', '=', id).execute();
  await trx
    .updateTable('item_alarms')
    .set((eb) => ({
      released_at: eb.fn<Date>('now'),
      released_by: '',
      reason: 'Konto beim Marktplatz gelöscht',
    }))
    .where((eb) => eb.and({ company, master: masterid, released_at: null }))
    .where((eb) => {
      const sold = eb
        .selectFrom('listings')
        .select(['marketplace', 'item'])
        .where((l) => l.and({ 'listings.company': company, 'listings.master': masterid, account: id }));
      return eb(eb.refTuple('marketplace', 'item'), 'in', sold.$asTuple('marketplace', 'item'));
    })
    .execute();
  await trx
    .deleteFrom('listings')
    .where((eb) => eb.and({ company, master: masterid, account: id }))
    .execute();
}
