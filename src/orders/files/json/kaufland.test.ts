import { describe, expect, it } from 'vitest';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (value: unknown) =>
  readOrderFile(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)));
const messages = (value: unknown) => read(value).rejected.map(({ message }) => message);
const place = { street: 'Käfigweg', city: 'München' };

describe('order units of Kaufland as JSON', () => {
  const address = {
    first_name: 'Ada',
    last_name: 'Kanari',
    company_name: 'Vogel GmbH',
    house_number: '1',
    postcode: '80636',
    ...place,
  };
  const unit = (id: number, status: string, more: object = {}) => ({
    id_order_unit: id,
    id_order: 'MBTFYNJ',
    ts_created_iso: '2026-11-20T10:00:00Z',
    ts_updated_iso: '2026-11-21T17:24:05T',
    delivery_time_expires_iso: '2026-11-25T17:24:05T',
    status,
    id_offer: 'L-1',
    price: 3299,
    currency: 'EUR',
    vat: 19,
    shipping_rate: 495,
    fulfillment_type: 'fulfilled_by_merchant',
    product: { id_product: 1, title: 'Lampe', eans: ['4061474124438'] },
    buyer: { id_buyer: 1, email: 'kanari@beispiel.invalid' },
    billing_address: { ...address, country: 'AT', phone: '1' },
    shipping_address: { ...address, country: 'DE', additional_field: 'Hinterhaus' },
    ...more,
  });

  it('OIM-01 units of an order are its lines, with prices in cents, whatever their order in the file', () => {
    const units = [
      unit(314568017759588, 'need_to_be_sent'),
      unit(7, 'received', { id_order: 'OTHER' }),
      unit(314568017759589, 'cancelled', { shipping_rate: 0 }),
      unit(314568017759590, 'returned_paid'),
    ];
    const { orders, rejected } = read({ data: units, pagination: { total: 4 } });
    expect(rejected).toEqual([]);
    expect(orders.map(({ orderid, lines }) => [orderid, lines.length])).toEqual([
      ['MBTFYNJ', 3],
      ['OTHER', 1],
    ]);
    expect(orders[0]).toMatchObject({
      placed_at: '2026-11-20T10:00:00.000Z',
      deliver_by: '2026-11-25T16:24:05.000Z',
      country: 'DE',
      lines: [
        {
          productid: '314568017759588',
          sku: 'L-1',
          title: 'Lampe',
          ordered: 1,
          unit_cents: 3299,
          tax_rate: 1900,
          shipping_cents: 495,
        },
        { productid: '314568017759589', cancelled: 1, shipping_cents: 0 },
        { productid: '314568017759590', shipped: 1 },
      ],
      persons: {
        delivery: { name: 'Ada Kanari', company: 'Vogel GmbH', lines: ['Käfigweg 1', 'Hinterhaus'], country: 'DE' },
        invoice: { country: 'AT', email: 'kanari@beispiel.invalid' },
      },
    });
  });

  it('OIM-01 an order with its units inside gives them its addresses; unpaid units may not be sent', () => {
    const { id_order: _id, buyer, billing_address, shipping_address, ...bare } = unit(1, 'open');
    const order = { id_order: 'M1', ts_created_iso: '2026-11-20T10:00:00Z', buyer, billing_address, shipping_address };
    expect(read({ data: { ...order, order_units: [bare] } }).orders).toMatchObject([
      { orderid: 'M1', pending: true, lines: [{ productid: '1' }], persons: { delivery: { name: 'Ada Kanari' } } },
    ]);
  });

  it('what Kaufland sends itself, an amount that is not in cents and a list without articles are refused in words', () => {
    expect(messages([unit(1, 'sent', { fulfillment_type: 'fulfilled_by_kaufland' })])[0]).toContain('Kaufland selbst');
    expect(messages([unit(1, 'sent', { price: 32.99 })])[0]).toMatch(/^Position 1, Preis: „32.99“/);
    const list = { data: [{ id_order: 'M1', ts_created_iso: '2026-11-20T10:00:00Z', order_units_count: 2 }] };
    expect(() => read(list)).toThrow('order-units');
    expect(() => read('{"data":[')).toThrow('kein gültiges JSON');
    expect(() => read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow('JSON');
  });

  it('a document of more than a million values is refused before it is parsed', () => {
    expect(() => read(`[${'{},'.repeat(600_000)}{}]`)).toThrow('zu groß');
    expect(() => read(`[${'{},'.repeat(100_000)}{}]`)).toThrow('keine Bestellung eines Formats');
  });

  it('pieces that Kaufland sends itself are left out of an order with others; an unknown state is refused', () => {
    const units = [
      unit(1, 'need_to_be_sent'),
      unit(2, 'need_to_be_sent', { fulfillment_type: 'fulfilled_by_kaufland' }),
    ];
    expect(read(units).orders.map(({ lines }) => lines.map(({ productid }) => productid))).toEqual([['1']]);
    expect(messages([unit(1, 'canceled')])[0]).toContain('canceled');
  });

  it('units that come with their returns are read as orders', () => {
    const back = unit(1, 'returned', {
      return_unit: { id_return_unit: 7, id_order_unit: 1, status: 'return_accepted' },
    });
    for (const file of [[back], { data: back }, { id_order: 'MBTFYNJ', order_units: [back] }])
      expect(read(file).orders).toMatchObject([{ orderid: 'MBTFYNJ', lines: [{ shipped: 1 }] }]);
  });

  it('a list of returns is refused by its name', () => {
    expect(() => read({ data: [{ id_return_unit: 1, id_order_unit: 2, status: 'return_requested' }] })).toThrow(
      'Retouren',
    );
  });
});
