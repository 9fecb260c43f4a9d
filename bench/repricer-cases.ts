import { decide } from '#repricer/decide.ts';
import { readRule } from '#repricer/read-rule.ts';
import type { Offer, PricedItem } from '#shared/repricer-decision.ts';
import { RepricerRule } from '#shared/repricer.ts';
import type { Case } from './measure.ts';

const DECISIONS = 400_000;
const field = (value: string) => ({ type: '_field', value });

const rule = RepricerRule.parse({
  id: 'Messung001',
  name: 'Messung',
  active: true,
  action: {
    strategy: 2,
    diff_price: '0.01',
    min_price_strategy: 3,
    exclude_count_rank: 80,
    exclude_count_reviews: 200,
    exclude_sellers: [{ name: '', value: 'A3' }],
    min_price: field('min'),
    max_price: field('max'),
    standard_price: field('std'),
  },
});

/** Snapshots of 20 offers each, different enough that no branch is always the same. */
const snapshots = Array.from({ length: 500 }, (_, n) => ({
  item: {
    currency: 'EUR',
    fields: { min: '10,00', max: '1.299,00', std: '24.50' },
    own: {
      seller_ids: ['A0'],
      condition: 'new',
      fulfillment: 'MFN',
      shipping_cents: 0,
      current_price_cents: 1500,
    },
  } satisfies PricedItem,
  offers: Array.from({ length: 20 }, (_, m): Offer => ({
    seller_id: `A${(m * 7 + n) % 20}`,
    condition: m === 11 ? 'used' : 'new',
    fulfillment: m % 3 === 0 ? 'AFN' : 'MFN',
    listing_price_cents: 900 + ((m * 7919 + n * 104_729) % 2000),
    shipping_cents: m % 2 === 0 ? 0 : 399,
    currency: 'EUR',
    is_buybox: m === n % 20,
    feedback_count: (m * 331) % 5000,
    feedback_rating: 70 + ((m * 13) % 31),
  })),
}));

/** Calls `work` DECISIONS times; twice, because the first round is the compiler's. */
function repeated(work: (snapshot: (typeof snapshots)[number]) => number | null): () => Promise<number> {
  return async () => {
    let sum = 0;
    let ms = 0;
    for (const _round of ['warm', 'measured']) {
      const begin = performance.now();
      for (let n = 0; n < DECISIONS; n++) {
        const snapshot = snapshots[n % snapshots.length];
        if (snapshot) sum += work(snapshot) ?? 0;
      }
      ms = performance.now() - begin;
    }
    if (sum === 0) throw new Error('nothing was decided');
    return ms;
  };
}

const read = readRule(rule);

export const repricerCases = {
  repricing: {
    title: `Preisentscheidungen (${DECISIONS / 1000}k x 20 Angebote)`,
    goal: 2.5,
    baseline: 'dieselben Angebote nur nach Preis sortiert',
    ours: repeated(({ item, offers }) => decide(read, item, offers).price_cents),
    bare: repeated(
      ({ offers }) =>
        [...offers].sort(
          (one, other) =>
            one.listing_price_cents +
            (one.shipping_cents ?? 0) -
            other.listing_price_cents -
            (other.shipping_cents ?? 0),
        )[0]?.listing_price_cents ?? null,
    ),
  },
} satisfies Record<string, Case>;
