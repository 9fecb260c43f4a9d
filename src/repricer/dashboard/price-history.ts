import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import type { PriceHistory, PriceMoment } from '#shared/repricer/dashboard.ts';
import { readSellers } from '#repricer/model/article-offers.ts';
import type { DashboardPlace } from './place.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';

/** So many minutes one answer tells, the newest. */
const MOST_MINUTES = 3000;
const USUAL_MS = 30 * 24 * 60 * 60_000;

type Asked = { item: string; marketplace: string | undefined; start: string | undefined; end: string | undefined };

/** RDA-07: what each seller of an article asked minute by minute, oldest first. @throws 404 where the seller has no such offer */
export async function priceHistory(
  trx: Trx,
  place: DashboardPlace,
  { item, marketplace, start, end }: Asked,
  now: Date,
): Promise<PriceHistory> {
  const [[seller, of] = ['', undefined]] = place.sellers;
  const { rows: found } = await pg<{ master: string; marketplace: string; productId: string; condition: string }>`
    select master, marketplace, product_id as "productId", condition from listings where company = ${place.company}
      and master = any(${of?.masters ?? []}::text[]) and item = ${item} and account = any(${of?.accounts ?? []}::text[])
      and marketplace = any(${marketplace === undefined ? (of?.marketplaces ?? []) : [marketplace]}::text[])
    order by master, marketplace limit 1`.execute(trx);
  const [article] = found;
  if (article === undefined) throw notFound('Diesen Artikel');
  const until = end ?? now.toISOString();
  const from = start ?? new Date(Date.parse(until) - USUAL_MS).toISOString();
  const { rows } = await pg<{
    minute: Date;
    sellers: string;
  }>`select minute, sellers::text as sellers from offer_minutes
    where company = ${place.company} and master = ${article.master} and marketplace = ${article.marketplace} and product_id = ${article.productId}
      and condition = ${article.condition} and minute >= ${from}::timestamptz and minute <= ${until}::timestamptz
    order by minute desc limit ${MOST_MINUTES + 1}`.execute(trx);
  return {
    repricerdata: rows
      .slice(0, MOST_MINUTES)
      .map((row) => momentOf(row, seller))
      .toReversed(),
    finished: rows.length <= MOST_MINUTES,
  };
}

function momentOf({ minute, sellers }: { minute: Date; sellers: string }, own: string): PriceMoment {
  const asked = readSellers(sellers).toSorted(
    ([one, landed], [other, than]) => landed - than || (one < other ? -1 : 1),
  );
  const holders = asked.flatMap(([seller, , box]) => (box === 1 ? [seller] : []));
  return {
    amz_timestamp: minute.toISOString(),
    comp_data: asked.map(([seller, landed, box, , shipping]) => ({
      sellerid: seller,
      offer_price: (landed - shipping) / 100,
      offer_shipping_price: shipping / 100,
      is_buybox: box === 1,
      own: sellerKey(seller) === own,
    })),
    info: holders.length === 0 ? 'Niemand in der BuyBox' : `BuyBox: ${holders.join(', ')}`,
  };
}
