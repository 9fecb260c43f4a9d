import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import type { PriceHistory, PriceMoment } from '#shared/repricer/dashboard.ts';
import { readSellers } from '#repricer/model/article-offers.ts';
import type { DashboardPlace } from './place.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';

/** Maximum number of minutes in one answer, the newest. */
const MOST_MINUTES = 3000;
const USUAL_MS = 30 * 24 * 60 * 60_000;

type HistoryRequest = {
  item: string;
  marketplace: string | undefined;
  start: string | undefined;
  end: string | undefined;
};

/**
 * RDA-07: returns what each seller of an article charged minute by minute, oldest first. @throws 404 if the seller has no such
 * offer
 */
export async function priceHistory(
  trx: Trx,
  ref: DashboardPlace,
  { item, marketplace, start, end }: HistoryRequest,
  now: Date,
): Promise<PriceHistory> {
  const [[seller, of] = ['', undefined]] = ref.sellers;
  const article = await trx
    .selectFrom('listings')
    .select(['master', 'marketplace', 'product_id as productId', 'condition'])
    .where((eb) => eb.and({ company: ref.company, item }))
    .where('master', '=', anyOf(of?.masters ?? []))
    .where('account', '=', anyOf(of?.accounts ?? []))
    .where('marketplace', '=', anyOf(marketplace === undefined ? (of?.marketplaces ?? []) : [marketplace]))
    .orderBy('master')
    .orderBy('marketplace')
    .limit(1)
    .executeTakeFirst();
  if (article === undefined) throw notFound('Diesen Artikel');
  const until = end ?? now.toISOString();
  const from = start ?? new Date(Date.parse(until) - USUAL_MS).toISOString();
  const rows = await trx
    .selectFrom('offer_minutes')
    .select((eb) => ['minute', eb.cast<string>('sellers', 'text').as('sellers')])
    .where((eb) => eb.and({ company: ref.company, master: article.master, marketplace: article.marketplace }))
    .where((eb) => eb.and({ product_id: article.productId, condition: article.condition }))
    .where('minute', '>=', new Date(from))
    .where('minute', '<=', new Date(until))
    .orderBy('minute', 'desc')
    .limit(MOST_MINUTES + 1)
    .execute();
  return {
    repricerdata: rows
      .slice(0, MOST_MINUTES)
      .map((row) => momentOf(row, seller))
      .toReversed(),
    finished: rows.length <= MOST_MINUTES,
  };
}

function momentOf({ minute, sellers }: { minute: Date; sellers: string }, own: string): PriceMoment {
  const cheapestFirst = readSellers(sellers).toSorted(
    ([one, landed], [other, than]) => landed - than || (one < other ? -1 : 1),
  );
  const holders = cheapestFirst.flatMap(([seller, , box]) => (box === 1 ? [seller] : []));
  return {
    amz_timestamp: minute.toISOString(),
    comp_data: cheapestFirst.map(([seller, landed, box, , shipping]) => ({
      sellerid: seller,
      offer_price: (landed - shipping) / 100,
      offer_shipping_price: shipping / 100,
      is_buybox: box === 1,
      own: sellerKey(seller) === own,
    })),
    info: holders.length === 0 ? 'Niemand in der BuyBox' : `BuyBox: ${holders.join(', ')}`,
  };
}
