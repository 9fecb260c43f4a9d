import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';

const read = (...rows: string[]) => readOrderFile(new TextEncoder().encode(`${rows.join('\r\n')}\r\n`));
type Read = ReturnType<typeof read>;
const totals = ({ orders }: Read) =>
  orders.map(({ orderid, lines }) => [
    orderid,
    lines.reduce(
      (sum, line) => sum + (line.unit_cents ?? 0) * line.ordered - line.discount_cents + line.shipping_cents,
      0,
    ),
  ]);
const pieces = ({ orders }: Read) =>
  orders.flatMap(({ lines }) =>
    lines.map(({ sku, ordered, unit_cents: unit, tax_rate: rate }) => [sku, ordered, unit, rate]),
  );
const receiver = ({ orders }: Read) => {
  const { name, lines, postalCode, city, country } = orders[0]?.persons?.delivery ?? {};
  return [name, lines, postalCode, city, country];
};

describe('orders in files of shops and ERP systems', () => {
  it('WooCommerce, Advanced Order Export: net prices are converted to match the order total', () => {
    const file = read(
      '"Order Number","Order Status","Order Date","First Name (Billing)","Last Name (Billing)","Address 1&2 (Billing)","City (Billing)","Postcode (Billing)","Country Code (Billing)","Email (Billing)","First Name (Shipping)","Last Name (Shipping)","Address 1&2 (Shipping)","City (Shipping)","Postcode (Shipping)","Country Code (Shipping)","Order Subtotal Amount","Order Shipping Amount","Order Total Amount","Order Total Tax Amount",SKU,"Item #","Item Name","Quantity (- Refund)","Item Cost"',
      '1001,Processing,"2026-11-20 10:15",Ada,Vogel,"Weg 1",Bonn,53111,DE,ada@example.org,Emil,Vogel,"Allee 2 Hinterhaus","Köln",50667,DE,33.62,4.12,44.90,7.17,HEMD,1,"Hemd blau",2,12.605042',
      '1001,Processing,"2026-11-20 10:15",Ada,Vogel,"Weg 1",Bonn,53111,DE,ada@example.org,Emil,Vogel,"Allee 2 Hinterhaus","Köln",50667,DE,33.62,4.12,44.90,7.17,HOSE,2,Hose,1,8.403361',
    );
    expect(file.rejected).toEqual([]);
    expect(totals(file)).toEqual([['1001', 4490]]);
    expect(pieces(file)).toEqual([
      ['HEMD', 2, 1500, 1900],
      ['HOSE', 1, 1000, 1900],
    ]);
    expect(receiver(file)).toEqual(['Emil Vogel', ['Allee 2 Hinterhaus'], '50667', 'Köln', 'DE']);
  });

  it("WooCommerce, Advanced Order Export: the order's values are only on its first row", () => {
    const file = read(
      '"Order Number","Order Date","Order Total Amount","Order Total Tax Amount",SKU,"Item Name","Quantity (- Refund)","Order Line Total"',
      '1001,"2026-11-20 10:15",40.00,6.39,A,Hemd,2,30.00',
      ',,,,B,Hose,1,10.00',
      '1002,"2026-11-20 11:15",5.00,0.80,A,Hemd,1,5.00',
    );
    expect(totals(file)).toEqual([
      ['1001', 4000],
      ['1002', 500],
    ]);
  });

  it('WooCommerce, Order Export with one row per item: totals without tax, with the tax in its own column', () => {
    const file = read(
      'order_id,order_number,order_date,status,shipping_total,shipping_tax_total,tax_total,order_total,order_currency,billing_first_name,billing_last_name,shipping_first_name,shipping_last_name,shipping_address_1,shipping_postcode,shipping_city,shipping_country,item_id,item_name,item_sku,item_quantity,item_subtotal,item_total,item_total_tax',
      '77,1001,2026-11-20 10:15:00,processing,4.12,0.78,8.77,54.90,EUR,Ada,Vogel,Emil,Vogel,Weg 1,50667,Köln,DE,5,Hemd,A,3,37.82,37.82,7.18',
      '77,1001,2026-11-20 10:15:00,processing,4.12,0.78,8.77,54.90,EUR,Ada,Vogel,Emil,Vogel,Weg 1,50667,Köln,DE,6,Buch,B,1,4.67,4.67,0.33',
    );
    expect(file.rejected).toEqual([]);
    expect(totals(file)).toEqual([['1001', 5490]]);
    expect(pieces(file)).toEqual([
      ['A', 3, 1500, 1900],
      ['B', 1, 500, 700],
    ]);
    expect(file.orders[0]?.lines.map(({ productid }) => productid)).toEqual(['5', '6']);
    expect(receiver(file)).toEqual(['Emil Vogel', ['Weg 1'], '50667', 'Köln', 'DE']);
  });

  it('Kaufland: each row is one piece, amounts are in cents, and cancelled pieces are not open', () => {
    const file = read(
      'date_inserted;order_number;id_order_unit;ean;offer_id;price;cancel_status;return_status',
      '2026-07-01 10:00:00;MX1;3141;4006381333931;SKU1;11900;not_cancelled;not_returned',
      '2026-07-01 10:00:00;MX1;3142;4006381333931;SKU1;11900;cancelled;not_returned',
      '2026-07-01 10:00:00;MX1;3143;4006381333948;;99;not_cancelled;not_returned',
      '2026-07-01 11:00:00;MX2;3144;4006381333931;SKU1;11900;cancelled;not_returned',
    );
    expect(pieces(file)).toEqual([
      ['SKU1', 1, 11_900, null],
      ['SKU1', 1, 11_900, null],
      ['4006381333948', 1, 99, null],
      ['SKU1', 1, 11_900, null],
    ]);
    // Cancelled lines are read with their order, so that lines read before are cancelled here as well.
    const cancelled = file.orders.map(({ lines }) => lines.map((line) => [line.productid, line.cancelled]));
    expect(cancelled).toEqual([
      [
        ['3141', 0],
        ['3142', 1],
        ['3143', 0],
      ],
      [['3144', 1]],
    ]);
    expect(file.rejected).toEqual([]);
  });

  it('JTL: reads its own column names, and prices with and without tax', () => {
    const head =
      'Auftragsnummer;Externe Auftragsnummer;Erstelldatum;Lieferanschrift Vorname;Lieferanschrift Name;Lieferanschrift Straße;Lieferanschrift PLZ;Lieferanschrift Ort;Lieferland;Artikelnummer;Menge;MwSt.-Satz';
    const row = 'AU-1;302-1;20.11.2026 10:15;Ada;Vogel;Weg 1;50667;Köln;Deutschland;A-1;2,00;19,00';
    const gross = read(`${head};VK Brutto`, `${row};11,90`);
    expect([pieces(gross), receiver(gross)]).toEqual([
      [['A-1', 2, 1190, 1900]],
      ['Ada Vogel', ['Weg 1'], '50667', 'Köln', 'DE'],
    ]);
    expect(pieces(read(`${head};VK Netto`, `${row};10,00`))).toEqual([['A-1', 2, 1190, 1900]]);
    // With both prices the one that the buyer pays counts.
    expect(pieces(read(`${head};VK Netto;VK Brutto`, `${row};10,00;11,90`))).toEqual([['A-1', 2, 1190, 1900]]);
  });

  it('plentymarkets, Billbee and OTTO: reads numbers, dates and addresses under their column names', () => {
    const plenty = read(
      'OrderID;OrderInsertTimestamp;DeliveryFirstName;DeliveryLastName;DeliveryStreet;DeliveryHouseNo;DeliveryZIP;DeliveryCity;ItemVariationNo;ItemName;Quantity;Price',
      '501;2026-11-20 10:15:00;Ada;Vogel;Weg;1;50667;Köln;A-1;Hemd;2;11.90',
    );
    expect([pieces(plenty), receiver(plenty)]).toEqual([
      [['A-1', 2, 1190, null]],
      ['Ada Vogel', ['Weg 1'], '50667', 'Köln', ''],
    ]);
    const billbee = read(
      'Bestell-Nr.;Bestelldatum;Art.-Nr.;Produktname;Anzahl;Einzelpreis (brutto);MwSt. %;Versandkosten (brutto);Währung;Lieferadresse Vorname;Lieferadresse Nachname;Lieferadresse Straße;Lieferadresse Hausnummer;Lieferadresse PLZ;Lieferadresse Ort;Lieferadresse Land',
      'B-1;20.11.2026;A-1;Hemd;2;11,90;19;4,90;EUR;Ada;Vogel;Weg;1;50667;Köln;DE',
    );
    expect([pieces(billbee), totals(billbee), receiver(billbee)]).toEqual([
      [['A-1', 2, 1190, 1900]],
      [['B-1', 2870]],
      ['Ada Vogel', ['Weg 1'], '50667', 'Köln', 'DE'],
    ]);
    const otto = read(
      'Bestellnummer;Positions-ID;Bestelldatum;Partner-SKU;Artikelbezeichnung;Menge;Preis',
      'cbn8s5;44d2;2026-11-20T10:15:00Z;A-1;Hemd;1;11,90',
    );
    expect(otto.orders[0]?.lines).toMatchObject([{ productid: '44d2', sku: 'A-1', unit_cents: 1190 }]);
  });
});

