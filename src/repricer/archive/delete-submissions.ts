import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { GOOD_PRICE_DAYS } from '#shared/repricer/state.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Rows checked per transaction: the embedded database answers no other request meanwhile. */
const BATCH = 1000;

/**
 * Nightly: deletes submissions that were sent, held or refused once the archive has their outcome and they are older than prices
 * can be restored. Of each offer two stay whatever their age: the latest sent one, by which the gate measures steps, and the
 * latest live one from before that period, which a restore may need. Returns the number deleted.
 */
export async function deleteSubmissions(
  { database, clock }: { database: Database; clock: Clock },
  company: string,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - GOOD_PRICE_DAYS * DAY_MS);
  let deleted = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    signal.throwIfAborted();
    const afterKey: string = after;
    const some = await database.company(company, (trx) => deleteBatch(trx, company, afterKey, before));
    deleted += some.gone;
    after = some.to;
  }
  return deleted;
}

/** `to`: the last row checked; undefined if there are no more. */
async function deleteBatch(
  trx: Trx,
  company: string,
  after: string,
  before: Date,
): Promise<{ gone: number; to: string | undefined }> {
  // In key order, so that rows that stay are not checked again.
  const candidates = await trx
    .selectFrom('price_submissions')
    .select('id')
    .where('company', '=', company)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .execute();
  const to = candidates.at(-1)?.id;
  if (to === undefined) return { gone: 0, to };
  // One hour of tolerance for clocks of several machines: a price that ended about when the file was begun may have an older
  // outcome in it.
  const { numAffectedRows } = await pg`delete from price_submissions s
    where s.company = ${company} and s.id > ${after} and s.id <= ${to} and s.ended_at < ${before} and s.created_at < ${before}
      and s.state in ('live', 'invalid', 'held')
      and exists (select 1 from decision_archives a where a.company = s.company and a.from_id < s.decision and a.to_id >= s.decision
        and s.ended_at < a.outcomes_at - interval '1 hour')
      and (s.sent_at is null and s.state = 'held' or exists (select 1 from price_submissions n where n.item = s.item
        and n.company = s.company and n.master = s.master and n.marketplace = s.marketplace and n.created_at > s.created_at
        and n.ended_at < ${before} and case when s.state = 'live' then n.state = 'live' else n.sent_at is not null end))`.execute(
    trx,
  );
  return { gone: Number(numAffectedRows ?? 0), to };
}
