import type { Offer } from '#marketplaces/port.ts';
import type { PricedItem } from '#repricer/model/priced-item.ts';
import { RepricerRule, type RepricerAction } from '#shared/repricer/schema.ts';

/** Returns an active, complete rule: limits 10 to 20 €, standard 15 €, one cent below the lowest. */
export const ruleOf = (action: Partial<RepricerAction> = {}, active = true): RepricerRule =>
  RepricerRule.parse({
    id: 'Fa11Regel1',
    name: 'Fall',
    active,
    action: {
      strategy: 1,
      diff_price: '0.01',
      min_price: { type: '_field', value: 'von' },
      max_price: { type: '_field', value: 'bis' },
      standard_price: { type: '_field', value: 'normal' },
      ...action,
    },
  });

export const itemOf = (fields: PricedItem['fields'] = {}, own: Partial<PricedItem['own']> = {}): PricedItem => ({
  currency: 'EUR',
  fields: { von: '10,00', bis: '20,00', normal: '15,00', ...fields },
  own: {
    seller_ids: ['WIR'],
    condition: 'new',
    fulfilment: 'merchant',
    shipping_cents: 0,
    current_price_cents: 1500,
    ...own,
  },
});

/** Returns an offer: seller, listing price in cents, and any special properties. */
export const offerOf = (seller_id: string, listing_price_cents: number, more: Partial<Offer> = {}): Offer => ({
  seller_id,
  condition: 'new',
  fulfilment: 'merchant',
  listing_price_cents,
  shipping_cents: 0,
  currency: 'EUR',
  is_buybox: false,
  feedback_count: 5000,
  feedback_rating: 97,
  ...more,
});

export type DecisionCase = {
  id: string;
  /** Row of the decision table (docs/repricer.md), or the filter it proves. */
  row: string;
  rule?: Partial<RepricerAction>;
  paused?: true;
  fields?: PricedItem['fields'];
  own?: Partial<PricedItem['own']>;
  offers: readonly Offer[] | null;
  /** price in cents or null, reason, target */
  gives: readonly [number | null, string, string | null];
};

export const box = { is_buybox: true } as const;
export const noField = { type: '_field', value: ' ' } as const;
export const one = [offerOf('K1', 1777)];
