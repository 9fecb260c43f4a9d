import { describe, expect, it } from 'vitest';
import { percentRate } from './net-amounts.ts';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));
const shop5 = (...rows: string[]) =>
  read(
    `orderId;number;invoiceAmount;invoiceAmountNet;invoiceShipping;invoiceShippingNet;orderTime;net;taxFree;currency;orderDetailId;taxRate;articleNumber;price;quantity\n${rows.join('\n')}\n`,
  );
const totals = ({ orders }: ReturnType<typeof read>) =>
  orders.map(({ lines }) =>
    lines.reduce(
      (sum, { unit_cents: unit, ordered, discount_cents: discount, shipping_cents: shipping }) =>
        sum + (unit ?? 0) * ordered - discount + shipping,
      0,
    ),
  );

describe('orders with net amounts', () => {
  it('Shopware 5: net 1 means net prices and gross shipping; the order total equals that of the shop', () => {
    const file = shop5(
      '15;20001;998.56;839.13;0;0;2026-08-30 10:15:54;1;0;EUR;42;19;SW10196;836.134;1',
      '15;20001;998.56;839.13;0;0;2026-08-30 10:15:54;1;0;EUR;43;19;SHIPPINGDISCOUNT;-2;1',
      '15;20001;998.56;839.13;0;0;2026-08-30 10:15:54;1;0;EUR;44;19;sw-payment-absolute;5;1',
      '16;20002;250.58;210.57;5.9;4.96;2026-08-30 11:15:54;1;0;EUR;45;19;A;33.6134;5',
      '16;20002;250.58;210.57;5.9;4.96;2026-08-30 11:15:54;1;0;EUR;46;7;B;20.85;2',
    );
    expect(file.rejected).toEqual([]);
    expect(totals(file)).toEqual([99_856, 25_052]);
    expect(file.orders[0]?.lines).toMatchObject([
      { sku: 'SW10196', tax_rate: 1900 },
      { sku: 'sw-payment-absolute', unit_cents: 595 },
    ]);
    expect(file.orders[1]?.lines[0]).toMatchObject({ unit_cents: 4000, ordered: 5, shipping_cents: 590 });
  });

  it('Shopware 5: other orders are gross, and tax-free ones have a tax rate of 0', () => {
    const file = shop5(
      '57;20002;54.99;46.21;0;0;2026-08-31 08:51:46;0;0;EUR;1;19;A;24.995;2',
      '57;20002;54.99;46.21;0;0;2026-08-31 08:51:46;0;0;EUR;2;19;B;5;1',
      '58;20003;100;100;10;10;2026-08-31 08:51:46;1;1;EUR;3;19;C;45;2',
    );
    expect(totals(file)).toEqual([5499, 10_000]);
    expect(file.orders.map(({ lines }) => lines[0]?.tax_rate)).toEqual([1900, 0]);
  });

  it('Shopware 6: the tax status decides whether prices and shipping are net', () => {
    const file = (state: string) =>
      read(
        `orderNumber;orderDateTime;taxStatus;shipping;sku;quantity;unit_price;tax_rate\n10001;2026-11-20 10:00:00;${state};5.00;A;3;10.00;19\n10001;2026-11-20 10:00:00;${state};5.00;B;1;100.00;7\n`,
      );
    expect(['net', 'gross', 'tax-free', ''].map((state) => totals(file(state)))).toEqual([
      [3570 + 10_700 + 595],
      [13_500],
      [13_500],
      [13_500],
    ]);
    expect(file('net').orders[0]?.lines[0]).toMatchObject({ unit_cents: 1190, tax_rate: 1900 });
    expect(file('tax-free').orders[0]?.lines[0]).toMatchObject({ tax_rate: 0 });
  });

  it('a net price without a known tax rate is refused, not read as gross', () => {
    const file = shop5('15;20001;10;10;0;0;2026-08-30 10:15:54;1;0;EUR;42;;A;10;1');
    expect(file.orders).toEqual([]);
    expect(file.rejected).toMatchObject([{ orderid: '20001', message: expect.stringContaining('netto') }]);
  });

  it('a column called net in other files is an amount', () => {
    const file = read('order_id;date;sku;quantity;price;net\n1;2026-11-20;A;1;1.19;1\n');
    expect(totals(file)).toEqual([119]);
  });
});