describe('columns with the same meaning', () => {
  const order = (...rows: string[]) => read(...rows).orders[0]?.orderid;

  it('of two such columns, the one with values in the file is used', () => {
    expect(order('order-id;Bestellnummer;Datum;SKU;Menge', 'A1;;20.11.2026;A;1')).toBe('A1');
    expect(order('order-id;Bestellnummer;Datum;SKU;Menge', ';B1;20.11.2026;A;1')).toBe('B1');
    const priced = 'Bestellnummer;Datum;SKU;Artikelnummer;Menge;Einzelpreis;Preis';
    expect(pieces(read(priced, 'B1;20.11.2026;;N1;1;;5,00'))).toEqual([['N1', 1, 500, null]]);
  });

  it('column names added later do not take precedence over earlier ones', () => {
    const head = 'Datum;Menge';
    for (const [names, values, expected] of [
      ['order-id;Auftragsnummer;SKU', 'A1;AB-1;S', ['A1', 'S', null]],
      ['Auftragsnummer;BestellNr;SKU', 'A1;AB-1;S', ['A1', 'S', null]],
      ['order_id;order_number;SKU', 'A1;AB-1;S', ['A1', 'S', null]],
      ['order_id;Auftragsnummer;SKU', 'A1;AB-1;S', ['AB-1', 'S', null]],
      ['Bestellnummer;Partner SKU;Artikelnummer', 'A1;P;N', ['A1', 'N', null]],
      // eBay gives two numbers: the merchant's own, and the listing's.
      ['Bestellnummer;Item number;Custom label (SKU)', 'A1;N;P', ['A1', 'P', null]],
      ['Bestellnummer;SKU;VK Brutto;Preis', 'A1;S;9,00;5,00', ['A1', 'S', 500]],
    ] as const) {
      const { orders } = read(`${names};${head}`, `${values};20.11.2026;1`);
      expect([names, orders[0]?.orderid, orders[0]?.lines[0]?.sku, orders[0]?.lines[0]?.unit_cents]).toEqual([
        names,
        ...expected,
      ]);
    }
  });
});

