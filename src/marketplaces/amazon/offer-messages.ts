import { centsOfAmount } from '#marketplaces/amounts.ts';
import type { Offer, OfferSnapshot } from '#marketplaces/port.ts';
import { list, number, path, text } from './message-tree.ts';

/**
 * Offers as the marketplace writes them: notifications (ANY_OFFER_CHANGED) and answers of offer polling (getListingOffersBatch).
 * Nothing here throws: a message of another kind is `undefined`.
 */

const truncated = (value: number | null): number | null => (value === null ? null : Math.trunc(value));

const centsOf = (money: unknown): number | null => centsOfAmount(path(money, 'Amount'));

/**
 * Statuses of an answer whose offers can be relied on. Other statuses, for example ActiveButTooSoonForProcessing, come without
 * offers though there may be some: read as an article without competition, its price would rise.
 */
const hasOffers = new Set(['success', 'nobuyableoffers']);

/** Reads a notification of changed offers. */
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
 * Reads one entry of a batch answer. `origin`: when it was requested, since such answers carry no time, and for which product,
 * since an answer about a sku need not name it.
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

/** Returns our skus that an entry of a batch answer names; empty: it names none. */
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
  // Without a list of offers, or with an offer without a price, the competitors are not known: no price is decided from the
  // others.
  if (!Array.isArray(raw)) return undefined;
  const offers = raw.map((one: unknown) => offerOf(one, main)).filter((offer) => offer !== undefined);
  if (offers.length < raw.length) return undefined;
  // The same holds if the list is empty but the message's own summary counts offers.
  if (raw.length === 0 && countedOffers(from, main) > 0) return undefined;
  // Old messages do not say who has the BuyBox. Then it is the offer with the BuyBox price, if just one has it.
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

/** Returns the number of offers in a condition by the message's summary, of any fulfilment. */
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
