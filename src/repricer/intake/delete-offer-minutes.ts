import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Articles processed at once, and rows that one transaction deletes. */
const ARTICLES = 500;
const BATCH = 5000;

type Article = { master: string; marketplace: string; productId: string };
type Deps = { database: Database; clock: Clock; keptDays: { offerMinutes: number } };

/**
 * Nightly: deletes sellers' prices by minute that are older than they are kept. No article needs its last minute: its current
 * offers are in `article_offers`. Articles are processed one by one, because an article's rows are stored in order of time, a
 * company's are not.
 */
export async function deleteOfferMinutes(
  { database, clock, keptDays }: Deps,
  company: string,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - keptDays.offerMinutes * DAY_MS);
  let total = 0;
  let after: Article = { master: '', marketplace: '', productId: '' };
  for (;;) {
    const from = after;
    const articles = await database.company(company, (trx) => articlesBehind(trx, company, from));
    const last = articles.at(-1);
    if (last === undefined) return total;
    after = last;
    for (let deleted = BATCH; deleted === BATCH; total += deleted) {
      signal.throwIfAborted();
      deleted = await database.company(company, (trx) => deleteBatch(trx, company, articles, before));
    }
  }
}

/** Returns the next articles after this one. Every article with minutes also has current offers. */
const articlesBehind = (trx: Trx, company: string, { master, marketplace, productId }: Article): Promise<Article[]> =>
  trx
    .selectFrom('article_offers')
    .select(['master', 'marketplace', 'product_id as productId'])
    .distinct()
    .where('company', '=', company)
    .where((eb) =>
      eb(eb.refTuple('master', 'marketplace', 'product_id'), '>', eb.tuple(master, marketplace, productId)),
    )
    .orderBy('master')
    .orderBy('marketplace')
    .orderBy('product_id')
    .limit(ARTICLES)
    .execute();

async function deleteBatch(trx: Trx, company: string, articles: readonly Article[], before: Date): Promise<number> {
  const { numAffectedRows } = await pg`delete from offer_minutes where ctid = any(array(
    select m.ctid from unnest(${articles.map(({ master }) => master)}::text[], ${articles.map(({ marketplace }) => marketplace)}::text[],
        ${articles.map(({ productId }) => productId)}::text[]) as a(master, marketplace, product_id)
      cross join lateral (select o.ctid from offer_minutes o where o.company = ${company} and o.master = a.master
        and o.marketplace = a.marketplace and o.product_id = a.product_id and o.minute < ${before}::timestamptz limit ${BATCH}) m
    limit ${BATCH}))`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
