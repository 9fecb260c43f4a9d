import type { z } from 'zod';
import type { Fulfilment, Offer } from '#marketplaces/port.ts';
import type { DecideRequest, PricedItem as WireItem } from '#shared/repricer/decision.ts';

/** The input of a decision: the item's fields by name, and our own offer. `shipping_cents` null: not known. */
export type PricedItem = Omit<WireItem, 'own'> & {
  own: Omit<WireItem['own'], 'fulfillment'> & { fulfilment: Fulfilment };
};

/**
 * Returns who ships, from the word in calls: AFN (by the marketplace; FBA and AMAZON_EU are the same) or MFN (by the merchant),
 * in any case. Any other word means the merchant.
 */
export const fulfilmentOfWire = (word: string): Fulfilment =>
  /^(?:AFN|FBA|AMAZON(?:_[A-Z]+)?)$/i.test(word.trim()) ? 'marketplace' : 'merchant';

const currencyOfWire = (word: string): string => word.trim().toUpperCase();

/** Converts the body of a decide call to the model's types. */
export function readDecideRequest({ item, offers }: Pick<z.infer<typeof DecideRequest>, 'item' | 'offers'>): {
  item: PricedItem;
  offers: Offer[] | null;
} {
  const { fulfillment, ...own } = item.own;
  return {
    item: {
      ...item,
      currency: currencyOfWire(item.currency),
      own: { ...own, fulfilment: fulfilmentOfWire(fulfillment) },
    },
    offers:
      offers?.map(({ fulfillment: word, ...offer }) => ({
        ...offer,
        currency: currencyOfWire(offer.currency),
        fulfilment: fulfilmentOfWire(word),
      })) ?? null,
  };
}
