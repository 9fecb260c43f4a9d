import { expect, it } from 'vitest';
import { articleOf } from '../../../../../../../test/stages/repricer/articles.ts';
import { markWords, rulerMarks } from './mini-ruler.ts';
import { productAddress } from './product-address.ts';

const prices = {
  worker_min_price: 10,
  worker_price: 15,
  worker_max_price: 20,
  my_offer_listing_price: 12,
  my_offer_shipping_price: 3,
  comp_offer_price: 13.5,
  comp_offer_shipping_price: 0.5,
};
const wordsOf = (given: Parameters<typeof articleOf>[1]) =>
  markWords(rulerMarks(articleOf(1, { ...prices, ...given })), 'EUR').replaceAll('\u00a0', ' ');

it("RDA-06 a row's price ruler is ordered; a competitor counts as the price at which ours would equal it", () => {
  expect(wordsOf({})).toBe(
    'Preise auf einer Skala: Min 10,00 €; Gegner 11,00 €; Ihr Preis 12,00 €; Standard 15,00 €; Max 20,00 €.',
  );
  const marks = rulerMarks(articleOf(1, prices));
  const sorted = marks.toSorted((one, other) => one.cents - other.cents).map(({ x }) => x);
  expect(sorted).toEqual(sorted.toSorted((one, other) => one - other));
});

it('RDA-06 a price far away does not squeeze the others, and none leaves the scale', () => {
  for (const comp_offer_price of [0, 0.01, 9_999_999, 13])
    for (const { x } of rulerMarks(articleOf(1, { ...prices, comp_offer_price }))) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(100);
    }
  const far = rulerMarks(articleOf(1, { ...prices, comp_offer_price: 9_999_999 }));
  expect(far.find(({ kind }) => kind === 'rival')).toMatchObject({ x: 100, beyond: true });
  const x = (kind: string) => far.find((mark) => mark.kind === kind)?.x ?? Number.NaN;
  expect(x('max') - x('min')).toBeGreaterThan(50);
});

it('RDA-06 a single price draws no scale, and equal prices stay within it', () => {
  const none = { worker_min_price: null, worker_price: null, worker_max_price: null, comp_offer_price: null };
  expect(rulerMarks(articleOf(1, { ...prices, ...none }))).toEqual([]);
  const zero = rulerMarks(articleOf(1, { ...prices, ...none, worker_min_price: 0, my_offer_listing_price: 0 }));
  expect(zero.every(({ x }) => x >= 0 && x <= 100)).toBe(true);
});

it("RDA-06 links to the article's page only at marketplaces whose host is known", () => {
  expect(productAddress('Amazon.de', 'B01')).toBe('https://www.amazon.de/dp/B01');
  expect(productAddress('Amazon.com.be', 'a/b?c')).toBe('https://www.amazon.com.be/dp/a%2Fb%3Fc');
  for (const name of ['M1', 'amazon.de.evil.example', 'Amazon', 'amazon.de/x', 'xamazon.de'])
    expect([name, productAddress(name, 'B01')]).toEqual([name, undefined]);
  expect(productAddress('Amazon.de', '')).toBeUndefined();
});
