import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AmazonOrder, OrdersAnswer } from './order-answers.ts';
import { readOrder } from './read-order.ts';

const moment = { createdTime: '2026-03-01T10:00:00Z', lastUpdatedTime: '2026-03-01T11:00:00Z' };
const odd = fc.jsonValue({ maxDepth: 2 });
const count = fc.oneof(fc.integer({ min: -2, max: 9 }), odd);
const money = fc.oneof(
  odd,
  fc.record({ amount: fc.constantFrom('29.99', '-3.00', '1e9', 'viel', '10.005'), currencyCode: odd }),
);
const breakdown = fc.record({
  type: fc.constantFrom('ITEM', 'TAX', 'DISCOUNT', 'SHIPPING', 'ITEM '),
  subtotal: money,
  detailedBreakdowns: fc.oneof(
    odd,
    fc.array(fc.record({ subtype: fc.constantFrom('ITEM', 'SHIPPING'), value: money })),
  ),
});
const item = fc.record(
  {
    orderItemId: fc.string({ minLength: 1 }),
    quantityOrdered: fc.integer({ min: 0, max: 5 }),
    product: fc.oneof(odd, fc.record({ sellerSku: odd, title: odd, price: fc.record({ unitPrice: money }) })),
    proceeds: fc.oneof(odd, fc.record({ proceedsTotal: money, breakdowns: fc.oneof(odd, fc.array(breakdown)) })),
    cancellation: fc.oneof(odd, fc.record({ cancellationRequest: odd, cancellationExecution: odd })),
    fulfillment: fc.oneof(odd, fc.record({ quantityFulfilled: count, quantityUnfulfilled: count })),
  },
  { requiredKeys: ['orderItemId', 'quantityOrdered'] },
);
const order = fc.record(
  {
    orderId: fc.string({ minLength: 1 }),
    orderItems: fc.array(item, { minLength: 1, maxLength: 4 }),
    fulfillment: fc.oneof(
      odd,
      fc.record({
        fulfillmentStatus: fc.constantFrom('PENDING', 'UNSHIPPED', 'SHIPPED', 'CANCELLED', 'NEU'),
        fulfilledBy: odd,
      }),
    ),
    packages: fc.oneof(odd, fc.array(fc.oneof(odd, fc.record({ packageReferenceId: odd, packageItems: odd })))),
    recipient: odd,
    buyer: odd,
    programs: odd,
    associatedOrders: odd,
  },
  { requiredKeys: ['orderId', 'orderItems'] },
);

describe('orders with nonsensical parts', () => {
  it('OIM-02 a time of null is missing, and not due since 1970', () => {
    const bare = { orderId: '028-1', orderItems: [{ orderItemId: 'L', quantityOrdered: 1 }] };
    const none = { earliestDateTime: null, latestDateTime: null };
    const window = { fulfillment: { fulfillmentStatus: 'UNSHIPPED', shipByWindow: none, deliverByWindow: none } };
    const packages = [{ packageReferenceId: '1', shipTime: null, createdTime: null, packageItems: [] }];
    const found = readOrder(AmazonOrder.parse({ ...moment, ...bare, ...window, packages }), 'EUR');
    expect([found.shipBy, found.deliverBy]).toEqual([undefined, undefined]);
    expect(found.shipments?.[0]?.shippedAt).toEqual(new Date(moment.lastUpdatedTime));
    for (const wrong of [null, true, 0, '', 'gestern', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
      expect(AmazonOrder.safeParse({ ...moment, ...bare, createdTime: wrong }).success).toBe(false);
  });

  it('OIM-02 are read as far as possible, and their numbers never contradict each other', () => {
    fc.assert(
      fc.property(order, (raw) => {
        const found = readOrder(AmazonOrder.parse({ ...moment, ...raw }), 'EUR');
        expect(found.lines).toHaveLength(raw.orderItems.length);
        for (const line of found.lines) {
          const { ordered, shipped, cancelled, unitCents, discountCents, shippingCents } = line;
          expect(shipped).toBeGreaterThanOrEqual(0);
          expect(cancelled).toBeGreaterThanOrEqual(0);
          expect(shipped + cancelled).toBeLessThanOrEqual(ordered);
          if (found.pending) expect(cancelled).toBe(0);
          expect(Math.min(unitCents ?? 0, discountCents, shippingCents)).toBeGreaterThanOrEqual(0);
          for (const cents of [unitCents ?? 0, discountCents, shippingCents])
            expect(Number.isSafeInteger(cents)).toBe(true);
        }
        if (found.confirmable) expect(found.fulfilledBy).toBe('merchant');
      }),
      { numRuns: 500 },
    );
  });

  it('OIM-02 that are unreadable do not prevent reading the others', () => {
    fc.assert(
      fc.property(fc.array(odd), (orders) => {
        expect(OrdersAnswer.parse({ orders }).orders).toEqual(orders);
        for (const raw of orders) expect(AmazonOrder.safeParse(raw).success).toBe(false);
      }),
    );
  });
});
