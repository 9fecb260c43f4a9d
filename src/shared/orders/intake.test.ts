import { expect, it } from 'vitest';
import { NewOrder } from './intake.ts';

const line = { productid: '1', sku: 'A', ordered: 1 };
const order = { orderid: 'B-1', placed_at: '2026-01-01T10:00:00Z', lines: [line] };

it('OIM-01 an API client may send unknown values as null, in an order, its lines and its persons', () => {
  const bare = NewOrder.parse(order);
  const nulls = { ship_by: null, deliver_by: null, changed_at: null, buyer_order_number: null, country: null };
  const lines = [
    { ...line, title: null, unit_cents: null, discount_cents: null, shipping_cents: null, tax_rate: null },
  ];
  expect(NewOrder.parse({ ...order, ...nulls, pending: null, currency: null, persons: null, lines })).toEqual(bare);
  const delivery = { name: 'Kanari', phone: null, region: null, lines: ['Käfigweg 1'] };
  expect(NewOrder.parse({ ...order, persons: { buyer: null, delivery } }).persons).toMatchObject({
    delivery: { name: 'Kanari', phone: '', region: '' },
  });
  // A required part of an order is missing, be it null or absent.
  expect(NewOrder.safeParse({ ...order, orderid: null }).success).toBe(false);
  expect(NewOrder.safeParse({ ...order, lines: [null] }).success).toBe(false);
});

it('OIM-01 currencies and countries may be in lower case', () => {
  expect(NewOrder.parse({ ...order, currency: ' chf', country: 'at' })).toMatchObject({
    currency: 'CHF',
    country: 'AT',
  });
  expect(NewOrder.safeParse({ ...order, currency: 'euro' }).success).toBe(false);
});

it('OIM-01 a currency that ISO 4217 does not have, or has for no money, is refused', () => {
  const messages = (currency: string) =>
    NewOrder.safeParse({ ...order, currency }).error?.issues.map(({ message }) => message) ?? [];
  expect(['EUR', 'USD', 'TRY', 'huf', 'ISK'].flatMap(messages)).toEqual([]);
  for (const code of ['XXX', 'XTS', 'XAU', 'ZZZ'])
    expect(messages(code)).toEqual(['Diese Währung gibt es nicht. Bitte den Code nach ISO 4217, zum Beispiel EUR.']);
  expect(messages('euro')).toEqual(['Drei große Buchstaben, zum Beispiel EUR.']);
});

it('OIM-01 a member that no order has is refused by its name, as a misspelled one would be lost', () => {
  const refusals = [
    { ...order, shipby: '2026-01-02T10:00:00Z' },
    { ...order, lines: [{ ...line, unit_cent: 1999 }] },
    { ...order, persons: { deliver: {} } },
    { ...order, persons: { delivery: { zip: '10115' } } },
  ].map((given) => NewOrder.safeParse(given).error?.issues.map(({ path, message }) => [path.join('.'), message]));
  expect(refusals).toEqual([
    [['', expect.stringContaining('shipby')]],
    [['lines.0', expect.stringContaining('unit_cent')]],
    [['persons', expect.stringContaining('deliver')]],
    [['persons.delivery', expect.stringContaining('zip')]],
  ]);
});
