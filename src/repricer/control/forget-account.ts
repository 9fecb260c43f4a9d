import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** The account is no more: our offers in it are none any longer, prices on their way to it end. Decisions stay. */
export async function forgetAccount(
  trx: Trx,
  { company, id, masterid }: { company: string; id: string; masterid: string },
): Promise<void> {
  await pg`update price_submissions set state = 'held', held = 'ACCOUNT_GONE', lease_until = null, ended_at = now()
    where company = ${company} and account = ${id} and state in ('new', 'sending', 'accepted', 'unknown')`.execute(trx);
  await pg`delete from price_previews where company = ${company} and account = ${id}`.execute(trx);
  await pg`delete from item_sales where company = ${company} and account = ${id}`.execute(trx);
  await pg`update item_alarms set released_at = now(), released_by = '', reason = 'Konto beim Marktplatz gelöscht'
    where company = ${company} and master = ${masterid} and released_at is null and (marketplace, item) in (
      select marketplace, item from listings where company = ${company} and master = ${masterid} and account = ${id})`.execute(
    trx,
  );
  await pg`delete from listings where company = ${company} and master = ${masterid} and account = ${id}`.execute(trx);
}
