import { type Account, listAccounts } from '#marketplaces/accounts/accounts.ts';
import { addNotification } from '#notifications/notifications.ts';
import type { Trx } from '#platform/db/database.ts';
import { currencyOfLimits } from '#repricer/model/limits-currency.ts';
import { saveSwitches } from './state.ts';

/** Ends unfinished prices of a deleted account and deletes its listings. Decisions stay. */
export async function deleteAccountData(
  trx: Trx,
  { company, id, masterid, name }: Pick<Account, 'company' | 'id' | 'masterid' | 'name'>,
): Promise<void> {
  await stopOtherCurrency(trx, { company, id, masterid, name });
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

/**
 * Stops the catalogue if all its other accounts sell in one other currency: its limits would then be read as amounts in that
 * currency (ten euro become ten złoty). Nothing is sent until a person has checked.
 */
async function stopOtherCurrency(
  trx: Trx,
  { company, id, masterid, name }: Pick<Account, 'company' | 'id' | 'masterid' | 'name'>,
): Promise<void> {
  const accounts = (await listAccounts(trx, company)).filter((account) => account.masterid === masterid);
  const others = accounts.filter((account) => account.id !== id);
  const [before, after] = [accounts, others].map((list) => currencyOfLimits(list, masterid));
  if (others.length === 0 || before === undefined || after === undefined || before === after) return;
  await saveSwitches(trx, { company, masterid }, { stopped: true }, 'Kontor');
  await addNotification(trx, company, {
    id: `limits-currency-${id}`,
    event: 'blocked',
    title: 'Wartet auf Freigabe: Preise angehalten',
    text: `Mit dem Konto „${name}“ ging das letzte des Katalogs, das in ${before} verkauft. Seine Preisgrenzen gälten von jetzt an als Beträge in ${after}. Deshalb wurde der Notaus des Katalogs eingeschaltet. Bitte prüfen Sie die Preisfelder, bevor Sie ihn ausschalten.`,
    path: `/repricer/${masterid}`,
  });
}
