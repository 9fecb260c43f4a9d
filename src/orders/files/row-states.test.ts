import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';

/** Returns per line the pieces ordered, shipped and cancelled. */
const states = (...rows: string[]) => {
  const { orders, rejected } = readOrderFile(new TextEncoder().encode(rows.join('\n')));
  expect(rejected).toEqual([]);
  return orders.map(({ lines }) => lines.map(({ ordered, shipped, cancelled }) => [ordered, shipped, cancelled]));
};

describe('OIM-01 what is no longer open in the shop is not open here', () => {
  it('Shopify: a cancellation time on the first row applies to the whole order, a line status to its line', () => {
    const head =
      'Name;Created at;Lineitem quantity;Lineitem name;Lineitem price;Lineitem sku;Lineitem fulfillment status;Cancelled at';
    expect(
      states(
        head,
        '#1;2026-11-20 10:00:00 +0100;2;Hemd;19.99;A;pending;2026-11-21 08:00:00 +0100',
        '#1;2026-11-20 10:00:00 +0100;1;Hose;29.99;B;pending;',
        '#2;2026-11-20 10:00:00 +0100;2;Hemd;19.99;A;fulfilled;',
        '#2;2026-11-20 10:00:00 +0100;1;Hose;29.99;B;pending;',
      ),
    ).toEqual([
      [
        [2, 0, 2],
        [1, 0, 1],
      ],
      [
        [2, 2, 0],
        [1, 0, 0],
      ],
    ]);
  });

  it('an invalid cancellation time cancels nothing', () => {
    const head = 'Bestellnummer;Datum;SKU;Menge;Cancelled at';
    for (const text of [
      '0000-00-00 00:00:00',
      'NULL',
      '-',
      '0',
      'false',
      '1970-01-01 00:00:00',
      '0001-01-01T00:00:00Z',
    ])
      expect(states(head, `1;2026-11-20;A;2;${text}`, '1;2026-11-20;B;1;')).toEqual([
        [
          [2, 0, 0],
          [1, 0, 0],
        ],
      ]);
    for (const text of ['2026-11-21 08:00:00', '21.11.2026', '2026-11-21T08:00:00Z'])
      expect(states(head, `1;2026-11-20;A;2;${text}`)).toEqual([[[2, 0, 2]]]);
  });

  it('states in words apply to the order, on its first or every row, or to a line', () => {
    const head = 'Bestellnummer;Datum;SKU;Menge;Order Status;Item Status';
    const cancelled = ['Cancelled', 'canceled', 'wc-cancelled', 'Storniert', 'Storniert / Abgelehnt', 'Abgebrochen'];
    for (const state of [...cancelled, 'CANCELLED_BY_MARKETPLACE'])
      expect(states(head, `1;2026-11-20;A;2;${state};`, '1;2026-11-20;B;1;;')).toEqual([
        [
          [2, 0, 2],
          [1, 0, 1],
        ],
      ]);
    expect(states(head, '1;2026-11-20;A;2;;Cancelled', '1;2026-11-20;B;1;;')).toEqual([
      [
        [2, 0, 2],
        [1, 0, 0],
      ],
    ]);
    for (const state of ['Shipped', 'Shipped - Delivered to Buyer', 'SENT', 'Versendet', 'versandt'])
      expect(states(head, `1;2026-11-20;A;2;${state};`)).toEqual([[[2, 2, 0]]]);
    for (const state of [
      '',
      'not_cancelled',
      'Teilweise versendet',
      'Stornowunsch',
      'Offen',
      'processing',
      'completed',
    ])
      expect(states(head, `1;2026-11-20;A;2;${state};`)).toEqual([[[2, 0, 0]]]);
  });

  it('a plain status column on the first row does not apply to rows with their own order number', () => {
    const head = 'Bestellnummer;Datum;SKU;Menge;Status';
    for (const state of ['storniert', 'versendet'])
      expect(states(head, `1;2026-11-20;A;2;${state}`, '1;2026-11-20;B;1;')[0]?.[1]).toEqual([1, 0, 0]);
    expect(states(head, '1;2026-11-20;A;2;', '1;2026-11-20;B;1;storniert')).toEqual([
      [
        [2, 0, 0],
        [1, 0, 1],
      ],
    ]);
    // Programs that write the order's values once write its number once, too.
    expect(states(head, '1;2026-11-20;A;2;storniert', ';;B;1;')[0]?.[1]).toEqual([1, 0, 1]);
    for (const title of ['Order Status', 'Bestellstatus', 'Auftragsstatus'])
      expect(
        states(`Bestellnummer;Datum;SKU;Menge;${title}`, '1;2026-11-20;A;2;storniert', '1;2026-11-20;B;1;')[0]?.[1],
      ).toEqual([1, 0, 1]);
  });

  it('received and returned pieces count as shipped, in the words of Kaufland and Shopware', () => {
    const kaufland = 'id_order;ts_created_iso;id_order_unit;id_offer;status';
    for (const state of ['sent', 'received', 'returned', 'returned_paid', 'sent_and_autopaid'])
      expect(states(kaufland, `1;2026-11-20;11;A;${state}`, '1;2026-11-20;12;A;need_to_be_sent')).toEqual([
        [
          [1, 1, 0],
          [1, 0, 0],
        ],
      ]);
    const head = 'Bestellnummer;Datum;SKU;Menge;Status';
    for (const state of ['Komplett ausgeliefert', 'Komplett versendet', 'vollständig versendet'])
      expect(states(head, `1;2026-11-20;A;2;${state}`)).toEqual([[[2, 2, 0]]]);
    // Elsewhere it may mean that the order was received.
    for (const state of ['received', 'returned', 'Teilweise ausgeliefert', 'nicht vollständig versendet'])
      expect(states(head, `1;2026-11-20;A;2;${state}`)).toEqual([[[2, 0, 0]]]);
  });

  it('pieces shipped before the remaining ones were cancelled count as shipped', () => {
    const head = 'order-id;purchase-date;sku;quantity-purchased;quantity-shipped;order-status';
    expect(states(head, '1;2026-11-20;A;3;1;Cancelled', '2;2026-11-20;A;3;1;Shipped')).toEqual([
      [[3, 1, 2]],
      [[3, 1, 0]],
    ]);
  });

  it('Amazon: a line may be unshipped in a shipped order, and cancelled lines have a quantity of 0', () => {
    const head = 'amazon-order-id;purchase-date;order-status;item-status;sku;quantity';
    expect(
      states(
        head,
        '1;2026-11-20;Shipped;Shipped;A;2',
        '1;2026-11-20;Shipped;Unshipped;B;1',
        '2;2026-11-20;Cancelled;Cancelled;A;0',
      ),
    ).toEqual([
      [
        [2, 2, 0],
        [1, 0, 0],
      ],
      [[1, 0, 1]],
    ]);
  });

  it('Shopware 5: a status id of 4 means cancelled, only in its own files', () => {
    const head = 'orderId;number;orderStatusID;orderTime;orderDetailId;articleNumber;quantity;price';
    expect(
      states(head, '15;20001;4;2026-11-20 10:00:00;42;A;2;10', '16;20002;0;2026-11-20 10:00:00;43;A;2;10'),
    ).toEqual([[[2, 0, 2]], [[2, 0, 0]]]);
    expect(states('Bestellnummer;Datum;SKU;Menge;OrderStatusID', '1;2026-11-20;A;2;4')).toEqual([[[2, 0, 0]]]);
  });

  it('shipping costs move to an open line, a voucher stays with the line it reduced', () => {
    const { orders } = readOrderFile(
      new TextEncoder().encode(
        'Bestellnummer;Datum;SKU;Menge;Preis;Versandkosten;Item Status\n1;2026-11-20;A;1;90,00;4,90;Cancelled\n1;2026-11-20;B;1;10,00;4,90;\n1;2026-11-20;GUTSCHEIN;1;-2,00;4,90;',
      ),
    );
    expect(orders[0]?.lines.map((line) => [line.sku, line.discount_cents, line.shipping_cents])).toEqual([
      ['A', 200, 0],
      ['B', 0, 490],
    ]);
  });

  it('a voucher is distributed as if nothing were cancelled, so that no cent is lost and re-reading changes nothing', () => {
    const discounts = (first: string, second: string, voucher: string) =>
      readOrderFile(
        new TextEncoder().encode(
          `Bestellnummer;Datum;SKU;Menge;Preis;Item Status\n1;2026-11-20;A1;1;10,00;${first}\n1;2026-11-20;A2;1;5,00;${second}\n1;2026-11-20;GUT;1;${voucher};`,
        ),
      ).orders[0]?.lines.map((line) => line.discount_cents);
    for (const [first, second] of [
      ['', ''],
      ['storniert', ''],
      ['', 'storniert'],
      ['storniert', 'storniert'],
    ] as const) {
      expect(discounts(first, second, '-7,00')).toEqual([700, 0]);
      expect(discounts(first, second, '-12,00')).toEqual([1000, 200]);
    }
  });
});