describe('tax of orders that give only its total', () => {
  const woo = (total: string, tax: string, country: string, ...items: string[]) =>
    read(
      `Order Number;Order Date;Country Code (Shipping);Order Shipping Amount;Order Total Amount;Order Total Tax Amount;SKU;Quantity (- Refund);Item Cost\n${items
        .map((item) => `1001;2026-11-20;${country};0;${total};${tax};${item}`)
        .join('\n')}\n`,
    );
  const prices = (file: ReturnType<typeof read>) =>
    file.orders[0]?.lines.map(({ unit_cents: unit, tax_rate: rate }) => [unit, rate]);

  it('an order with several rates, which match no existing rate together, is refused', () => {
    // 10.00 at 19 percent and 14.00 at 7 percent: 12 of both.
    for (const [total, tax, country] of [
      ['26.88', '2.88', ''],
      ['26.88', '2.88', 'BE'],
      // A rate of another country is no rate of a German order.
      ['27.12', '3.12', 'DE'],
    ] as const) {
      const file = woo(total, tax, country, 'A;1;10.00', 'B;1;14.00');
      expect([total, country, file.orders]).toEqual([total, country, []]);
      expect(file.rejected).toMatchObject([{ orderid: '1001', message: expect.stringContaining('netto') }]);
    }
  });

  it('a single rate is derived from the total; for a single line any rate is accepted', () => {
    expect(prices(woo('28.56', '4.56', 'DE', 'A;1;10.00', 'B;1;14.00'))).toEqual([
      [1190, 1900],
      [1666, 1900],
    ]);
    expect(prices(woo('26.00', '2.00', 'CH', 'A;1;10.00', 'B;1;14.00'))).toBeUndefined();
    expect(prices(woo('25.94', '1.94', 'CH', 'A;1;10.00', 'B;1;14.00'))).toEqual([
      [1081, 810],
      [1513, 810],
    ]);
    expect(prices(woo('11.20', '1.20', '', 'A;1;10.00'))).toEqual([[1120, 1200]]);
    expect(prices(woo('24.00', '0.00', '', 'A;1;10.00', 'B;1;14.00'))).toEqual([
      [1000, 0],
      [1400, 0],
    ]);
  });

  const sums = (...item: string[]) =>
    read(`order_id;order_date;item_sku;item_quantity;item_total;item_total_tax\n1;2026-11-20;${item.join(';')}\n`);

  it('no rate is derived from a sum if several rates round to the same tax', () => {
    expect(prices(sums('A', '1', '0.50', '0.10'))).toEqual([[60, null]]);
    expect(prices(sums('A', '1', '37.82', '7.18'))).toEqual([[4500, 1900]]);
    expect(prices(sums('A', '1', '100.00', '8.10'))).toEqual([[10_810, 810]]);
    expect(prices(sums('A', '1', '100.00', '17.30'))).toEqual([[11_730, null]]);
  });

  it('a line total without tax is not read as the price that the buyer pays', () => {
    const head =
      'order_id;order_date;item_sku;item_quantity;item_total;item_total_tax;item_cost;order_total;order_total_tax_amount;tax_rate';
    const line = (cells: string) => prices(read(`${head}\n1;2026-11-20;A;1;${cells}\n`));
    expect(line('10.00;;10.00;11.90;1.90;')).toEqual([[1190, 1900]]);
    expect(line('10.00;;10.00;;;19')).toEqual([[1190, 1900]]);
    expect(line('10.00;1.90;10.00;;;')).toEqual([[1190, 1900]]);
    expect(line('10.00;0.00;10.00;;;')).toEqual([[1000, 0]]);
    // The file does not give the tax.
    expect(line('10.00;;;;;')).toEqual([[null, null]]);
    expect(line('10.00;;10.00;;;')).toEqual([[null, null]]);
    const bad = read(`${head}\n1;2026-11-20;A;1;10.00;abc;10.00;;;\n`);
    expect(bad.rejected[0]?.message).toContain('„abc“ ist kein Betrag');
  });

  it('gross shipping costs are not taxed again', () => {
    const shipped = (head: string, cells: string) =>
      read(
        `Bestellnummer;Datum;SKU;Menge;${head}\n1;2026-11-20;A;1;${cells}\n1;2026-11-20;B;1;${cells}\n`,
      ).orders[0]?.lines.map((line) => line.shipping_cents);
    for (const name of ['Versandkosten brutto', 'Versandkosten (brutto)']) {
      expect(shipped(`VK Netto;order total;tax total;${name}`, '10,00;28,70;4,58;4,90')).toEqual([490, 0]);
      expect(shipped(`Preis;MwSt;Steuerstatus;${name}`, '10,00;19;netto;4,90')).toEqual([490, 0]);
      expect(shipped(`Preis;${name}`, '10,00;4,90')).toEqual([490, 0]);
      expect(shipped(`Preis;MwSt;Steuerstatus;Versandkosten;${name}`, '10,00;19;netto;4,12;4,90')).toEqual([490, 0]);
      expect(shipped(`Preis;Versandkosten;${name}`, '10,00;3,90;4,90')).toEqual([390, 0]);
    }
    expect(shipped('Preis;MwSt;Steuerstatus;Versandkosten', '10,00;19;netto;4,12')).toEqual([490, 0]);
  });
});

it('reads a rate below 1 as percents where a format has no shares', () => {
  expect(['0.5', '0,5', '19', '', 'frei'].map(percentRate)).toEqual([50, 50, 1900, null, null]);
});
