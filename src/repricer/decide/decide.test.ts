import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasInputData, inputBytes, onlyWithInputData } from '../../../test/stages/input-data.ts';
import type { Offer } from '#marketplaces/port.ts';
import { readDecideRequest } from '#repricer/model/priced-item.ts';
import { DecideRequest, reasonCodes } from '#shared/repricer/decision.ts';
import type { RepricerAction, RepricerRule } from '#shared/repricer/schema.ts';
import { decide } from './decide.ts';
import { readRule } from '#repricer/model/read-rule.ts';
import { restored } from '#repricer/control/restore.ts';
import { itemOf, offerOf, ruleOf } from '#repricer/testing/builders.ts';
import { holdCases } from '#repricer/testing/hold-cases.ts';
import { priceCases } from '#repricer/testing/price-cases.ts';

const decisionCases = [...holdCases, ...priceCases];

const brief = ({ price_cents, reason, target_seller_id }: ReturnType<typeof decide>) => [
  price_cents,
  reason,
  target_seller_id,
];

describe('the decision table', () => {
  it.each(decisionCases)('REP-19 row $row: $id', ({ rule, paused, fields, own, offers, gives }) => {
    const decision = decide(readRule(ruleOf(rule, paused === undefined)), itemOf(fields, own), offers);
    expect(brief(decision)).toEqual(gives);
  });

  it('REP-19 the cases cover every reason, and a restored price replaces any reason except a hold', () => {
    const ruled = decisionCases.map(({ rule, paused, fields, own, offers }) =>
      decide(readRule(ruleOf(rule, paused === undefined)), itemOf(fields, own), offers),
    );
    const others = new Set<string>();
    for (const decision of ruled) {
      const { min_cents, max_cents } = decision.arithmetic;
      for (const price of [min_cents ?? 1, (max_cents ?? 1) + 1]) {
        const put = restored(decision, price);
        if (decision.reason.startsWith('HOLD_')) expect(put).toEqual(decision);
        else expect(brief(put)).toEqual([price === min_cents ? price : null, put.reason, null]);
        others.add(put.reason);
      }
    }
    // These are decided before `decide`: without fields, or with fields in another currency, it is not called.
    for (const before of ['HOLD_ITEM_EXCLUDED', 'HOLD_FIELDS_FAILED', 'HOLD_CURRENCY']) others.add(before);
    expect(new Set([...ruled.map(({ reason }) => reason), ...others])).toEqual(new Set(reasonCodes));
  });

  it('REP-19 the arithmetic contains the calculation, the target and why other sellers were excluded', () => {
    const offers = [
      offerOf('WIR', 1500),
      offerOf('B', 900),
      offerOf('C', 1300, { shipping_cents: 200 }),
      offerOf('C', 1700),
    ];
    const { arithmetic, price_cents } = decide(
      readRule(ruleOf({ min_price_strategy: 3, diff_price: '0.05' })),
      itemOf({ normal: '22,00' }, { shipping_cents: 100 }),
      offers,
    );
    expect(price_cents).toBe(1395);
    expect(arithmetic).toMatchObject({
      min_cents: 1000,
      max_cents: 2000,
      standard_cents: 2000,
      standard_given_cents: 2200,
      standard_clamped: true,
      own_shipping_cents: 100,
      diff_cents: 5,
      current_cents: 1500,
      computed_cents: 1395,
      target: { seller_id: 'C', listing_cents: 1300, shipping_cents: 200, landed_cents: 1500 },
      first_target: { seller_id: 'B' },
      removed: [
        { seller_id: 'WIR', landed_cents: 1500, reason: 'OWN' },
        { seller_id: 'C', landed_cents: 1700, reason: 'SAME_SELLER' },
      ],
    });
  });
});

const expected = z.object({
  price_cents: z.number().nullable(),
  reason: z.string(),
  target_seller_id: z.string().nullable(),
});

const tableSchema = z.object({
  rule: DecideRequest.shape.rule,
  item: DecideRequest.shape.item,
  offer: z.record(z.string(), z.unknown()),
  cases: z.array(
    z.object({
      id: z.string(),
      why: z.string(),
      action: z.record(z.string(), z.unknown()),
      fields: z.record(z.string(), z.unknown()),
      own: z.record(z.string(), z.unknown()),
      offers: z.array(z.record(z.string(), z.unknown())).nullable(),
      expect: expected,
    }),
  ),
});

describe('the case table', () => {
  const text = readFileSync(new URL('../../../test/data/repricing/cases.json', import.meta.url), 'utf8');
  const { rule, item, offer, cases } = tableSchema.parse(JSON.parse(text));

  it.each(cases)('REP-19 $id: $why', (row) => {
    const request = DecideRequest.parse({
      rule: { ...rule, action: { ...rule.action, ...row.action } },
      item: { ...item, fields: { ...item.fields, ...row.fields }, own: { ...item.own, ...row.own } },
      offers: row.offers?.map((one) => ({ ...offer, ...one })) ?? null,
    });
    const { item: priced, offers } = readDecideRequest(request);
    const { price_cents, reason, target_seller_id } = decide(readRule(request.rule), priced, offers);
    expect({ price_cents, reason, target_seller_id }).toEqual(row.expect);
  });
});

const GivenCases = z.object({ cases: z.array(DecideRequest.extend({ id: z.string(), expect: expected })) });

