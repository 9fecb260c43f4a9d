import { z } from 'zod';
import { day } from '#shared/values/schema.ts';

/** Prices in the dashboard's calls are numbers in euro, as in the specification; null: not known. */
const euro = z.number().nullable();
const bit = z.union([z.literal(0), z.literal(1)]);
const count = z.number().int();

/**
 * How often something happened on a day in Berlin. `group` is the kind of `type`: the reason of a decision, the gate's verdict
 * (held: the gate's reason), the result of a sent price.
 */
export const MessageCount = z
  .object({
    datum: z.object({ date: z.string() }),
    group: z.enum(['reason', 'verdict', 'held', 'sent']),
    type: z.string(),
    count,
  })
  .meta({ id: 'MessageCount' });
export type MessageCount = z.infer<typeof MessageCount>;

/** Number of own offers on this rank by landed price; 0: ours is not among the known offers. */
export const RankRow = z
  .object({ rang: count, anzahl: count, buybox_count: count, non_buybox_count: count })
  .meta({ id: 'RankRow' });
export type RankRow = z.infer<typeof RankRow>;

/** Number of our articles in which a competitor has an offer, and of those in which it holds the box. */
export const SellerRow = z
  .object({
    _id: z.string(),
    sellerid: z.string(),
    comp_seller_id: z.string(),
    total_count: count,
    buybox_count: count,
    non_buybox_count: count,
  })
  .meta({ id: 'SellerRow' });
export type SellerRow = z.infer<typeof SellerRow>;

/** Number of our offers on the first three ranks at a moment, and of those with the box. */
export const RankPoint = z
  .object({ timestamp: z.string(), 'rang 1': count, 'rang 2': count, 'rang 3': count, buy_box: count })
  .meta({ id: 'RankPoint' });
export type RankPoint = z.infer<typeof RankPoint>;

/**
 * A day in Berlin: the number of hourly observations (of each of our offers with news within 24 hours), and the number of those
 * in which our offer held the box. Their quotient is the share of time.
 */
export const BoxDay = z.object({ date: z.string(), observed: count, box: count }).meta({ id: 'BoxDay' });
export type BoxDay = z.infer<typeof BoxDay>;

export const RepricerStatistic = z
  .object({
    statdata: z.array(MessageCount),
    buyboxdata: z.object({
      /** A row for each of our seller ids. */
      buybox: z.array(z.object({ _id: z.string(), daten: z.array(RankRow) })),
      compdata: z.array(SellerRow),
      buyboxstat: z.array(z.object({ _id: z.string(), daten: z.array(RankPoint) })),
      boxtime: z.array(z.object({ _id: z.string(), daten: z.array(BoxDay) })),
    }),
    sellerIds: z.array(z.string()),
  })
  .meta({ id: 'RepricerStatistic' });
export type RepricerStatistic = z.infer<typeof RepricerStatistic>;

/** Figures of one of our sellers, at most a minute old. */
export const RepricerFigures = z
  .object({
    at: z.string(),
    /** Number of own offers; of those reported in a message; of these those in the box, and those where nobody is in it. */
    offers: count,
    known: count,
    box: count,
    nobody: count,
    /** By the latest decision of each offer: those with limits, those priced at or below the minimum, those held by reason. */
    limited: count,
    at_minimum: count,
    held: z.array(z.object({ reason: z.string(), count })),
    /** For the last seven days. */
    box_time: z.array(BoxDay),
  })
  .meta({ id: 'RepricerFigures' });
export type RepricerFigures = z.infer<typeof RepricerFigures>;

/**
 * One of our offers next to a competitor's: the cheapest one's, or the requested one's. `comp_count`: number of messages about
 * the article so far. `offers_at`: the time of the newest one, in which rank, boxes and the competitor were seen; our own price
 * may be newer. `masterid` and `marketplace` distinguish items with the same number.
 */
export const RepricedArticle = z
  .object({
    _id: z.string(),
    masterid: z.string(),
    marketplace: z.string(),
    asin: z.string(),
    brand: z.string(),
    currency: z.string(),
    own_buybox: bit,
    my_rang: count.nullable(),
    worker_min_price: euro,
    worker_price: euro,
    worker_max_price: euro,
    my_offer_listing_price: euro,
    my_offer_shipping_price: euro,
    comp_offer_price: euro,
    comp_offer_shipping_price: euro,
    comp_buybox: bit,
    comp_seller_id: z.string().nullable(),
    comp_name: z.string().nullable(),
    comp_seller_rang: count.nullable(),
    comp_count: count,
    offers_at: z.string().nullable(),
  })
  .meta({ id: 'RepricedArticle' });
export type RepricedArticle = z.infer<typeof RepricedArticle>;

/** A chunk of the whole list. */
export const ArticleChunk = z
  .object({ data: z.array(RepricedArticle), total: count, finished: z.boolean(), pageCount: count })
  .meta({ id: 'ArticleChunk' });
export type ArticleChunk = z.infer<typeof ArticleChunk>;

export const CHUNK = 10_000;
/** Maximum number of articles of a rank or competitor in one response; the others with `offset`. */
export const MOST_ARTICLES = 100_000;

/** The prices of an article's sellers in a minute, each by its lowest price with shipping. */
export const PriceMoment = z
  .object({
    amz_timestamp: z.string(),
    comp_data: z.array(
      z.object({
        sellerid: z.string(),
        offer_price: z.number(),
        offer_shipping_price: z.number(),
        is_buybox: z.boolean(),
        own: z.boolean(),
      }),
    ),
    /** German text on who holds the box. */
    info: z.string(),
  })
  .meta({ id: 'PriceMoment' });
export type PriceMoment = z.infer<typeof PriceMoment>;

/** `finished` false: earlier minutes of the requested period are left out; use `end` to get them. */
export const PriceHistory = z
  .object({ repricerdata: z.array(PriceMoment), finished: z.boolean() })
  .meta({ id: 'PriceHistory' });
export type PriceHistory = z.infer<typeof PriceHistory>;

export const NewNote = z.object({ date: day, note: z.string().trim().min(1).max(2000) });
export const Note = z.object({ date: z.string(), note: z.string() }).meta({ id: 'Note' });
/** A note as the list tells it, with the number to delete it by. */
export const StoredNote = Note.extend({ id: z.number().int() }).meta({ id: 'StoredNote' });
export type StoredNote = z.infer<typeof StoredNote>;
export type Note = z.infer<typeof Note>;

const numeric = (value: unknown): number | undefined => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

/** RDA-08: returns by how many percent a price is above (or below) the standard price; undefined is shown as empty. */
export function percentDifference(price: unknown, standard: unknown): number | undefined {
  const [offered, base] = [numeric(price), numeric(standard)];
  return offered === undefined || base === undefined || base === 0 ? undefined : ((offered - base) / base) * 100;
}
