import { expect, it } from 'vitest';
import { readRule } from '#repricer/model/read-rule.ts';
import { offerOf, ruleOf } from '#repricer/testing/builders.ts';
import { decideListing, gateLimits } from './decide-listing.ts';

const listing = {
  item: 'A-1',
  marketplace: 'M1',
  account: 'k',
  sku: 'S1',
  productId: 'B1',
  condition: 'new',
  fulfilment: 'merchant',
  currency: 'EUR',
  shipping: 0,
  price: 1500,
  stock: null,
} as const;

/** Returns the decision for a rival at this price, with a standard price of 100 € above the maximum of 20 €. */
function decided(rival: number, normal: string) {
  const rule = ruleOf();
  const fields = { von: '10,00', bis: '20,00', normal };
  const known = { fields, offers: { offers: [offerOf('K1', rival)] }, sellerIds: ['WIR'] };
  const { price_cents, reason, arithmetic } = decideListing({ rule, read: readRule(rule) }, listing, known);
  return { price: price_cents, reason, removed: arithmetic.removed, standard: gateLimits(rule, fields).standard };
}

it('REP-19 offers are judged implausible by the standard price clamped to its bounds, as in the gate', () => {
  expect(decided(1500, '100,00')).toMatchObject({ price: 1499, removed: [], standard: 2000 });
  expect(decided(25_000, '100,00').removed).toEqual([{ seller_id: 'K1', landed_cents: 25_000, reason: 'IMPLAUSIBLE' }]);
  expect(decided(1500, '16,00')).toMatchObject({ price: 1499, removed: [] });
});

it('REP-19 limits in another currency than the offer are not used: 10 to 20 euro are not 10 to 20 złoty', () => {
  const rule = ruleOf();
  const decidedIn = (currency: string, limitsCurrency: string | undefined, von = '10,00') => {
    const known = {
      fields: { von, bis: '20,00', normal: '15,00' },
      offers: { offers: [offerOf('K1', 1500, { currency })] },
      sellerIds: ['WIR'],
      limitsCurrency,
    };
    const { price_cents, reason } = decideListing({ rule, read: readRule(rule) }, { ...listing, currency }, known);
    return [price_cents, reason];
  };
  expect(decidedIn('PLN', 'EUR')).toEqual([null, 'HOLD_CURRENCY']);
  expect(decidedIn('PLN', 'PLN')).toEqual([1499, 'COMPETE_LOWEST']);
  expect(decidedIn('PLN', undefined)).toEqual([1499, 'COMPETE_LOWEST']);
  expect(decidedIn('PLN', 'PLN', '10,00 €')).toEqual([null, 'HOLD_BOUNDS_INVALID']);
  expect(decidedIn('EUR', 'EUR', '10,00 €')).toEqual([1499, 'COMPETE_LOWEST']);
});
