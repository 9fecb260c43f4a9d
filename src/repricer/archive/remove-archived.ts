import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { archivedUpTo } from './archives.ts';

/** Rows checked per transaction: the embedded database answers no other request meanwhile. */
const BATCH = 1000;

/**
 * Deletes archived decisions after id `after`; an interrupted run is continued the next night. The latest of each own offer stays
 * while it is the latest: pages and breakers look it up whatever its age.
 */
export async function removeArchived(
  database: Database,
  company: string,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  let from: number | undefined = after;
  while (from !== undefined) {
    signal.throwIfAborted();
    const afterId: number = from;
    from = await database.company(company, (trx) => removeSome(trx, company, afterId));
  }
}

/** Returns the last id checked; undefined if there are no more. */
async function removeSome(trx: Trx, company: string, after: number): Promise<number | undefined> {
  const some = trx
    .selectFrom('price_decisions')
    .select('id')
    .where('company', '=', company)
    .where('id', '>', after)
    .where('id', '<=', archivedUpTo(trx, company))
    .orderBy('id')
    .limit(BATCH);
  const { to } = await trx
    .selectFrom(some.as('d'))
    .select((eb) => eb.fn.max<number | null>('d.id').as('to'))
    .executeTakeFirstOrThrow();
  if (to === null) return undefined;
  // A subquery per row finds the newer decision: a join would read all decisions.
  await pg`delete from price_decisions d where d.company = ${company} and d.id > ${after}::bigint and d.id <= ${to}::bigint
      and (d.id < (select n.id from price_decisions n where n.item = d.item and n.company = d.company and n.master = d.master
          and n.marketplace = d.marketplace order by n.id desc limit 1)
        or not exists (select 1 from listings l where l.company = d.company and l.master = d.master
          and l.marketplace = d.marketplace and l.item = d.item))`.execute(trx);
  return to;
}