describe('eBay orders with several items', () => {
  const head =
    '"Verkaufsprotokollnummer";"Bestellnummer";"Name des Empfängers";"Versandadresse 1";"Versandort";"Versand-PLZ";"Versandland";"Artikelnummer";"Angebotstitel";"Bestandseinheit";"Anzahl";"Verkauft für";"Verpackung und Versand";"Verkauft am"';
  const buyer = 'Kanari Vogel;Käfigweg 1;Köln;50667;Deutschland';

  it.each([
    [
      'a row for the order above the rows of its articles',
      [
        `7;12-3;${buyer};;;;3;EUR 25,00;EUR 4,90;20-Nov-26`,
        '7;12-3;;;;;;123456789012;Lampe;L-1;1;EUR 5,00;;',
        '7;12-3;;;;;;123456789013;Birne;B-1;2;EUR 10,00;;',
      ],
    ],
    [
      'the order number only on that row',
      [
        `7;12-3;${buyer};;;;3;EUR 25,00;EUR 4,90;20-Nov-26`,
        '7;;;;;;;123456789012;Lampe;L-1;1;EUR 5,00;;',
        '7;;;;;;;123456789013;Birne;B-1;2;EUR 10,00;;',
      ],
    ],
    [
      'the buyer in the row of the first article',
      [
        `7;12-3;${buyer};123456789012;Lampe;L-1;1;EUR 5,00;EUR 4,90;20-Nov-26`,
        '7;12-3;;;;;;123456789013;Birne;B-1;2;EUR 10,00;;',
      ],
    ],
  ])('%s', (_, rows) => {
    const next = `8;12-4;${buyer};123456789012;Lampe;L-1;1;EUR 5,00;EUR 0,00;21-Nov-26`;
    const file = read(head, ...rows, next);
    expect(file.rejected).toEqual([]);
    expect(totals(file)).toEqual([
      ['12-3', 2990],
      ['12-4', 500],
    ]);
    expect(file.orders[0]).toMatchObject({
      placed_at: '2026-11-19T23:00:00.000Z',
      country: 'DE',
      lines: [
        { sku: 'L-1', ordered: 1 },
        { sku: 'B-1', ordered: 2 },
      ],
    });
    expect(receiver(file)).toEqual(['Kanari Vogel', ['Käfigweg 1'], '50667', 'Köln', 'DE']);
  });
});

