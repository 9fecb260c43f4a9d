import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));
const table = (...rows: string[][]) => rows.map((row) => row.join('\t')).join('\r\n');

describe('order files in the formats of marketplaces and shops', () => {
  it('Amazon: reads shipped quantities, the ship-by date and discounts', () => {
    const { orders, rejected } = read(
      table(
        ['order-id', 'order-item-id', 'purchase-date', 'promise-date', 'sku', 'quantity-purchased', 'quantity-shipped'],
        ['302-1', '7', '2026-11-20T10:15:30+00:00', '2026-11-24T22:59:59+00:00', 'A', '3', '1'],
        ['302-1', '8', '2026-11-20T10:15:30+00:00', '2026-11-24T22:59:59+00:00', 'B', '1', '0'],
      ),
    );
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        ship_by: '2026-11-24T22:59:59.000Z',
        lines: [
          { sku: 'A', ordered: 3, shipped: 1 },
          { sku: 'B', ordered: 1, shipped: 0 },
        ],
      },
    ]);
    const sold = read(
      table(
        [
          'amazon-order-id',
          'purchase-date',
          'sku',
          'quantity',
          'item-price',
          'shipping-price',
          'item-promotion-discount',
          'ship-promotion-discount',
        ],
        ['302-2', '2026-11-20T10:15:30+00:00', 'A', '2', '39.98', '4.99', '5.00', '4.99'],
      ),
    );
    expect(sold.orders[0]?.lines).toMatchObject([{ unit_cents: 1999, discount_cents: 500, shipping_cents: 0 }]);
  });

  it("eBay: reads the seller's own item number, skips lines around the table, reads dates with month names", () => {
    const { orders, rejected } = read(
      '\uFEFF\r\n"Verkaufsprotokollnummer";"Bestellnummer";"Name des Käufers";"Name des Empfängers";"Versandadresse 1";"Versandort";"Versand-PLZ";"Versandland";"Artikelnummer";"Angebotstitel";"Bestandseinheit";"Anzahl";"Verkauft für";"Verpackung und Versand";"Verkauft am"\r\n' +
        ';;;;;;;;;;;;;;\r\n"1";"12-3";"Ada";"Kanari Vogel";"Käfigweg 1";"Köln";"50667";"Deutschland";"123456789012";"Lampe";"L-1";"2";"EUR 1.019,99";"EUR 4,90";"20-Okt-26"\r\n' +
        '"2";"12-4";"Ada";"Kanari Vogel";"Käfigweg 1";"Köln";"50667";"Deutschland";"123456789013";"Birne";"";"1";"EUR 2,00";"EUR 0,00";"01-Mrz-26"\r\n' +
        '\r\n"2";"Datensätze heruntergeladen";"von";"20-Nov-26"\r\n"Verkäufer-ID: kanari"\r\n',
    );
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: '12-3',
        placed_at: '2026-10-19T22:00:00.000Z',
        country: 'DE',
        lines: [{ sku: 'L-1', title: 'Lampe', ordered: 2, unit_cents: 101_999, shipping_cents: 490 }],
        persons: { delivery: { name: 'Kanari Vogel', lines: ['Käfigweg 1'], postalCode: '50667', city: 'Köln' } },
      },
      { orderid: '12-4', placed_at: '2026-02-28T23:00:00.000Z', lines: [{ sku: '123456789013', unit_cents: 200 }] },
    ]);
  });

  it("Shopify: reads an order's discount, and drops the apostrophe before a postal code", () => {
    const { orders } = read(
      'Name,Created at,Shipping,Discount Amount,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Shipping Name,Shipping Zip,Shipping City,Shipping Country\n' +
        "#1001,2026-11-20 10:00:00 +0100,4.90,5.00,2,Hemd,19.99,H,'t Vogel,'01067,Dresden,DE\n#1001,2026-11-20 10:00:00 +0100,,,1,Hose,10.00,K,,,,\n",
    );
    expect(
      orders[0]?.lines.map(({ sku, discount_cents, shipping_cents }) => [sku, discount_cents, shipping_cents]),
    ).toEqual([
      ['H', 500, 490],
      ['K', 0, 0],
    ]);
    expect(orders[0]?.persons?.delivery).toMatchObject({ name: "'t Vogel", postalCode: '01067' });
  });

  it('Shopware 5: reads the order number that buyers know, and the shipping costs', () => {
    const { orders } = read(
      'orderId;number;orderTime;invoiceShipping;currency;orderDetailId;number;articleNumber;price;quantity\n15;20001;2026-11-20 10:00:00;3.9;EUR;42;20001;SW1;24.99;1\n',
    );
    expect(orders).toMatchObject([{ orderid: '20001', lines: [{ sku: 'SW1', shipping_cents: 390 }] }]);
  });

  it('Shopware 5: aborted orders with number 0 are refused, named by their id in the shop', () => {
    const { orders } = read(
      'orderId;number;orderTime;articleNumber;price;quantity\n52;0;2026-11-20 10:00:00;A;1.50;1\n20002;0;2026-11-20 11:00:00;B;2.50;1\n57;20002;2026-11-20 12:00:00;C;3.50;1\n',
    );
    expect(orders.map(({ orderid, lines }) => [orderid, lines.map(({ sku }) => sku)])).toEqual([['20002', ['C']]]);
    const { rejected } = read('orderId;number;orderTime;articleNumber;price;quantity\n52;0;2026-11-20;A;1.50;1\n');
    expect(rejected).toMatchObject([{ orderid: '0, im Shop 52', message: expect.stringContaining('abgebrochen') }]);
  });

  it('column names with a special meaning in one program have their usual meaning elsewhere', () => {
    const stock = read('Bestellnummer;Datum;Artikelnummer;Menge;Bestandseinheit\nB-1;20.11.2026;A-1;2;Stk\n');
    expect(stock.orders[0]?.lines).toMatchObject([{ sku: 'A-1' }]);
    const houses = read(
      'order_id,date,street,number,sku,quantity\n1001,2026-11-20,Weg,5,A,1\n1002,2026-11-20,Allee,5,B,1\n',
    );
    expect(houses.orders.map(({ orderid }) => orderid)).toEqual(['1001', '1002']);
  });

  it('a truncated last row is refused by its order number', () => {
    const head = 'Bestellnummer;Datum;Name;Strasse;PLZ;Ort;SKU;Menge\nB-1;20.11.2026;Ada;Weg 1;50667;Köln;A;1\n';
    expect(read(`${head}B-2;20.11.2026;A`)).toMatchObject({
      orders: [{ orderid: 'B-1' }],
      rejected: [{ orderid: 'B-2' }],
    });
    expect(read(`${head}B-1;20.11`)).toMatchObject({ orders: [], rejected: [{ orderid: 'B-1' }] });
  });

  it('a discount is limited to the value of its line', () => {
    const { orders } = read(
      table(
        ['amazon-order-id', 'purchase-date', 'sku', 'quantity', 'item-price', 'item-promotion-discount'],
        ['302-3', '2026-11-20T10:15:30+00:00', 'A', '1', '10.00', ''],
        ['302-3', '2026-11-20T10:15:30+00:00', 'B', '1', '', '5.00'],
      ),
    );
    expect(orders[0]?.lines.map(({ sku, discount_cents }) => [sku, discount_cents])).toEqual([
      ['A', 0],
      ['B', 0],
    ]);
  });

  it('two-digit years are in this century', () => {
    const { orders } = read('Bestellnummer;Datum;SKU;Menge\nB-1;20.11.26;A;1\nB-2;20.11.26 10:30;A;1');
    expect(orders.map(({ placed_at }) => placed_at)).toEqual(['2026-11-19T23:00:00.000Z', '2026-11-20T09:30:00.000Z']);
  });

  it('openTRANS in UTF-16 is read in either byte order', () => {
    const text =
      '\uFEFF<?xml version="1.0" encoding="UTF-16"?><ORDERCHANGE><ORDERCHANGE_HEADER><ORDERCHANGE_INFO><ORDER_ID>Ö-1</ORDER_ID><REMARKS type="action">cancellationrequest</REMARKS></ORDERCHANGE_INFO></ORDERCHANGE_HEADER></ORDERCHANGE>';
    const bytes = Buffer.from(text, 'utf16le');
    expect(readOrderFile(bytes).cancelRequests).toEqual(['Ö-1']);
    expect(readOrderFile(Buffer.from(bytes).swap16()).cancelRequests).toEqual(['Ö-1']);
  });

  it('eBay: shipping costs are read from the row of the order, also if the rows of its items have zeros', () => {
    const { orders } = readOrderFile(
      new TextEncoder().encode(
        [
          'Verkaufsprotokollnummer;Bestellnummer;Artikelnummer;Angebotstitel;Bestandseinheit;Anzahl;Verkauft für;Verpackung und Versand;Verkauft am',
          '101;12-3;;;;3;€59,97;€4,90;20-Nov-26',
          '101;;123;Lampe;A;2;€19,99;€0,00;20-Nov-26',
          '101;;124;Birne;B;1;€19,99;0,00;20-Nov-26',
        ].join('\n'),
      ),
    );
    expect(orders[0]?.lines.map((line) => [line.sku, line.shipping_cents])).toEqual([
      ['A', 490],
      ['B', 0],
    ]);
  });

  it.each(['cp850', 'macintosh', 'windows-1252', 'utf-16le'])(
    'OIM-01 umlauts of %s are read as written',
    (encoding) => {
      const text =
        'Bestellnummer;Datum;SKU;Menge;Empfänger;Lieferstraße;Lieferort\r\n1;20.11.2026;A;1;Jörg Käfig;Kanaristraße 1;Köln\r\n';
      const { orders } = readOrderFile(iconv.encode(text, encoding));
      expect(orders[0]?.persons?.delivery).toMatchObject({
        name: 'Jörg Käfig',
        lines: ['Kanaristraße 1'],
        city: 'Köln',
      });
    },
  );
});
