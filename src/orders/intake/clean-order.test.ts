import { expect, test } from 'vitest';
import { line, said } from '#orders/model/merge-order-fixture.ts';
import { cleanOrder } from './clean-order.ts';

test('OIM-01 a tracking number from a channel is stored without blanks, as the search looks it up', () => {
  const parcel = { reference: '1', carrier: 'DHL', shippedAt: new Date(0), state: 'shipped' as const, lines: [] };
  const order = said(0, [line()], { shipments: [{ ...parcel, tracking: '0034 0434\u00a02161\0' }] });
  expect(cleanOrder(order).shipments).toEqual([{ ...parcel, tracking: '003404342161' }]);
});
