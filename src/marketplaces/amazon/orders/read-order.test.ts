import { describe, expect, it } from 'vitest';
import { hasInputData, inputBytes, onlyWithInputData } from '../../../../test/stages/input-data.ts';
import { AmazonOrder } from './order-answers.ts';
import { readOrder } from './read-order.ts';

const eur = (amount: string) => ({ amount, currencyCode: 'EUR' });
const row = (type: string, amount: string, details: Record<string, string> = {}) => ({
  type,
  subtotal: eur(amount),
  detailedBreakdowns: Object.entries(details).map(([subtype, value]) => ({ subtype, value: eur(value) })),
});
const item = (more: object = {}) => ({
  orderItemId: 'L1',
  quantityOrdered: 3,
  product: { asin: 'B1', title: 'Teekanne', sellerSku: 'S1', price: { unitPrice: eur('29.99') } },
  fulfillment: { quantityFulfilled: 0, quantityUnfulfilled: 3 },
  ...more,
});
const order = (state: string, items: readonly object[], more: object = {}) => ({
  orderId: '028-1234567-1234567',
  createdTime: '2026-03-01T10:00:00Z',
  lastUpdatedTime: '2026-03-01T11:00:00Z',
  salesChannel: { channelName: 'AMAZON', marketplaceId: 'A1PA6795UKMFR9' },
  fulfillment: { fulfillmentStatus: state, fulfilledBy: 'MERCHANT' },
  orderItems: items,
  ...more,
});
const read = (raw: object) => readOrder(AmazonOrder.parse(raw), 'EUR');
const counts = (raw: object) => read(raw).lines.map(({ ordered, shipped, cancelled }) => [ordered, shipped, cancelled]);
const pieces = (quantityFulfilled?: number, quantityUnfulfilled?: number) => ({
  fulfillment: { quantityFulfilled, quantityUnfulfilled },
});

