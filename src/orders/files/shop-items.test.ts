import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';

const read = (...rows: string[]) => readOrderFile(new TextEncoder().encode(rows.join('\n')));

describe('positions of orders that shops export from their tables', () => {
  it('Magento: prices with and without tax, pieces sent and cancelled; a variant that stands twice is bought once', () => {
    const { orders, rejected } = read(
      'increment_id,created_at,item_id,parent_item_id,sku,name,qty_ordered,qty_shipped,qty_canceled,price,price_incl_tax,tax_percent,discount_amount',
      '000000001,2026-11-20 10:00:00,1,,A-1-M,Hemd,3,1,1,10.0000,11.9000,19.0000,0.0000',
      '000000001,2026-11-20 10:00:00,2,1,A-1-M,Hemd M,3,1,1,0.0000,,0.0000,0.0000',
      '000000001,2026-11-20 10:00:00,3,,B-1,Hose,1,0,0,20.0000,23.8000,19.0000,2.0000',
    );
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: '000000001',
        lines: [
          { sku: 'A-1-M', ordered: 3, shipped: 1, cancelled: 1, unit_cents: 1190, tax_rate: 1900, discount_cents: 0 },
          { sku: 'B-1', ordered: 1, shipped: 0, cancelled: 0, unit_cents: 2380, discount_cents: 200 },
        ],
      },
    ]);
    const net = read(
      'increment_id,created_at,sku,qty_ordered,price,tax_percent',
      '2,2026-11-20 10:00:00,A,2,10.0000,19.0000',
    );
    expect(net.orders[0]?.lines).toMatchObject([{ ordered: 2, unit_cents: 1190 }]);
  });

  it('Magento: a set beside its parts is refused, refunded pieces that were never shipped are not shipped', () => {
    const head =
      'increment_id,created_at,item_id,parent_item_id,sku,qty_ordered,qty_shipped,qty_refunded,qty_canceled,price_incl_tax';
    const { orders, rejected } = read(
      head,
      '1,2026-11-20 10:00:00,1,,SET,1,0,0,0,100.0000',
      '1,2026-11-20 10:00:00,2,1,A,1,0,0,0,60.0000',
      '2,2026-11-20 10:00:00,3,,B,2,0,2,0,10.0000',
      '3,2026-11-20 10:00:00,4,,C,3,0,0,eine,10.0000',
    );
    expect(rejected.map(({ orderid, message }) => [orderid, message.slice(0, 40)])).toEqual([
      ['1', 'Die Bestellung enthält ein Set und desse'],
      ['3', 'Position 1, storniert oder erstattet: „e'],
    ]);
    expect(orders).toMatchObject([{ orderid: '2', lines: [{ sku: 'B', ordered: 2, cancelled: 2, shipped: 0 }] }]);
  });

  it('columns with the names of Magento keep their meaning in tables of other programs', () => {
    expect(
      read('Bestellnummer,increment_id,Artikelnummer,Menge,Bestelldatum', 'B-77,5,A,1,2026-11-20').orders[0]?.orderid,
    ).toBe('B-77');
    const parts = read(
      'order_id,date,item_id,parent_item_id,sku,quantity,price',
      '7,2026-11-20,5,,A,1,10.00',
      '7,2026-11-20,6,5,A,2,10.00',
    );
    expect(parts.orders[0]?.lines.map(({ ordered }) => ordered)).toEqual([1, 2]);
  });

  it('Magento: the overview of its orders has no articles, and says so', () => {
    expect(() =>
      read(
        'ID,Purchase Point,Purchase Date,Ship-to Name,Grand Total (Base),Status',
        '1,Main,2026-11-20,Ada,10.00,Pending',
      ),
    ).toThrow('Magento');
    expect(() => read('entity_id,increment_id,status,base_grand_total', '1,000000001,pending,10.0000')).toThrow(
      'Magento',
    );
  });

  it('Olist: each row of its positions is a piece; without the days of the orders the missing file is named', () => {
    const head = 'order_id,order_item_id,product_id,seller_id,shipping_limit_date,price,freight_value';
    const { orders, rejected } = read(
      `${head},order_purchase_timestamp,order_status`,
      'o1,1,p1,s1,2026-11-24 09:45:35,30,5,2026-11-20 08:59:02,delivered',
      'o1,2,p1,s1,2026-11-24 09:45:35,30,5,2026-11-20 08:59:02,delivered',
      'o2,1,p2,s1,2026-11-24 09:45:35,7,1,2026-11-20 08:59:02,canceled',
    );
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: 'o1',
        lines: [1, 2].map((line) => ({
          productid: `${line}`,
          sku: 'p1',
          ordered: 1,
          shipped: 1,
          unit_cents: 3000,
          shipping_cents: 500,
        })),
      },
      { orderid: 'o2', lines: [{ cancelled: 1, unit_cents: 700 }] },
    ]);
    expect(() => read(head, 'o1,1,p1,s1,2026-11-24 09:45:35,30.00,5.00')).toThrow('order_purchase_timestamp');
  });
});
