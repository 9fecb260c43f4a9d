import { describe, expect, it } from 'vitest';
import { readNotification, readSweep } from './offer-messages.ts';

const money = (Amount: number | string, CurrencyCode = 'EUR') => ({ Amount, CurrencyCode });
const offer = (SellerId: string, amount: number, more: object = {}) => ({
  SellerId,
  SubCondition: 'new',
  SellerFeedbackRating: { FeedbackCount: 812, SellerPositiveFeedbackRating: 96 },
  ListingPrice: money(amount),
  Shipping: money(3.9),
  IsFulfilledByAmazon: false,
  ...more,
});
const notification = (change: object, offers: object[] = [offer('A', 10.1, { IsBuyBoxWinner: true })]) => ({
  NotificationVersion: '1.0',
  NotificationType: 'ANY_OFFER_CHANGED',
  NotificationMetadata: { NotificationId: 'n-1' },
  Payload: {
    AnyOfferChangedNotification: {
      SellerId: 'WIR',
      OfferChangeTrigger: {
        MarketplaceId: 'A1PA6795UKMFR9',
        ASIN: 'B000TEST01',
        ItemCondition: 'New',
        TimeOfOfferChange: '2026-01-15T12:00:00.123Z',
      },
      Summary: {},
      Offers: offers,
      ...change,
    },
  },
});

/** Returns a copy whose keys all begin in lower case, as some messages have them. */
function lower(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lower);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.charAt(0).toLowerCase() + key.slice(1), lower(inner)]),
  );
}

describe('messages about offers', () => {
  it('REP-19 a currency in lower case is the same currency', () => {
    const small = offer('A', 10.1, { ListingPrice: money(10.1, 'eur') });
    expect(readNotification(notification({}, [small]))?.offers[0]?.currency).toBe('EUR');
  });

  it('REP-19 are read by key name in any case, with exact amounts', () => {
    const expected = {
      marketplace: 'A1PA6795UKMFR9',
      productId: 'B000TEST01',
      condition: 'new',
      eventAt: new Date('2026-01-15T12:00:00.123Z'),
      message: 'n-1',
      offers: [
        {
          seller_id: 'A',
          condition: 'new',
          fulfilment: 'merchant',
          listing_price_cents: 1010,
          shipping_cents: 390,
          currency: 'EUR',
          is_buybox: true,
          feedback_count: 812,
          feedback_rating: 96,
        },
      ],
    };
    expect(readNotification(notification({}))).toEqual(expected);
    expect(readNotification(lower(notification({})))).toEqual(expected);
    const texts = notification({}, [offer('A', 0, { ListingPrice: money('10.10'), IsBuyBoxWinner: true })]);
    expect(readNotification(texts)).toEqual(expected);
  });

  it('REP-19 missing feedback, shipping or points are read as missing', () => {
    const bare = { SellerId: 'B', ListingPrice: money(0.29), IsFulfilledByAmazon: true, IsBuyBoxWinner: false };
    expect(readNotification(notification({}, [bare]))?.offers).toEqual([
      {
        seller_id: 'B',
        condition: 'new',
        fulfilment: 'marketplace',
        listing_price_cents: 29,
        shipping_cents: null,
        currency: 'EUR',
        is_buybox: false,
        feedback_count: null,
        feedback_rating: null,
      },
    ]);
  });

  it('REP-19 if no offer is marked as the buy box, the one offer with its price is, if it is the only one', () => {
    const box = (amount: number) => ({ Summary: { BuyBoxPrices: [{ Condition: 'new', LandedPrice: money(amount) }] } });
    const winners = (change: object, offers: object[]) =>
      readNotification(notification(change, offers))
        ?.offers.filter((one) => one.is_buybox)
        .map((one) => one.seller_id);
    expect(winners(box(16.1), [offer('A', 10.1), offer('B', 12.2)])).toEqual(['B']);
    expect(winners(box(16.1), [offer('A', 12.2), offer('B', 12.2)])).toEqual([]);
    expect(winners({}, [offer('A', 10.1)])).toEqual([]);
    expect(winners(box(16.1), [offer('A', 10.1, { IsBuyBoxWinner: true }), offer('B', 12.2)])).toEqual(['A']);
  });

  it('REP-19 other messages are ignored', () => {
    for (const wrong of [null, 'x', 5, [], {}, { Payload: [] }, notification({ OfferChangeTrigger: {} })])
      expect(readNotification(wrong)).toBeUndefined();
  });

  it('REP-19 a missing offer list or an unreadable entry makes the message unusable, rather than mean no competition', () => {
    expect(readNotification(notification({ Offers: [] }))?.offers).toEqual([]);
    for (const Offers of [undefined, null, 'keine', {}])
      expect(readNotification(notification({ Offers }))).toBeUndefined();
    const unreadable = [{}, null, { SellerId: 'ohne Preis' }, offer('B', 0, { ListingPrice: money('viel') })];
    for (const one of unreadable)
      expect(readNotification(notification({}, [offer('A', 10.1), one as object]))).toBeUndefined();
  });

  it('REP-19 an empty list is not read as no competition if the summary counts offers in this condition', () => {
    const counted = (Condition: string, OfferCount: number) =>
      readNotification(
        notification({
          Offers: [],
          Summary: { NumberOfOffers: [{ Condition, FulfillmentChannel: 'Merchant', OfferCount }] },
        }),
      )?.offers;
    expect(counted('New', 3)).toBeUndefined();
    expect(counted('new', 0)).toEqual([]);
    expect(counted('used', 3)).toEqual([]);
  });

  it('REP-19 a response with a status of not ready yields no offers, rather than an empty list', () => {
    const request = { at: new Date('2026-01-15T12:00:00Z'), id: 'sweep-1' };
    const answer = (status: string | undefined, Offers: unknown = []) =>
      readSweep(
        {
          status: { statusCode: 200 },
          body: { payload: { marketplaceId: 'A1PA6795UKMFR9', ASIN: 'B000TEST01', status, Offers } },
        },
        request,
      )?.offers;
    for (const status of ['Success', 'NoBuyableOffers', undefined]) expect(answer(status)).toEqual([]);
    for (const status of ['ActiveButTooSoonForProcessing', 'NoOfferDueToMissingShippingCharge', 'Failure'])
      expect(answer(status)).toBeUndefined();
    expect(answer('Success', null)).toBeUndefined();
  });

  it('REP-19 entries of a polled batch are read the same way, dated at the time of the request', () => {
    const request = { at: new Date('2026-01-15T12:00:00Z'), id: 'sweep-1' };
    const entry = {
      headers: {},
      status: { statusCode: 200 },
      body: {
        payload: {
          marketplaceId: 'A1PA6795UKMFR9',
          SKU: 'S1',
          ItemCondition: 'New',
          identifier: { ASIN: 'B000TEST01' },
          Offers: [{ ...offer('A', 10.1), IsBuyBoxWinner: true, MyOffer: false }],
        },
      },
    };
    expect(readSweep(entry, request)).toMatchObject({
      productId: 'B000TEST01',
      eventAt: request.at,
      message: 'sweep-1',
      offers: [{ listing_price_cents: 1010, is_buybox: true }],
    });
    expect(readSweep({ ...entry, status: { statusCode: 429 } }, request)).toBeUndefined();
  });
});