describe('orders of Amazon', () => {
  it('OIM-02 pieces neither shipped nor open are cancelled, unless the order is pending', () => {
    expect(counts(order('PARTIALLY_SHIPPED', [item(pieces(1, 2))]))).toEqual([[3, 1, 0]]);
    expect(counts(order('PARTIALLY_SHIPPED', [item(pieces(1, 1))]))).toEqual([[3, 1, 1]]);
    const beside = [item(pieces(3, 0)), item({ orderItemId: 'L2', ...pieces(0, 0) })];
    expect(counts(order('SHIPPED', beside))).toEqual([
      [3, 3, 0],
      [3, 0, 3],
    ]);
    expect(counts(order('PENDING', [item(pieces(0, 0))]))).toEqual([[3, 0, 0]]);
    expect(counts(order('PENDING_AVAILABILITY', [item(pieces(0, 0))]))).toEqual([[3, 0, 0]]);
    expect(counts(order('CANCELLED', [item(pieces(0, 0))]))).toEqual([[3, 0, 3]]);
    // Either number may be missing: then nothing counts as cancelled unless Amazon says so.
    expect(counts(order('UNSHIPPED', [item({ fulfillment: undefined })]))).toEqual([[3, 0, 0]]);
    expect(counts(order('PARTIALLY_SHIPPED', [item(pieces(1))]))).toEqual([[3, 1, 0]]);
    expect(counts(order('SHIPPED', [item(pieces(undefined, 0))]))).toEqual([[3, 3, 0]]);
    const executed = { cancellation: { cancellationExecution: { cancelledBy: 'AMAZON' } } };
    expect(counts(order('UNSHIPPED', [item({ fulfillment: undefined, ...executed })]))).toEqual([[3, 0, 3]]);
    // The previous API wrote Canceled, and programs between Amazon and us keep its words.
    expect(counts(order('Canceled', [item(pieces(0, 0))]))).toEqual([[3, 0, 3]]);
    expect(counts(order('Pending', [item(pieces(0, 0))]))).toEqual([[3, 0, 0]]);
    const byMerchant = { fulfillment: { fulfillmentStatus: 'Unshipped', fulfilledBy: 'Merchant' } };
    expect(read(order('', [item()], byMerchant))).toMatchObject({ confirmable: true, rawState: 'Unshipped' });
    // Impossible numbers are limited to the ordered quantity.
    expect(counts(order('SHIPPED', [item(pieces(9, 0))]))).toEqual([[3, 3, 0]]);
  });

  it("OIM-03 a buyer's cancellation request holds the order while pieces of the line are open, and is shown at the line", () => {
    const asked = { cancellation: { cancellationRequest: { requester: 'BUYER', cancelReason: 'NO_LONGER_NEEDED' } } };
    expect(read(order('UNSHIPPED', [item(asked)]))).toMatchObject({
      hold: 'cancel_requested',
      lines: [{ cancelRequest: { by: 'buyer', reason: 'NO_LONGER_NEEDED' } }],
    });
    // All pieces were shipped anyway: there is nothing left to hold.
    expect(read(order('SHIPPED', [item({ ...asked, ...pieces(3, 0) })])).hold).toBe('none');
    const done = { cancellation: { ...asked.cancellation, cancellationExecution: { cancelledBy: 'MERCHANT' } } };
    expect(read(order('CANCELLED', [item({ ...done, ...pieces(0, 0) })]))).toMatchObject({
      hold: 'none',
      lines: [{ cancelRequest: undefined }],
    });
  });

  it('OIM-02 amounts are exact to the cent: prices including tax, tax on top, discounts of either sign', () => {
    const lineOf = (breakdowns: readonly object[], total?: string, more: object = {}) =>
      read(
        order('UNSHIPPED', [
          item({ proceeds: { breakdowns, ...(total ? { proceedsTotal: eur(total) } : {}) }, ...more }),
        ]),
      ).lines[0];
    // In Europe the price includes tax, and there is no tax row.
    expect(lineOf([row('ITEM', '89.97'), row('SHIPPING', '3.99')], '93.96')).toMatchObject({
      unitCents: 2999,
      shippingCents: 399,
      discountCents: 0,
      taxRate: null,
    });
    // The total includes the tax row in addition to the price: it is added.
    const beside = [
      row('ITEM', '90.00'),
      row('SHIPPING', '10.00'),
      row('TAX', '19.00', { ITEM: '17.10', SHIPPING: '1.90' }),
    ];
    expect(lineOf(beside, '119.00')).toMatchObject({ unitCents: 2999 + 570, shippingCents: 1190, taxRate: 1900 });
    // The same tax row, but the total excludes it: the price already included it.
    const inside = [row('ITEM', '119.00'), row('TAX', '19.00', { ITEM: '19.00' })];
    expect(lineOf(inside, '119.00')).toMatchObject({ unitCents: 2999, shippingCents: 0, taxRate: 1900 });
    for (const sign of ['', '-']) {
      const discount = row('DISCOUNT', `${sign}5.99`, { ITEM: `${sign}2.00`, SHIPPING: `${sign}3.99` });
      expect(lineOf([row('ITEM', '89.97'), row('SHIPPING', '3.99'), discount])).toMatchObject({
        discountCents: 200,
        shippingCents: 0,
      });
    }
    // Tax is owed on what was paid, whether the discount's part of it is a value of its own or already deducted.
    const paid = [row('ITEM', '119.00'), row('DISCOUNT', '11.90', { ITEM: '11.90' })];
    const less = [...paid, row('TAX', '17.10', { ITEM: '17.10' })];
    expect(lineOf(less, '107.10')).toMatchObject({ discountCents: 1190, taxRate: 1900 });
    const named = [...paid, row('TAX', '17.10', { ITEM: '19.00', DISCOUNT: '-1.90' })];
    expect(lineOf(named, '107.10')).toMatchObject({ discountCents: 1190, taxRate: 1900 });
    const lessBeside = [row('ITEM', '100.00'), row('DISCOUNT', '10.00', { ITEM: '10.00' }), row('TAX', '17.10')];
    expect(lineOf(lessBeside, '107.10')).toMatchObject({ discountCents: 1000, taxRate: 1900 });
    // 100.00 less 10.00, shipping 10.00 less 5.00, 19 % tax added to all of it: 107.10 and 5.95 are paid.
    const all = [
      row('ITEM', '100.00'),
      row('SHIPPING', '10.00'),
      row('DISCOUNT', '-15.00', { ITEM: '-10.00', SHIPPING: '-5.00' }),
      row('TAX', '18.05', { ITEM: '19.00', SHIPPING: '1.90', DISCOUNT: '-2.85' }),
    ];
    expect(lineOf(all, '113.05', { product: { sellerSku: 'S1' }, quantityOrdered: 1 })).toMatchObject({
      unitCents: 11_900,
      discountCents: 1190,
      shippingCents: 595,
      taxRate: 1900,
    });
    // Without a price per piece the line's sum is divided; without either the price is unknown.
    expect(lineOf([row('ITEM', '30.00')], undefined, { product: { sellerSku: 'S1' } })?.unitCents).toBe(1000);
    // Exact to the cent for any divisor: what the rounded pieces exceed the sum by becomes a discount of the line.
    const divided = [row('ITEM', '10.00'), row('DISCOUNT', '1.00', { ITEM: '1.00' })];
    expect(lineOf(divided, undefined, { product: { sellerSku: 'S1' } })).toMatchObject({
      unitCents: 334,
      discountCents: 102,
    });
    const taxed = [row('ITEM', '89.97'), row('TAX', '17.09', { ITEM: '17.09' })];
    expect(lineOf(taxed, '107.06')).toMatchObject({ unitCents: 3569, discountCents: 1 });
    expect(lineOf([], undefined, { product: { sellerSku: 'S1' } })?.unitCents).toBeNull();
    expect(lineOf([row('ITEM', 'viel')], undefined, { product: {} })?.unitCents).toBeNull();
  });

  it("OIM-02 gift wrap and other fees are paid with the shipping cost: the line's total is Amazon's", () => {
    const totalOf = (total: string, breakdowns: readonly object[]) => {
      const raw = item({ proceeds: { breakdowns, proceedsTotal: eur(total) }, quantityOrdered: 1, ...pieces(0, 1) });
      const [line] = read(order('UNSHIPPED', [{ ...raw, product: { sellerSku: 'S1' } }])).lines;
      if (line === undefined) throw new Error('no line');
      const { unitCents, discountCents, shippingCents, taxRate } = line;
      return { cents: (unitCents ?? 0) - discountCents + shippingCents, shippingCents, taxRate };
    };
    const wrapped = [row('ITEM', '29.99'), row('SHIPPING', '3.99'), row('GIFT_WRAP', '4.50')];
    expect(totalOf('38.48', wrapped)).toEqual({ cents: 3848, shippingCents: 849, taxRate: null });
    // Tax included in all of it, then beside it.
    const tax = (text: string) => row('TAX', text, { ITEM: '19.00', GIFT_WRAP: '0.95' });
    const inside = [row('ITEM', '119.00'), row('GIFT_WRAP', '5.95'), tax('19.95')];
    expect(totalOf('124.95', inside)).toEqual({ cents: 12_495, shippingCents: 595, taxRate: 1900 });
    const beside = [row('ITEM', '100.00'), row('GIFT_WRAP', '5.00'), tax('19.95')];
    expect(totalOf('124.95', beside)).toEqual({ cents: 12_495, shippingCents: 595, taxRate: 1900 });
    const whole = [row('ITEM', '100.00'), row('COD_FEE', '5.00'), row('OTHER', '1.00'), row('TAX', '20.14')];
    expect(totalOf('126.14', whole)).toEqual({ cents: 12_614, shippingCents: 2614, taxRate: null });
    const free = [...wrapped, row('DISCOUNT', '8.49', { SHIPPING: '3.99', GIFT_WRAP: '4.50' })];
    expect(totalOf('29.99', free)).toEqual({ cents: 2999, shippingCents: 0, taxRate: null });
  });

  it('OIM-02 gift wrap and message are part of the personal data, for those who pack; an order without them has no such member', () => {
    const recipient = { deliveryAddress: { name: 'Kanari Vogel', addressLine1: 'Kanariweg 1', city: 'Köln' } };
    const packed = (giftOption?: object) =>
      read(order('UNSHIPPED', [item({ fulfillment: { packing: { giftOption } } })], { recipient })).persons?.delivery;
    expect(packed({ giftMessage: 'Alles Gute!\nDeine Tante', giftWrapLevel: 'PREMIUM' })?.gifts).toEqual([
      'S1: Geschenkverpackung „PREMIUM“, Nachricht: „Alles Gute!\nDeine Tante“',
    ]);
    expect(packed({ giftMessage: '', giftWrapLevel: 'Classic' })?.gifts).toEqual(['S1: Geschenkverpackung „Classic“']);
    expect(packed({ giftMessage: ' ' })).not.toHaveProperty('gifts');
    expect(packed()).not.toHaveProperty('gifts');
  });

  it('OIM-02 only orders that Amazon leaves to the merchant to ship can be confirmed', () => {
    const confirmable = (fulfilledBy: string | undefined, programs: readonly string[] = []) =>
      read(order('UNSHIPPED', [item()], { programs, fulfillment: { fulfillmentStatus: 'UNSHIPPED', fulfilledBy } }))
        .confirmable;
    expect(confirmable('MERCHANT')).toBe(true);
    expect(confirmable('MERCHANT', ['PRIME', 'AMAZON_BUSINESS', 'PREMIUM'])).toBe(true);
    expect(confirmable('AMAZON')).toBe(false);
    expect(confirmable(undefined)).toBe(false);
    for (const program of ['FBM_SHIP_PLUS', 'AMAZON_EASY_SHIP', 'IN_STORE_PICK_UP', 'DELIVERY_BY_AMAZON'])
      expect(confirmable('MERCHANT', [program])).toBe(false);
  });

  it('OIM-02 parcels are read leniently: unknown states count as shipped, unreadable items are left out', () => {
    const packages = [
      {
        packageReferenceId: 'UK-1',
        packageStatus: { status: 'OUT_FOR_DELIVERY' },
        carrier: 'DHL',
        trackingNumber: 'N1',
        shipTime: '2026-03-02T08:00:00Z',
        packageItems: [{ orderItemId: 'L1', quantity: 2 }, { orderItemId: 'L1' }],
      },
      { packageReferenceId: '2', packageStatus: { status: 'DELIVERED', detailedStatus: 7 } },
      { carrier: 'ohne Nummer' },
    ];
    const found = read(order('PARTIALLY_SHIPPED', [item()], { packages }));
    expect(found.shipments).toEqual([
      {
        reference: 'UK-1',
        carrier: 'DHL',
        tracking: 'N1',
        shippedAt: new Date('2026-03-02T08:00:00Z'),
        state: 'shipped',
        lines: [{ line: 'L1', quantity: 2 }],
      },
      {
        reference: '2',
        carrier: '',
        tracking: '',
        shippedAt: new Date('2026-03-01T11:00:00Z'),
        state: 'delivered',
        lines: [],
      },
    ]);
    expect(found.deliveredAt).toBeUndefined();
    const both = packages.slice(0, 2).map((one) => ({ ...one, packageStatus: { status: 'DELIVERED' } }));
    // A line with open pieces has not been delivered.
    expect(read(order('PARTIALLY_SHIPPED', [item(pieces(2, 1))], { packages: both })).deliveredAt).toBeUndefined();
    expect(read(order('SHIPPED', [item(pieces(3, 0))], { packages: both })).deliveredAt).toEqual(
      new Date('2026-03-01T11:00:00Z'),
    );
    expect(read(order('SHIPPED', [item()])).shipments).toBeUndefined();
  });

  it('OIM-02 keeps data for accounting and replacements, and has no person if Amazon names none', () => {
    const found = read(
      order('UNSHIPPED', [item({ tax: { taxCalculationBreakdowns: [{ reportingScheme: 'UOSS' }] } })], {
        associatedOrders: [{ orderId: '028-1', associationType: 'REPLACEMENT_ORIGINAL_ID' }],
        buyer: { buyerPurchaseOrderNumber: 'BE-7' },
        proceeds: { grandTotal: { amount: '1.00', currencyCode: 'SEK' } },
        recipient: {
          deliveryAddress: { countryCode: 'AT', name: 'Kanari-A', addressLine1: 'Kanari-Weg 1', addressLine2: '' },
        },
      }),
    );
    expect(found).toMatchObject({
      taxScheme: 'UOSS',
      replaces: '028-1',
      buyerOrderNumber: 'BE-7',
      currency: 'SEK',
      country: 'AT',
    });
    expect(found.persons).toMatchObject({ delivery: { name: 'Kanari-A', lines: ['Kanari-Weg 1'], phone: '' } });
    expect(found.persons?.buyer).toBeUndefined();
    expect(read(order('PENDING', [item()]))).toMatchObject({ persons: undefined, country: '', currency: 'EUR' });
  });

  it.skipIf(!hasInputData)(`OIM-02 the official example is read completely (${onlyWithInputData})`, () => {
    type Example = { responses: Record<string, { examples: Record<string, { order: object; orders: object[] }> }> };
    const model = JSON.parse(inputBytes('spapi/orders_2026-01-01.json').toString('utf8')) as {
      paths: Record<string, { get: Example }>;
    };
    const exampleOf = (path: string) => model.paths[path]?.get.responses['200']?.examples['application/json'];
    const one = read(exampleOf('/orders/2026-01-01/orders/{orderId}')?.order ?? {});
    // 3 x 29.99 plus 3.00 tax; shipping 10.00 plus 1.00.
    expect(one).toMatchObject({
      rawState: 'SHIPPED',
      currency: 'GBP',
      lines: [{ ordered: 3, shipped: 3, cancelled: 0, unitCents: 3099, shippingCents: 1100, taxRate: 333 }],
      shipments: [{ reference: 'UK-PKG-2024-001', state: 'shipped' }],
    });
    const orders = exampleOf('/orders/2026-01-01/orders')?.orders ?? [];
    expect(orders.length).toBeGreaterThan(0);
    for (const raw of orders) expect(read(raw).lines.every(({ unitCents }) => (unitCents ?? 0) > 0)).toBe(true);
  });
});
