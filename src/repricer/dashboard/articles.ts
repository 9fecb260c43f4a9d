import type { Fulfilment } from '#marketplaces/port.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { articleKey, storedOffers } from '#repricer/model/article-offers.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { accountsOf, ownOffersOf, type DashboardPlace } from './place.ts';
import type { PageStart, PageStarts } from './page-starts.ts';
import { ownSellers } from '#repricer/decide/reprice-load.ts';
import { rivalEntry, rivalOf, RIVAL_MARK, type Rival } from '#repricer/model/offer-rank.ts';

/** Which of the own offers: all, those on a rank (0: on none), those in whose article a competitor offers too. */
export type Chosen = { kind: 'all' } | { kind: 'rank'; rank: number } | { kind: 'rival'; seller: string };
export type PageRequest = { offset: number; limit: number };

/** One of our offers as its row has it, beside one competitor. */
export type ArticleRow = {
  item: string;
  master: string;
  marketplace: string;
  productId: string;
  condition: string;
  currency: string;
  fulfilment: Fulfilment;
  price_cents: number | null;
  shipping_cents: number | null;
  own_rank: number | null;
  own_box: boolean;
  rival: string | null;
  rival_cents: number | null;
  rival_shipping_cents: number | null;
  rival_box: boolean;
  rival_rank: number | null;
  messages: number;
};

function chosenRows(place: DashboardPlace, chosen: Chosen) {
  if (chosen.kind === 'all') return ownOffersOf(place);
  if (chosen.kind === 'rank') return pg`${ownOffersOf(place)} and coalesce(l.own_rank, 0) = ${chosen.rank}`;
  const entries = [true, false].map((box) => RIVAL_MARK + rivalEntry(chosen.seller, box) + RIVAL_MARK);
  return pg`${ownOffersOf(place)} and (strpos(${RIVAL_MARK} || l.rivals || ${RIVAL_MARK}, ${entries[0] ?? ''}) > 0
    or strpos(${RIVAL_MARK} || l.rivals || ${RIVAL_MARK}, ${entries[1] ?? ''}) > 0)`;
}

/** A page in the order of the key; `total` is counted for the whole list alone, where progress is shown. */
export async function articlePage(
  trx: Trx,
  place: DashboardPlace,
  chosen: Chosen,
  { offset, limit }: PageRequest,
  starts: PageStarts,
): Promise<{ rows: ArticleRow[]; total: number }> {
  const list = JSON.stringify([place.company, place.masterid ?? '', accountsOf(place), chosen]);
  const condition = chosenRows(place, chosen);
  const known = starts.of(list, offset);
  const total = known?.total ?? (chosen.kind === 'all' ? await totalOf(trx, condition) : 0);
  const after = known?.after ?? (await rowBefore(trx, condition, offset));
  if (after === undefined) return { rows: [], total };
  const { rows } =
    await pg<ArticleRow>`select l.item, l.master, l.marketplace, l.product_id as "productId", l.condition, l.currency, l.fulfilment,
      l.price_cents, coalesce(l.shown_shipping_cents, l.shipping_cents) as shipping_cents, l.own_rank, l.own_box, l.rival, l.rival_cents,
      l.rival_shipping_cents, l.rival_box, l.rival_rank, l.messages
    from listings l where ${condition} and (l.master, l.marketplace, l.item) > (${after.master}, ${after.marketplace}, ${after.item})
    order by l.master, l.marketplace, l.item limit ${limit}`.execute(trx);
  const last = rows.at(-1);
  if (last !== undefined) starts.keep(list, offset + rows.length, { after: last, total });
  return { rows: chosen.kind === 'rival' ? await beside(trx, place, rows, chosen.seller) : rows, total };
}

type Condition = ReturnType<typeof ownOffersOf>;

async function totalOf(trx: Trx, condition: Condition): Promise<number> {
  const { rows } = await pg<{ n: number }>`select count(*) as n from listings l where ${condition}`.execute(trx);
  return Number(rows[0]?.n ?? 0);
}

/** The row behind which the page begins, found by counting; undefined: there are not so many. */
async function rowBefore(trx: Trx, condition: Condition, offset: number): Promise<PageStart['after'] | undefined> {
  if (offset === 0) return { master: '', marketplace: '', item: '' };
  const { rows } = await pg<
    PageStart['after']
  >`select l.master, l.marketplace, l.item from listings l where ${condition}
    order by l.master, l.marketplace, l.item offset ${offset - 1} limit 1`.execute(trx);
  return rows[0];
}

/** So many articles' offers are held at once. */
const PIECE = 5000;

/** The same rows beside the offer of this competitor instead of the cheapest one's. */
async function beside(
  trx: Trx,
  place: DashboardPlace,
  rows: readonly ArticleRow[],
  seller: string,
): Promise<ArticleRow[]> {
  const ours = { seller: [...place.sellers.keys()][0], all: new Set(await ownSellers(trx, place.company)) };
  await disableSeqScans(trx);
  const done: ArticleRow[] = [];
  for (const list of Map.groupBy(rows, ({ master, marketplace }) => `${master}\n${marketplace}`).values()) {
    for (let from = 0; from < list.length; from += PIECE) {
      const some = list.slice(from, from + PIECE);
      const offers = await offersOf(trx, place.company, some);
      for (const row of some) {
        const found = rivalOf(offers.get(articleKey(row))?.offers ?? [], row, ours, seller);
        done.push({ ...row, ...rivalColumns(seller, found) });
      }
    }
  }
  return done;
}

/** Of articles of one catalogue and marketplace. */
async function offersOf(trx: Trx, company: string, rows: readonly ArticleRow[]) {
  const [{ master: masterid, marketplace } = { master: '', marketplace: '' }] = rows;
  const productIds = rows.map(({ productId }) => productId);
  return storedOffers(trx, { company, masterid }, marketplace, productIds);
}

const rivalColumns = (seller: string, found: Rival | undefined) => ({
  rival: seller,
  rival_cents: found?.offer.listing_price_cents ?? null,
  rival_shipping_cents: found?.offer.shipping_cents ?? null,
  rival_box: found?.box ?? false,
  rival_rank: found?.rank ?? null,
});
