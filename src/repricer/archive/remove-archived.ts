import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Archive } from './archives.ts';

/**
 * Deletes the decisions that a file has now, but for the newest of each own offer, which pages and breakers look up whatever its age; also
 * such copies of earlier files that are the newest no more. @throws where anything but what the file has would be gone
 */
export async function removeArchived(trx: Trx, archive: Archive): Promise<void> {
  const { company, from_id, to_id, decisions } = archive;
  await pg`set local statement_timeout = 0`.execute(trx);
  await removeBetween(trx, company, 0, from_id);
  const removed = await removeBetween(trx, company, from_id, to_id);
  const { left } = await trx
    .selectFrom('price_decisions')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('company', '=', company)
    .where('id', '>', from_id)
    .where('id', '<=', to_id)
    .executeTakeFirstOrThrow();
  if (removed + left !== decisions) throw new Error(`${archive.key}: ${removed} + ${left} instead of ${decisions}`);
}

/** Each newer decision is looked up by itself: a join would read all decisions that there are. */
async function removeBetween(trx: Trx, company: string, from: number, to: number): Promise<number> {
  const { numAffectedRows } = await pg`delete from price_decisions d
    where d.company = ${company} and d.id > ${from}::bigint and d.id <= ${to}::bigint
      and (d.id < (select n.id from price_decisions n where n.item = d.item and n.company = d.company and n.master = d.master
          and n.marketplace = d.marketplace order by n.id desc limit 1)
        or not exists (select 1 from listings l where l.company = d.company and l.master = d.master
          and l.marketplace = d.marketplace and l.item = d.item))`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
