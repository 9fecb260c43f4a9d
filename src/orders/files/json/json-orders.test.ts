import { describe, expect, it } from 'vitest';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (value: unknown) =>
  readOrderFile(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)));
const linesOf = (value: unknown) => read(value).orders[0]?.lines;
const messages = (value: unknown) => read(value).rejected.map(({ message }) => message);

const place = { street: 'Käfigweg', city: 'München' };

describe('orders of idealo as JSON', () => {
  const address = { firstName: 'Ada', lastName: 'Kanari', addressLine1: 'Käfigweg 1', addressLine2: 'c/o Vogel' };
  const order = (more: object = {}) => ({
    idealoOrderId: 'A1B2',
    created: '2026-11-20T10:00:00Z',
    updated: '2026-11-20T11:00:00.123Z',
    status: 'PROCESSING',
    currency: 'EUR',
    offersPrice: '50.85',
    grossPrice: '53.84',
    shippingCosts: '2.99',
    lineItems: [
      { title: 'Lampe', price: '30.55', priceRangeAmount: '1.44', quantity: 1, sku: 'L-1' },
      { title: 'Birne', price: '10.15', quantity: 2, sku: 'B-2' },
    ],
    customer: { email: 'kanari@beispiel.invalid', phone: '030 1' },
    billingAddress: { ...address, postalCode: '10969', city: 'Berlin', countryCode: 'DE' },
    shippingAddress: { ...address, postalCode: '1010', city: 'Wien', countryCode: 'AT' },
    ...more,
  });

  it('OIM-01 price, pieces, shipping, both addresses and the moment of the last change are read', () => {
    const { orders, rejected } = read({ content: [order()], totalElements: 1 });
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: 'A1B2',
        placed_at: '2026-11-20T10:00:00.000Z',
        changed_at: '2026-11-20T11:00:00.123Z',
        country: 'AT',
        pending: false,
        lines: [
          {
            productid: 'L-1',
            sku: 'L-1',
            title: 'Lampe',
            ordered: 1,
            unit_cents: 3055,
            shipping_cents: 299,
            shipped: 0,
          },
          { productid: 'B-2', ordered: 2, unit_cents: 1015, shipping_cents: 0, tax_rate: null },
        ],
        persons: {
          delivery: { name: 'Ada Kanari', lines: ['Käfigweg 1', 'c/o Vogel'], city: 'Wien', phone: '030 1' },
          invoice: { city: 'Berlin', email: 'kanari@beispiel.invalid' },
        },
      },
    ]);
  });

  it.each([
    ['COMPLETED', { shipped: 2, cancelled: 0 }, false],
    ['REVOKED', { shipped: 0, cancelled: 2 }, false],
    ['REVOKING', { shipped: 0, cancelled: 0 }, true],
  ])('OIM-01 the state %s is true of all pieces', (status, counts, pending) => {
    const [found] = read([order({ status })]).orders;
    expect([found?.pending, found?.lines[1]]).toMatchObject([pending, counts]);
  });

  it('one order alone and one in each line are read; the same article twice keeps both lines; a delivery service counts as shipping', () => {
    const twice = order({ lineItems: [1, 2].map((quantity) => ({ sku: 'L-1', title: '', price: '5', quantity })) });
    expect(linesOf(twice)?.map(({ productid, ordered }) => [productid, ordered])).toEqual([
      ['L-1', 1],
      ['L-1 (2)', 2],
    ]);
    expect(read(`${JSON.stringify(order())}\n${JSON.stringify(order({ idealoOrderId: 'C3' }))}\n`).orders).toHaveLength(
      2,
    );
    expect(linesOf(order({ grossPrice: '83.83' }))?.[0]?.shipping_cents).toBe(3298);
    // Vouchers of the marketplace make no shipping cheaper.
    expect(linesOf(order({ grossPrice: '48.84' }))?.[0]?.shipping_cents).toBe(299);
  });

  it('a price that is no amount is refused with its position', () => {
    const wrong = order({ lineItems: [{ sku: 'L-1', price: '12,50', quantity: 1 }] });
    expect(messages(wrong)[0]).toMatch(/^Position 1, Preis: „12,50“ ist kein Betrag/);
    expect(messages(order({ lineItems: [] }))[0]).toMatch(/^Positionen: /);
  });

  it.each(['PARTIALLY_REVOKED', 'WHATEVER'])(
    'OIM-02 the state %s, which does not say what is left to ship, is refused',
    (status) => {
      expect(read(order({ status })).orders).toEqual([]);
      expect(messages(order({ status }))[0]).toContain(status);
    },
  );
});

