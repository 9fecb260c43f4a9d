import { centsOfAmount } from '#marketplaces/amounts.ts';
import type { Offer, OfferSnapshot } from '#marketplaces/port.ts';
import { list, number, path, text } from './message-tree.ts';

/**
 * Offers as the marketplace writes them: notifications (ANY_OFFER_CHANGED) and answers of sweeps (getListingOffersBatch). Nothing
 * here throws: `undefined` is a message that is none.
 */

const truncated = (value: number | null): number | null => (value === null ? null : Math.trunc(value));

const centsOf = (money: unknown): number | null => centsOfAmount(path(money, 'Amount'));

/**
 * What an answer about offers may say of itself. Others, ActiveButTooSoonForProcessing for one, come without offers though there may be
 * some: taken for an article without competition, its price would rise.
 */
const hasOffers = new Set(['success', 'nobuyableoffers']);

/** A change of offers that a notification tells. */
export function readNotification(message: unknown): OfferSnapshot | undefined {
  const change =
    path(message, 'Payload', 'AnyOfferChangedNotification') ?? path(message, 'AnyOfferChangedNotification');
  const trigger = path(change, 'OfferChangeTrigger');
  const id = text(path(message, 'NotificationMetadata', 'NotificationId')) ?? text(path(message, 'NotificationId'));
  const time = text(path(trigger, 'TimeOfOfferChange')) ?? text(path(message, 'EventTime'));
  const ref = { productId: text(path(trigger, 'ASIN')), marketplace: text(path(trigger, 'MarketplaceId')) };
  return snapshot(change, { ...ref, condition: text(path(trigger, 'ItemCondition')), id, time });
}

/**
 * One entry of a batch answer. `origin`: when it was requested, since such answers carry no time, and for which product, since
 * answers about a sku need not name it.
 */
export function readSweep(
  entry: unknown,
  origin: { at: Date; id: string; productId?: string },
): OfferSnapshot | undefined {
  const status = number(path(entry, 'Status', 'StatusCode'));
  if (status !== null && status !== 200) return undefined;
  const payload = path(entry, 'Body', 'Payload') ?? path(entry, 'Payload');
  if (!hasOffers.has((text(path(payload, 'Status')) ?? 'Success').toLowerCase())) return undefined;
  const [identifier, request] = [path(payload, 'Identifier'), path(entry, 'Request')];
  const productId =
    text(path(payload, 'ASIN')) ??
    text(path(identifier, 'ASIN')) ??
    text(path(list(path(payload, 'Offers'))[0], 'ASIN')) ??
    origin.productId;
  const marketplace =
    text(path(payload, 'MarketplaceID')) ??
    text(path(identifier, 'MarketplaceId')) ??
    text(path(request, 'MarketplaceId'));
  const condition = text(path(payload, 'ItemCondition')) ?? text(path(identifier, 'ItemCondition'));
  return snapshot(payload, { productId, marketplace, condition, id: origin.id, time: origin.at.toISOString() });
}

/** Our skus that an entry of a batch answer says it is about; none: it does not say. */
export function skusOf(entry: unknown): string[] {
  const payload = path(entry, 'Body', 'Payload') ?? path(entry, 'Payload');
  const places = [path(entry, 'Request', 'SellerSKU'), path(payload, 'SKU'), path(payload, 'Identifier', 'SellerSKU')];
  return places.map(text).filter((sku) => sku !== undefined);
}

type Head = Record<'productId' | 'marketplace' | 'condition' | 'id' | 'time', string | undefined>;

function snapshot(from: unknown, { productId, marketplace, condition, id, time }: Head): OfferSnapshot | undefined {
  const eventAt = new Date(time ?? Number.NaN);
  if (productId === undefined || marketplace === undefined || id === undefined || Number.isNaN(eventAt.getTime()))
    return undefined;
  const main = (condition ?? 'new').toLowerCase();
  const raw = path(from, 'Offers');
  // Who else sells is not known where there is no list, or an entry without a price: nothing is decided by what is left.
  if (!Array.isArray(raw)) return undefined;
  const offers = raw.map((one: unknown) => offerOf(one, main)).filter((offer) => offer !== undefined);
  if (offers.length < raw.length) return undefined;
  // Nor where it lists none, and its own summary counts some.
  if (raw.length === 0 && countedOffers(from, main) > 0) return undefined;
  // Old messages do not say who is in the box. Then its price tells, if just one offer has it.
  const silent = raw.every((one: unknown) => path(one, 'IsBuyBoxWinner') === undefined);
  return {
    marketplace,
    productId,
    condition: main,
    eventAt,
    message: id,
    offers: silent ? withBox(offers, from, main) : offers,
  };
}

/** How many offers in a condition a message's summary counts, whoever ships them. */
function countedOffers(from: unknown, main: string): number {
  return list(path(from, 'Summary', 'NumberOfOffers'))
    .filter((one) => text(path(one, 'Condition'))?.toLowerCase() === main)
    .reduce((sum: number, one) => sum + (number(path(one, 'OfferCount')) ?? 0), 0);
}

function offerOf(raw: unknown, main: string): Offer | undefined {
  const seller = text(path(raw, 'SellerId'));
  const listing = centsOf(path(raw, 'ListingPrice'));
  if (seller === undefined || listing === null) return undefined;
  const feedback = path(raw, 'SellerFeedbackRating');
  return {
    seller_id: seller,
    condition: main,
    fulfilment: path(raw, 'IsFulfilledByAmazon') === true ? 'marketplace' : 'merchant',
    listing_price_cents: listing,
    shipping_cents: centsOf(path(raw, 'Shipping')),
    currency: (text(path(raw, 'ListingPrice', 'CurrencyCode')) ?? 'EUR').toUpperCase(),
    is_buybox: path(raw, 'IsBuyBoxWinner') === true,
    feedback_count: truncated(number(path(feedback, 'FeedbackCount'))),
    feedback_rating: number(path(feedback, 'SellerPositiveFeedbackRating')),
  };
}

function withBox(offers: readonly Offer[], from: unknown, main: string): Offer[] {
  const prices = list(path(from, 'Summary', 'BuyBoxPrices'));
  const price = prices.find((one) => (text(path(one, 'Condition')) ?? main).toLowerCase() === main);
  const landed = centsOf(path(price, 'LandedPrice'));
  const landedOf = (offer: Offer) => offer.listing_price_cents + (offer.shipping_cents ?? 0);
  const winners = offers.filter((offer) => landedOf(offer) === landed);
  return offers.map((offer) => ({ ...offer, is_buybox: winners.length === 1 && winners[0] === offer }));
}
