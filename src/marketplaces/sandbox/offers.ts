import { amountOfCents } from '#marketplaces/amounts.ts';
import { between, happens, type Chance, type Faults } from './faults.ts';
import { boxOf, offersOf, type Article } from './world.ts';

/** The account that the sandbox serves. */
export type Place = { marketplace: string; sellerId: string; currency: string };

/** Returns an article's offers and their summary, as in messages and answers, with the nonsense that the faults call for. */
export function offerBody(article: Article, { sellerId, currency }: Place, chance: Chance, faults: Faults) {
  const money = (cents: number, code = currency) => ({ CurrencyCode: code, Amount: amountOf(cents) });
  const box = boxOf(article);
  const offers = offersOf(article).filter(({ own }) => !own || !happens(chance, faults.ownMissing));
  const silent = happens(chance, faults.boxMissing);
  const winner = offers.find(({ seller }) => seller === box);
  const landed = winner === undefined ? undefined : money(winner.cents + winner.shipping);
  return {
    Summary: {
      TotalOfferCount: offers.length,
      ...(landed === undefined ? {} : { BuyBoxPrices: [{ Condition: 'New', LandedPrice: landed }] }),
    },
    Offers: offers.slice(0, 20).map((offer) => {
      const bad = (share: number) => !offer.own && happens(chance, share);
      const cents = bad(faults.cent) ? 1 : bad(faults.moon) ? offer.cents * 100 : offer.cents;
      return {
        SellerId: offer.own ? sellerId : offer.seller,
        SubCondition: 'New',
        SellerFeedbackRating: { FeedbackCount: offer.ratings, SellerPositiveFeedbackRating: offer.positive },
        ListingPrice: money(cents, bad(faults.otherCurrency) ? 'USD' : currency),
        Shipping: money(bad(faults.negativeShipping) ? -399 : offer.shipping),
        IsFulfilledByAmazon: offer.byAmazon,
        ...(silent ? {} : { IsBuyBoxWinner: offer.seller === box }),
      };
    }),
  };
}
const amountOf = (cents: number) => (cents < 0 ? -amountOfCents(-cents) : amountOfCents(cents));

/** Returns an ANY_OFFER_CHANGED message. */
export function offerMessage(
  article: Article,
  place: Place,
  { id, at }: { id: string; at: Date },
  chance: Chance,
  faults: Faults,
): unknown {
  const message = {
    NotificationVersion: '1.0',
    NotificationType: 'ANY_OFFER_CHANGED',
    PayloadVersion: '1.0',
    EventTime: at.toISOString(),
    Payload: {
      AnyOfferChangedNotification: {
        SellerId: place.sellerId,
        OfferChangeTrigger: {
          MarketplaceId: place.marketplace,
          ASIN: article.asin,
          ItemCondition: 'new',
          TimeOfOfferChange: at.toISOString(),
          OfferChangeType: 'External',
        },
        ...offerBody(article, place, chance, faults),
      },
    },
    NotificationMetadata: { NotificationId: id, PublishTime: at.toISOString() },
  };
  return happens(chance, faults.otherCase) ? otherCase(message) : message;
}

/** Returns a copy whose keys are in camelCase, as other types of messages have them. */
export function otherCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.charAt(0).toLowerCase() + key.slice(1), otherCase(inner)]),
  );
}

/** Returns the times at which a message about the present moment arrives; empty: it is lost. */
export function arrivals(chance: Chance, faults: Faults, now: number): number[] {
  if (happens(chance, faults.lost)) return [];
  const at = happens(chance, faults.delayed) ? now + between(chance, 1000, 120_000) : now;
  return happens(chance, faults.doubled) ? [at, at + between(chance, 0, 60_000)] : [at];
}
