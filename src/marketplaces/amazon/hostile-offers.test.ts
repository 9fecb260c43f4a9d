import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../../../seed/random.ts';
import { readNotification } from './offer-messages.ts';

const message = {
  NotificationMetadata: { NotificationId: 'n-1' },
  Payload: {
    AnyOfferChangedNotification: {
      OfferChangeTrigger: {
        MarketplaceId: 'A1PA6795UKMFR9',
        ASIN: 'B000TEST01',
        ItemCondition: 'New',
        TimeOfOfferChange: '2026-01-15T12:00:00.123Z',
      },
      Summary: { BuyBoxPrices: [{ Condition: 'new', LandedPrice: { Amount: 14, CurrencyCode: 'EUR' } }] },
      Offers: [
        {
          SellerId: 'A',
          SellerFeedbackRating: { FeedbackCount: 812, SellerPositiveFeedbackRating: 96 },
          ListingPrice: { Amount: 10.1, CurrencyCode: 'EUR' },
          Shipping: { Amount: 3.9, CurrencyCode: 'EUR' },
          IsFulfilledByAmazon: false,
        },
      ],
    },
  },
};
const strange: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  -1e308,
  Number.NaN,
  '',
  ' ',
  '1e9',
  '-4',
  '0x10',
  'NaN',
  '\0',
  'A\0',
  '\uD800',
  '<b>',
  '__proto__',
  'x'.repeat(100_000),
  '9'.repeat(400),
  [],
  {},
  [[]],
  { Amount: {} },
  [null, 5, 'x'],
  Array.from({ length: 50 }, () => ({ SellerId: 'B' })),
];

/** Returns a copy in which each value is, with this probability, replaced by a strange one or left out. */
function changed(value: unknown, random: Random, likely: number): unknown {
  if (random.chance(likely)) return random.pick(strange);
  if (Array.isArray(value)) return value.map((one: unknown) => changed(one, random, likely));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => !random.chance(likely / 3))
      .map(([key, inner]) => [key, changed(inner, random, likely)]),
  );
}

const isStorable = (text: string) => text.length <= 200 && !text.includes('\0') && text.isWellFormed();

describe('marketplace messages with random changes', () => {
  it('T23 are ignored, or yield only texts that can be stored and whole cents', () => {
    const random = seeded(23);
    let read = 0;
    for (let n = 0; n < 10_000; n++) {
      const snapshot = readNotification(changed(message, random, 0.08));
      if (snapshot === undefined) continue;
      read++;
      const { marketplace, productId, condition, message: id, eventAt, offers } = snapshot;
      const texts = [marketplace, productId, condition, id, ...offers.flatMap((one) => [one.seller_id, one.currency])];
      expect(texts.filter((text) => !isStorable(text))).toEqual([]);
      expect(eventAt.getTime()).not.toBeNaN();
      const cents = offers.flatMap((one) => [one.listing_price_cents, one.shipping_cents ?? 0]);
      expect(cents.filter((one) => !Number.isSafeInteger(one))).toEqual([]);
    }
    expect(read).toBeGreaterThan(1000);
  });
});