describe.skipIf(!hasInputData)(`the case table of the input data (${onlyWithInputData})`, () => {
  it('REP-19 every case has the expected result', () => {
    const { cases } = GivenCases.parse(JSON.parse(inputBytes('repricing/cases.json').toString()));
    expect(cases.length).toBeGreaterThan(50);
    const wrong = cases.flatMap((one) => {
      const { item, offers } = readDecideRequest(one);
      const got = decide(readRule(one.rule), item, offers);
      const same =
        got.price_cents === one.expect.price_cents &&
        got.reason === one.expect.reason &&
        got.target_seller_id?.toUpperCase() === one.expect.target_seller_id?.toUpperCase();
      return same ? [] : [{ id: one.id, got: brief(got), expected: one.expect }];
    });
    expect(wrong).toEqual([]);
  });
});

const cents = fc.integer({ min: 1, max: 3000 });
const anyOffer: fc.Arbitrary<Offer> = fc.record({
  seller_id: fc.constantFrom('WIR', 'wir', 'A', 'B', 'C', 'D', 'raus'),
  condition: fc.constantFrom('new', 'new', 'new', 'used'),
  fulfilment: fc.constantFrom('merchant' as const, 'marketplace' as const),
  listing_price_cents: fc.integer({ min: -10, max: 3000 }),
  shipping_cents: fc.option(fc.integer({ min: -5, max: 600 })),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
  is_buybox: fc.boolean(),
  feedback_count: fc.option(fc.integer({ min: 0, max: 1000 })),
  feedback_rating: fc.option(fc.integer({ min: 0, max: 100 })),
});
const anyAction: fc.Arbitrary<Partial<RepricerAction>> = fc.record({
  strategy: fc.constantFrom(1, 2, '1', '2'),
  diff_price: fc.integer({ min: 0, max: 99 }).map((n) => (n / 100).toFixed(2)),
  non_competition_strategy: fc.constantFrom(1, 'repricer_price.worker_max_price'),
  min_price_strategy: fc.constantFrom(1, 2, 3),
  exclude_count_rank: fc.constantFrom(0, 50, 90),
  exclude_count_reviews: fc.constantFrom(0, 200),
  exclude_sellers: fc.constant([{ name: '', value: 'RAUS' }]),
});
const text = (value: number) => (value / 100).toFixed(2).replace('.', ',');
const anyCase = fc.record({
  action: anyAction,
  min: cents,
  max: cents,
  standard: cents,
  own: fc.record({
    shipping_cents: fc.option(fc.integer({ min: 0, max: 500 })),
    current_price_cents: fc.option(cents),
    fulfilment: fc.constantFrom('merchant' as const, 'marketplace' as const),
  }),
  offers: fc.option(fc.array(anyOffer, { maxLength: 12 })),
});
type AnyCase = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

const inputOf = ({ action, min, max, standard, own }: AnyCase): [RepricerRule, ReturnType<typeof itemOf>] => [
  ruleOf(action),
  itemOf({ von: text(min), bis: text(max), normal: text(standard) }, own),
];
const run = (one: AnyCase, offers: readonly Offer[] | null = one.offers) => {
  const [rule, item] = inputOf(one);
  return decide(readRule(rule), item, offers);
};
const runs = { numRuns: 5000 };

describe('invariants of the decision', () => {
  it('REP-19 a price is null or within the bounds, and null exactly with a hold or an unknown own price', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { price_cents, reason } = run(one);
        if (price_cents === null) return reason.startsWith('HOLD_') || reason === 'OWN_BUYBOX_HOLD';
        return (
          Number.isInteger(price_cents) &&
          price_cents >= one.min &&
          price_cents <= one.max &&
          !reason.startsWith('HOLD_')
        );
      }),
      runs,
    );
  });

  it('REP-19 the order of the offers and repetition do not change the decision', () => {
    fc.assert(
      fc.property(anyCase, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (one, random) => {
        const keyed = one.offers?.map((offer): [number, Offer] => [Number(random.next().value), offer]) ?? null;
        const shuffled = keyed?.sort(([a], [b]) => a - b).map(([, offer]) => offer) ?? null;
        const { removed: _one, ...first } = run(one).arithmetic;
        const { removed: _two, ...second } = run(one, shuffled).arithmetic;
        expect(second).toEqual(first);
        expect(brief(run(one, shuffled))).toEqual(brief(run(one)));
      }),
      { numRuns: 2000 },
    );
  });

  it('REP-10 an offer that the filters exclude does not change the decision', () => {
    fc.assert(
      fc.property(anyCase, anyOffer, (one, extra) => {
        if (one.offers === null) return;
        const excluded = { ...extra, seller_id: ' raus' };
        expect(brief(run(one, [...one.offers, excluded]))).toEqual(brief(run(one)));
      }),
      { numRuns: 2000 },
    );
  });

  it('REP-19 higher competitor prices never lower the price of a rule that may go down to the minimum', () => {
    fc.assert(
      fc.property(anyCase, fc.integer({ min: 1, max: 500 }), (one, more) => {
        const rising: AnyCase = { ...one, action: { ...one.action, strategy: 1, min_price_strategy: 1 } };
        const offers = one.offers?.filter((offer) => offer.listing_price_cents > 0) ?? null;
        const raised =
          offers?.map((offer) => ({ ...offer, listing_price_cents: offer.listing_price_cents + more })) ?? null;
        const [low, high] = [run(rising, offers), run(rising, raised)];
        return low.price_cents === null ? high.price_cents === null : (high.price_cents ?? -1) >= low.price_cents;
      }),
      runs,
    );
  });
});
