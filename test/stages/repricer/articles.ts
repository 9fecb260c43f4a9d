import type { RepricedArticle } from '#shared/repricer/dashboard.ts';

const brands = ['Bosch', 'Äroma', 'makita', 'Zwilling', '', 'Öko Test', 'Straß & Co'];

/** Returns the nth article of a list as the dashboard's calls return it; always the same. */
export function articleOf(n: number, given: Partial<RepricedArticle> = {}): RepricedArticle {
  const price = 10 + ((n * 7919) % 5000) / 100;
  const rival = n % 11 === 0 ? null : `K${n % 40}`;
  return {
    _id: `NK-${n}`,
    masterid: 'katalog',
    marketplace: 'A1PA6795UKMFR9',
    asin: `B0${String((n * 104_729) % 100_000_000).padStart(8, '0')}`,
    brand: brands[n % brands.length] ?? '',
    currency: 'EUR',
    own_buybox: n % 3 === 0 ? 1 : 0,
    my_rang: n % 13 === 0 ? null : 1 + (n % 5),
    worker_min_price: price,
    worker_price: n % 17 === 0 ? null : price + 5,
    worker_max_price: price + 10,
    my_offer_listing_price: price + ((n * 31) % 1000) / 100,
    my_offer_shipping_price: n % 2 === 0 ? 0 : 4.99,
    comp_offer_price: rival === null ? null : price + ((n * 17) % 1200) / 100,
    comp_offer_shipping_price: rival === null ? null : 0,
    comp_buybox: n % 3 === 1 && rival !== null ? 1 : 0,
    comp_seller_id: rival,
    comp_name: rival === null ? null : `Händler ${rival}`,
    comp_seller_rang: rival === null ? null : 1 + (n % 3),
    comp_count: (n * 13) % 400,
    offers_at: '2026-11-20T15:04:00.000Z',
    ...given,
  };
}

export const articles = (count: number, from = 0): RepricedArticle[] =>
  Array.from({ length: count }, (_, index) => articleOf(from + index));
