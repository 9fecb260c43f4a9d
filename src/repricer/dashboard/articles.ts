import type { Tables } from '#platform/db/tables.ts';
import { expressionBuilder, type Expression, type InferResult, type SqlBool } from 'kysely';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { articleKey, storedOffers } from '#repricer/model/article-offers.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { accountsOf, ownOffersOf, type DashboardPlace } from './place.ts';
import type { PageStart, PageStarts } from './page-starts.ts';
import { ownSellers } from '#repricer/decide/reprice-load.ts';
import { rivalEntry, rivalOf, RIVAL_MARK, type Rival } from '#repricer/model/offer-rank.ts';

/** Which of our own offers: all, those on a rank (0: on none), or those whose article a competitor also offers. */
export type Chosen = { kind: 'all' } | { kind: 'rank'; rank: number } | { kind: 'rival'; seller: string };
export type PageRequest = { offset: number; limit: number };

/** A stored row of one of our offers, with one competitor. */
export type ArticleRow = InferResult<ReturnType<typeof articleRows>>[number];
const articleRows = (trx: Trx) =>
  trx
    .selectFrom('listings as l')
    .select(['l.item', 'l.master', 'l.marketplace', 'l.product_id as productId', 'l.condition', 'l.currency'])
    .select(['l.fulfilment', 'l.price_cents', 'l.own_rank', 'l.own_box', 'l.messages', 'l.offers_at'])
    .select(['l.rival', 'l.rival_cents', 'l.rival_shipping_cents', 'l.rival_box', 'l.rival_rank'])
    .select((eb) => eb.fn.coalesce('l.shown_shipping_cents', 'l.shipping_cents').as('shipping_cents'));

function chosenRows(ref: DashboardPlace, chosen: Chosen) {
  if (chosen.kind === 'all') return ownOffersOf(ref);
  if (chosen.kind === 'rank') {
    const eb = expressionBuilder<{ l: Tables['listings'] }, 'l'>();
    return eb.and([ownOffersOf(ref), eb(eb.fn.coalesce('l.own_rank', eb.lit(0)), '=', chosen.rank)]);
  }
  const entries = [true, false].map((box) => RIVAL_MARK + rivalEntry(chosen.seller, box) + RIVAL_MARK);
  // Raw SQL: texts concatenated around a column.
  return pg<boolean>`${ownOffersOf(ref)} and (strpos(${RIVAL_MARK} || l.rivals || ${RIVAL_MARK}, ${entries[0] ?? ''}) > 0
    or strpos(${RIVAL_MARK} || l.rivals || ${RIVAL_MARK}, ${entries[1] ?? ''}) > 0)`;
}

/** Returns a page in key order; `total` is counted only for the whole list, where progress is shown. */
export async function articlePage(
  trx: Trx,
  ref: DashboardPlace,
  chosen: Chosen,
  { offset, limit }: PageRequest,
  starts: PageStarts,
): Promise<{ rows: ArticleRow[]; total: number }> {
  const list = JSON.stringify([ref.company, ref.masterid ?? '', accountsOf(ref), chosen]);
  const condition = chosenRows(ref, chosen);
  const known = starts.of(list, offset);
  const total = known?.total ?? (chosen.kind === 'all' ? await totalOf(trx, condition) : 0);
  const after = known?.after ?? (await rowBefore(trx, condition, offset));
  if (after === undefined) return { rows: [], total };
  const rows = await articleRows(trx)
    .where(condition)
    .where((eb) =>
      eb(
        eb.refTuple('l.master', 'l.marketplace', 'l.item'),
        '>',
        eb.tuple(after.master, after.marketplace, after.item),
      ),
    )
    .orderBy('l.master')
    .orderBy('l.marketplace')
    .orderBy('l.item')
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  if (last !== undefined) starts.keep(list, offset + rows.length, { after: last, total });
  return { rows: chosen.kind === 'rival' ? await withRivalOffers(trx, ref, rows, chosen.seller) : rows, total };
}

type Condition = Expression<SqlBool>;

async function totalOf(trx: Trx, condition: Condition): Promise<number> {
  const { n } = await trx
    .selectFrom('listings as l')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where(condition)
    .executeTakeFirstOrThrow();
  return n;
}

/** Returns the row before the page, found by counting; undefined if the list is shorter. */
async function rowBefore(trx: Trx, condition: Condition, offset: number): Promise<PageStart['after'] | undefined> {
  if (offset === 0) return { master: '', marketplace: '', item: '' };
  return trx
    .selectFrom('listings as l')
    .select(['l.master', 'l.marketplace', 'l.item'])
    .where(condition)
    .orderBy('l.master')
    .orderBy('l.marketplace')
    .orderBy('l.item')
    .offset(offset - 1)
    .limit(1)
    .executeTakeFirst();
}

/** Articles whose offers are in memory at once. */
const PIECE = 5000;

/** Returns the same rows with this competitor's offer instead of the cheapest competitor's. */
async function withRivalOffers(
  trx: Trx,
  ref: DashboardPlace,
  rows: readonly ArticleRow[],
  seller: string,
): Promise<ArticleRow[]> {
  const ownSeller = { seller: [...ref.sellers.keys()][0], all: new Set(await ownSellers(trx, ref.company)) };
  await disableSeqScans(trx);
  const done: ArticleRow[] = [];
  for (const list of Map.groupBy(rows, ({ master, marketplace }) => `${master}\n${marketplace}`).values()) {
    for (let from = 0; from < list.length; from += PIECE) {
      const some = list.slice(from, from + PIECE);
      const offers = await offersOf(trx, ref.company, some);
      for (const row of some) {
        const found = rivalOf(offers.get(articleKey(row))?.offers ?? [], row, ownSeller, seller);
        done.push({ ...row, ...rivalColumns(seller, found) });
      }
    }
  }
  return done;
}

/** Returns the stored offers of articles, all of one catalogue and marketplace. */
async function offersOf(trx: Trx, company: string, rows: readonly ArticleRow[]) {
  const [{ master: masterid, marketplace } = { master: '', marketplace: '' }] = rows;
  const productIds = rows.map(({ productId }) => productId);
  return storedOffers(trx, { company, masterid }, marketplace, productIds);
}

const rivalColumns = (seller: string, rival: Rival | undefined) => ({
  rival: seller,
  rival_cents: rival?.offer.listing_price_cents ?? null,
  rival_shipping_cents: rival?.offer.shipping_cents ?? null,
  rival_box: rival?.box ?? false,
  rival_rank: rival?.rank ?? null,
});