describe('orders of OTTO as JSON', () => {
  const euros = (amount: number) => ({ amount, currency: 'EUR' });
  const item = (id: string, fulfillmentStatus: string, more: object = {}) => ({
    positionItemId: id,
    fulfillmentStatus,
    itemValueGrossPrice: euros(19.99),
    product: { sku: 'L-1', articleNumber: '99', productTitle: 'Lampe', vatRate: 19 },
    expectedDeliveryDate: '2026-11-25T00:00:00.000+0000',
    ...more,
  });
  const address = {
    salutation: 'MS',
    firstName: 'Ada',
    lastName: 'Kanari',
    houseNumber: '1a',
    zipCode: '80636',
    ...place,
  };
  const order = (positionItems: object[], more: object = {}) => ({
    salesOrderId: 'd5b0',
    orderNumber: 'bhbn1',
    orderDate: '2026-11-20T10:00:00.000+0000',
    lastModifiedDate: '2026-11-21T10:00:00.000+0000',
    positionItems,
    initialDeliveryFees: [{ name: 'DELIVERY_FEE_STANDARD', deliveryFeeAmount: euros(2.95), positionItemIds: ['p2'] }],
    deliveryAddress: { ...address, countryCode: 'DEU', addition: 'Hinterhaus' },
    invoiceAddress: { ...address, countryCode: 'AUT' },
    ...more,
  });

  it('OIM-01 each position is a piece with its own state; fee, tax and both addresses are read', () => {
    const { orders, rejected } = read({
      resources: [
        order([
          item('p1', 'PROCESSABLE'),
          item('p2', 'SENT'),
          item('p3', 'RETURNED'),
          item('p4', 'CANCELLED_BY_PARTNER'),
        ]),
      ],
      links: [],
    });
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: 'bhbn1',
        placed_at: '2026-11-20T10:00:00.000Z',
        changed_at: '2026-11-21T10:00:00.000Z',
        deliver_by: '2026-11-25T00:00:00.000Z',
        country: 'DE',
        pending: false,
        lines: [
          {
            productid: 'p1',
            sku: 'L-1',
            title: 'Lampe',
            ordered: 1,
            unit_cents: 1999,
            tax_rate: 1900,
            shipping_cents: 0,
          },
          { productid: 'p2', shipped: 1, shipping_cents: 295 },
          { productid: 'p3', shipped: 1, cancelled: 0 },
          { productid: 'p4', shipped: 0, cancelled: 1 },
        ],
        persons: {
          delivery: { name: 'Ada Kanari', lines: ['Käfigweg 1a', 'Hinterhaus'], postalCode: '80636', country: 'DE' },
          invoice: { country: 'AT' },
        },
      },
    ]);
  });

  it('OIM-02 announced pieces may not be sent yet, and have no address', () => {
    const announced = order([item('p1', 'ANNOUNCED')], { deliveryAddress: undefined, invoiceAddress: undefined });
    expect(read({ resources: [announced] }).orders).toMatchObject([{ pending: true, country: '', persons: {} }]);
  });

  it('an order of more positions than an order may have is refused, and fees of unknown positions are on its first line', () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => `p${at}`);
    const fees = ids.toReversed().map((id) => ({ deliveryFeeAmount: euros(1), positionItemIds: [id] }));
    const all = ids.map((id) => item(id, 'PROCESSABLE'));
    expect(messages(order(all, { initialDeliveryFees: fees }))[0]).toContain(
      'Bitte bearbeiten Sie diese Bestellung bei OTTO',
    );
    const most = order(all.slice(0, 1_000), { initialDeliveryFees: fees });
    expect(linesOf(most)?.map(({ shipping_cents: cents }) => cents)).toEqual([
      1_001 * 100,
      ...Array.from({ length: 999 }, () => 100),
    ]);
  });

  it('a discount is taken off once, by the share of its position or where none has one by that of the order', () => {
    const discounts = { initialDiscounts: [{ discountAmount: euros(5), positionItemIds: ['p1'] }] };
    const shared = { itemValueDiscount: euros(5), itemValueReducedGrossPrice: euros(14.99) };
    const worth = { unit_cents: 1999, discount_cents: 500 };
    expect(linesOf(order([item('p1', 'SENT', shared)], discounts))).toMatchObject([worth]);
    expect(linesOf(order([item('p1', 'SENT', { itemValueReducedGrossPrice: euros(14.99) })]))).toMatchObject([worth]);
    expect(linesOf(order([item('p1', 'SENT')], discounts))).toMatchObject([worth]);
  });

  it('an unknown state and a discount that is no amount are refused in words', () => {
    expect(messages({ resources: [order([item('p1', 'CANCELED')])] })[0]).toContain('CANCELED');
    const discounts = { initialDiscounts: [{ discountAmount: { amount: '5,00', currency: 'EUR' } }] };
    expect(messages({ resources: [order([item('p1', 'SENT')], discounts)] })[0]).toMatch(/Rabatt: „5,00“/);
  });
});