it('tables of sold lines: an invoice is an order, and credit notes are refused', () => {
  const rows = (head: string) =>
    read(
      head,
      '536365,85123A,WHITE HEART,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom',
      '536365,71053,LANTERN,8,2010-12-01 08:26:00,3.39,17850.0,United Kingdom',
      'C536379,D,Discount,-1,2010-12-01 09:41:00,27.5,14527.0,United Kingdom',
    );
  for (const file of [
    rows('InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country'),
    rows('Invoice,StockCode,Description,Quantity,InvoiceDate,Price,Customer ID,Country'),
  ]) {
    expect(pieces(file)).toEqual([
      ['85123A', 6, 255, null],
      ['71053', 8, 339, null],
    ]);
    expect(file.orders[0]).toMatchObject({ orderid: '536365', country: 'GB', lines: [{ title: 'WHITE HEART' }, {}] });
    expect(file.rejected).toEqual([{ orderid: 'C536379', message: expect.stringContaining('Gutschrift') }]);
  }
  expect(() => read('Invoice No;SKU;Quantity', '1;A;1')).toThrow('Bestellnummer');
});

it('Shopware 6: its default profile, which has only internal item ids, is refused with advice', () => {
  const file = () =>
    read(
      'id;order_number;sales_channel_id;customer_firstname;customer_lastname;customer_email;shipping_address_street;amount_total;order_state_id;line_items;order_date_time',
      'f0;10001;c1;Kanari;Vogel;k@beispiel.de;Käfigweg 1;19.98;s1;2x 0190f1e0c0ffee|1x ;2026-11-20T10:00:00.000+00:00',
    );
  expect(file).toThrow(/Shopware.*internen Kennung.*Artikelnummer, Menge und Preis/);
});
