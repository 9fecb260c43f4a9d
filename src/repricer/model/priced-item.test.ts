import { expect, it } from 'vitest';
import { DecideRequest } from '#shared/repricer/decision.ts';
import { decide } from '#repricer/decide/decide.ts';
import { ruleOf } from '#repricer/testing/builders.ts';
import { readDecideRequest } from './priced-item.ts';
import { readRule } from './read-rule.ts';

const ask = (own: object, offer: object) => {
  const rule = ruleOf();
  const fields = { von: '10,00', bis: '20,00', normal: '15,00' };
  const request = DecideRequest.parse({
    rule,
    item: { fields, own: { seller_ids: ['WIR'], shipping_cents: 300, current_price_cents: 1500, ...own } },
    offers: [{ seller_id: 'K', listing_price_cents: 1400, shipping_cents: 300, ...offer }],
  });
  const { item, offers } = readDecideRequest(request);
  const { price_cents, reason } = decide(readRule(rule), item, offers);
  return [price_cents, reason];
};

it('REP-19 words in a request are read in any case: fulfilment, currency and condition', () => {
  const landed = [1699, 'COMPETE_LOWEST'];
  for (const fulfillment of ['AFN', 'afn', ' FBA ', 'Amazon', 'AMAZON_EU'])
    expect(ask({ fulfillment, shipping_cents: null }, {})).toEqual(landed);
  expect(ask({ fulfillment: 'mfn' }, { currency: 'eur', condition: 'NewItem' })).toEqual([1399, 'COMPETE_LOWEST']);
});

it('REP-19 null in a request means the same as a missing member, for every optional one', () => {
  const nothing = { condition: null, fulfillment: null };
  expect(ask(nothing, { ...nothing, currency: null, is_buybox: null, feedback_count: null })).toEqual([
    1399,
    'COMPETE_LOWEST',
  ]);
  expect(ask({ seller_ids: null }, { seller_id: 'WIR' })).toEqual([1399, 'COMPETE_LOWEST']);
});
