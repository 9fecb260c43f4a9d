import { expect, it } from 'vitest';
import type { Offer } from '#marketplaces/port.ts';
import { offerOf } from '#repricer/testing/builders.ts';
import { rivalOf, rivalsText, offerRankOf } from './offer-rank.ts';

const offer = (seller_id: string, listing_price_cents: number, more: Partial<Offer> = {}) =>
  offerOf(seller_id, listing_price_cents, { shipping_cents: null, ...more });
const sold = { condition: 'new', currency: 'EUR', fulfilment: 'merchant' } as const;
const ownSeller = { seller: 'WIR', all: new Set(['WIR', 'WIR2']) };

it('RDA-02 ranks by landed price, then seller id, without incomparable offers and our other accounts', () => {
  const offers = [
    offer('WIR', 1000, { shipping_cents: 300, is_buybox: true }),
    offer('A', 1300),
    offer('Z', 1000, { shipping_cents: 300 }),
    offer('WIR2', 100),
    offer('B', 100, { condition: 'used' }),
    offer('C', 100, { currency: 'PLN' }),
    offer('D', 0),
    offer('a', 1250, { is_buybox: true }),
  ];
  const { own, best, rivals } = offerRankOf(offers, sold, ownSeller);
  expect(own).toEqual({ rank: 2, box: true, shipping: 300 });
  expect(best).toMatchObject({ seller: 'A', box: true, rank: 1, offer: { listing_price_cents: 1250 } });
  expect(rivals).toEqual([
    { seller: 'A', box: true },
    { seller: 'Z', box: false },
  ]);
  expect(rivalsText(rivals)).toBe('1A\u001F0Z');
  expect(rivalOf(offers, sold, ownSeller, 'Z')).toMatchObject({ rank: 3, box: false });
  expect(rivalOf(offers, sold, ownSeller, 'B')).toBeUndefined();
});

it('RDA-06 of several own offers the one with the same fulfilment counts, else the cheapest; without one there is no rank', () => {
  const two = [offer('WIR', 900, { fulfilment: 'marketplace', is_buybox: true }), offer('WIR', 1100), offer('K', 1000)];
  expect(offerRankOf(two, sold, ownSeller).own).toMatchObject({ rank: 2, box: false });
  expect(offerRankOf(two, { ...sold, fulfilment: 'marketplace' }, ownSeller).own).toMatchObject({ rank: 1, box: true });
  const none = offerRankOf([offer('K', 1000)], sold, ownSeller);
  expect(none).toMatchObject({ own: undefined, best: { seller: 'K', rank: 1 } });
  expect(offerRankOf([], sold, ownSeller)).toEqual({ own: undefined, best: undefined, rivals: [] });
});
