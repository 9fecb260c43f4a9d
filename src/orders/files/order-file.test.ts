import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { NewOrder } from '#shared/orders/intake.ts';
import { readOrderFile } from './order-file.ts';
import { rejectionText } from './rejection-text.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));

const openTrans = (item: string, generator = 'CHECK24') => `<?xml version="1.0" encoding="UTF-8"?>
<ORDER xmlns="http://www.opentrans.org/XMLSchema/2.1" xmlns:b="https://www.bme.de/initiativen/bmecat/bmecat-2005" version="2.1">
<ORDER_HEADER><CONTROL_INFO><GENERATOR_INFO>${generator}</GENERATOR_INFO></CONTROL_INFO>
<ORDER_INFO><ORDER_ID>VC6HKS</ORDER_ID><ORDER_DATE>2026-04-28T11:29:39+02:00</ORDER_DATE>
<PARTIES><PARTY><PARTY_ROLE>delivery</PARTY_ROLE><ADDRESS><b:NAME>Kanari Vogel</b:NAME><b:NAME2>Hinterhaus</b:NAME2>
<b:STREET>Käfigweg 1</b:STREET><b:ZIP>80636</b:ZIP><b:CITY>München</b:CITY><b:COUNTRY_CODED>DE</b:COUNTRY_CODED></ADDRESS></PARTY></PARTIES>
<b:CURRENCY>EUR</b:CURRENCY><REMARKS type="shippingfee">4.90</REMARKS></ORDER_INFO></ORDER_HEADER>
<ORDER_ITEM_LIST><ORDER_ITEM><LINE_ITEM_ID>3B1jF3414+YPHbym++/WiQ==</LINE_ITEM_ID>
<PRODUCT_ID><b:SUPPLIER_PID>002</b:SUPPLIER_PID><b:DESCRIPTION_SHORT>Auflagen</b:DESCRIPTION_SHORT></PRODUCT_ID>${item}</ORDER_ITEM></ORDER_ITEM_LIST></ORDER>`;
const item = `<QUANTITY>2</QUANTITY><PRODUCT_PRICE_FIX><b:PRICE_AMOUNT>100.00</b:PRICE_AMOUNT>
<TAX_DETAILS_FIX><b:TAX>0.19</b:TAX></TAX_DETAILS_FIX></PRODUCT_PRICE_FIX>`;

describe('order files', () => {
  it('openTRANS is read with its odd line ids, its address and its shipping fee', () => {
    const { orders, rejected } = read(openTrans(item));
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: 'VC6HKS',
        country: 'DE',
        lines: [
          {
            productid: '3B1jF3414+YPHbym++/WiQ==',
            sku: '002',
            ordered: 2,
            unit_cents: 10_000,
            tax_rate: 1900,
            shipping_cents: 490,
          },
        ],
        persons: { delivery: { name: 'Kanari Vogel', lines: ['Hinterhaus', 'Käfigweg 1'], city: 'München' } },
      },
    ]);
  });

  it('openTRANS prices are net, except from programs that write gross ones', () => {
    expect(read(openTrans(item, 'ERP')).orders[0]?.lines[0]?.unit_cents).toBe(11_900);
  });

  it('an ORDERCHANGE with a cancellation request yields the number of its order', () => {
    const change = `<ORDERCHANGE><ORDERCHANGE_HEADER><ORDERCHANGE_INFO><ORDER_ID>VC6HKS</ORDER_ID>
      <REMARKS type="action">cancellationrequest</REMARKS></ORDERCHANGE_INFO></ORDERCHANGE_HEADER></ORDERCHANGE>`;
    expect(read(change)).toEqual({ orders: [], cancelRequests: ['VC6HKS'], rejected: [] });
  });

  it('an order whose rows name different currencies is refused: its lines are not all worth what they say in the first', () => {
    const head = 'Bestellnummer;Bestelldatum;Artikelnummer;Menge;Einzelpreis;Währung';
    const { orders, rejected } = read(
      `${head}\nB-1;28.11.2026;A;1;3,00;EUR\nB-1;28.11.2026;B;1;3,00;CHF\nB-2;28.11.2026;A;1;3,00;€\nB-2;28.11.2026;B;1;3,00;EUR\nB-2;;C;1;1,00;\n`,
    );
    expect(rejected).toEqual([
      { orderid: 'B-1', message: expect.stringMatching(/verschiedene Währungen \(EUR, CHF\).+Bitte/) as string },
    ]);
    expect(orders).toMatchObject([{ orderid: 'B-2', currency: 'EUR', lines: [{}, {}, {}] }]);
  });

  it('amounts in columns of discounts that are not read are told, codes and zeros are not', () => {
    const head = 'Bestellnummer;Bestelldatum;Artikelnummer;Menge;Einzelpreis;Gutschein;Gutscheincode;Rabatt (%)';
    const notes = (row: string) => read(`${head}\nB-1;28.11.2026;A;1;13,00;${row}\n`).notes;
    expect(notes('-5,00;SOMMER10;')).toEqual([expect.stringMatching(/In „Gutschein“ stehen Beträge.+Bitte/)]);
    expect(notes('0,00;SOMMER10;10')).toEqual([expect.stringContaining('In „Rabatt (%)“ stehen')]);
    expect(notes('0,00;SOMMER10;')).toEqual([]);
  });

  it('a DOCTYPE, broken XML and too deep nesting are refused with a reason and with what to do', () => {
    expect(() => read('<!DOCTYPE a [<!ENTITY x "y">]><ORDER/>')).toThrow(/DOCTYPE.*Bitte exportieren/);
    expect(() => read('<ORDER><A></ORDER>')).toThrow(/kein gültiges XML \(Zeile 1\).*Bitte exportieren/);
    expect(() => read('<a>'.repeat(60))).toThrow(/zu tief.*Bitte prüfen/);
  });

  it('a German table with several lines per order is grouped by order, with times in Berlin time', () => {
    const { orders } = read(
      'Bestellnummer;Bestelldatum;Artikelnummer;Artikelname;Menge;Einzelpreis;MwSt\n' +
        'B-1;24.10.2026 23:30;A-1;Hämmer;2;1.234,50 €;19 %\nB-1;24.10.2026 23:30;A-1;Hämmer;1;5,00;7\nB-2;2026-10-26;B;;3;9,99;19',
    );
    expect(orders).toMatchObject([
      {
        orderid: 'B-1',
        placed_at: '2026-10-24T21:30:00.000Z',
        lines: [
          { productid: 'A-1', ordered: 2, unit_cents: 123_450, tax_rate: 1900 },
          { productid: 'A-1 (2)', ordered: 1, unit_cents: 500 },
        ],
      },
      { orderid: 'B-2', placed_at: '2026-10-25T23:00:00.000Z', lines: [{ unit_cents: 999 }] },
    ]);
  });

  it("Amazon's tab-separated report is read, and the total of a line is divided by its pieces", () => {
    const { orders } = read(
      'order-id\torder-item-id\tpurchase-date\tsku\tproduct-name\tquantity-purchased\tcurrency\titem-price\n' +
        '028-1\t77\t2026-03-01T10:00:00+00:00\tA"1\tZange\t2\tEUR\t20.00',
    );
    expect(orders).toMatchObject([{ orderid: '028-1', lines: [{ productid: '77', sku: 'A"1', unit_cents: 1000 }] }]);
  });

  it('a line total that is not divisible by its pieces is kept exactly, also as a discount of other lines', () => {
    const { orders } = read(
      'Bestellnummer;Datum;SKU;Menge;Gesamtpreis\nB-1;2026-01-01;A;3;10,00\nB-1;2026-01-01;RABATT;3;-0,10\nB-2;2026-01-01;A;3;0,01',
    );
    expect(orders.map(({ lines }) => lines.map((line) => [line.sku, line.unit_cents, line.discount_cents]))).toEqual([
      [['A', 334, 12]],
      [['A', 1, 2]],
    ]);
  });

  it('a table in Windows-1252 keeps its umlauts', () => {
    const bytes = Buffer.from('Bestellnummer;Datum;SKU;Menge;Titel\nB-1;2026-01-01;A;1;H\u00e4mmer', 'latin1');
    expect(readOrderFile(bytes).orders[0]?.lines[0]?.title).toBe('Hämmer');
  });

  it('a wrong order is reported with its field, the others are read; a table without required columns is refused', () => {
    const { orders, rejected } = read(
      'Bestellnummer;Datum;SKU;Menge\nB-1;2026-01-01;A;1\nB-2;gestern;A;1\nB-3;2026-01-01;A;viele',
    );
    expect(orders.map(({ orderid }) => orderid)).toEqual(['B-1']);
    expect(rejected.map(({ orderid, message }) => [orderid, message.split(':')[0]])).toEqual([
      ['B-2', 'Bestelldatum'],
      ['B-3', 'Position 1, Menge'],
    ]);
    expect(() => read('a;b\n1;2')).toThrow(
      /^In der Kopfzeile fehlt: Bestellnummer, Artikelnummer, Menge\. Bitte exportieren/,
    );
  });

  it('GEN-01 non-existing days are refused, and errors are in German with the usual name of the field', () => {
    const long = 'x'.repeat(101);
    const { orders, rejected } = read(
      'Bestellnummer;Datum;SKU;Menge;Versand bis;Währung;Ihre Bestellnummer;Preis;Empfänger;PLZ\n' +
        'B-1;31.02.2026;A;1\nB-2;11/20/2026;A;1\nB-3;29.02.2028 10:00;A;0\nB-4;2026-11-31T10:00:00+01:00;A;1\n' +
        'B-5;2026-01-01;A;1;31.04.2026\nB-6;2026-01-01;A;1;;Dollar\n' +
        `B-7;2026-01-01;A;1;;EUR;${long}\nB-8;2026-01-01;;1\nB-9;;A;1\nB-10;2026-01-01;A;1;;;;99999999999\n` +
        `B-11;20.11.2026 24:30;A;1\nB-12;2026-01-01;A;1;;;;;Kanari;${long}\nB-13;29.02.2028;A;1\n`,
    );
    const unknown = (text: string) =>
      `„${text}“ ist kein Tag, den es gibt, oder nicht so geschrieben, wie es hier verstanden wird: 20.11.2026 10:30 oder 2026-11-20.`;
    expect(rejected.map(({ orderid, message }) => `${orderid} ${message}`)).toEqual([
      `B-1 Bestelldatum: ${unknown('31.02.2026')}`,
      `B-2 Bestelldatum: ${unknown('11/20/2026')}`,
      'B-3 Position 1, Menge: Der Wert muss mindestens 1 sein.',
      `B-4 Bestelldatum: ${unknown('2026-11-31T10:00:00+01:00')}`,
      `B-5 Versand bis: ${unknown('31.04.2026')}`,
      'B-6 Währung: Drei große Buchstaben, zum Beispiel EUR.',
      'B-7 Bestellnummer des Käufers: Höchstens 100 Zeichen sind erlaubt.',
      'B-8 Position 1, Artikelnummer: Diese Angabe darf nicht leer sein.',
      'B-9 Bestelldatum: Diese Angabe fehlt.',
      'B-10 Position 1, Preis: Der Wert darf höchstens 2.147.483.647 sein.',
      `B-11 Bestelldatum: ${unknown('20.11.2026 24:30')}`,
      'B-12 Anschrift, Postleitzahl: Höchstens 20 Zeichen sind erlaubt.',
    ]);
    expect(orders.map(({ orderid, placed_at }) => [orderid, placed_at])).toEqual([
      ['B-13', '2028-02-28T23:00:00.000Z'],
    ]);
  });

  it('every member of an order has a German name in error messages', () => {
    const lines = [
      {
        productid: '',
        sku: '',
        ordered: 0,
        shipped: -1,
        cancelled: -1,
        title: 1,
        unit_cents: -1,
        discount_cents: -1,
        shipping_cents: -1,
        tax_rate: -1,
      },
    ];
    const persons = {
      delivery: { name: 1, company: 1, lines: 1, postalCode: 1, city: 1, region: 1, country: 1, email: 1, phone: 1 },
    };
    const members = {
      orderid: 1,
      placed_at: 1,
      changed_at: 1,
      pending: 1,
      ship_by: 1,
      deliver_by: 1,
      currency: 1,
      country: 1,
      buyer_order_number: 1,
    };
    const { error } = NewOrder.safeParse({ ...members, lines, persons });
    const blank = {
      orderid: '',
      placed_at: '',
      currency: '',
      country: '',
      buyer_order_number: '',
      lines: [],
      persons: {},
    };
    expect(error?.issues).toHaveLength(28);
    for (const issue of error?.issues ?? []) {
      const text = rejectionText(blank, new z.ZodError([issue]));
      expect(text).toMatch(/^(?:Position 1, |Anschrift, )?[A-ZÄÖÜ][\wäöüß ,-]+: /);
    }
  });

  it('a negative line is a discount on the other lines, as shops write vouchers', () => {
    const { orders } = read(
      'Bestellnummer;Datum;SKU;Menge;Preis\nB-1;2026-01-01;A;2;10,00\nB-1;2026-01-01;B;1;3,00\nB-1;2026-01-01;GUTSCHEIN;1;-21,00',
    );
    expect(orders[0]?.lines.map(({ sku, discount_cents }) => [sku, discount_cents])).toEqual([
      ['A', 2000],
      ['B', 100],
    ]);
  });

  const table = (...rows: string[]) => read(['Bestellnummer;Datum;SKU;Menge;Preis', ...rows].join('\n'));

  it('OIM-01 returned pieces are no discount: their order is refused instead of shipped completely', () => {
    const { orders, rejected } = table(
      'B-1;2026-01-01;A;5;10,00',
      'B-1;2026-01-01;A;-2;10,00',
      'B-2;2026-01-01;A;2;10,00',
      'B-2;2026-01-01;GUTSCHEIN;-1;5,00',
    );
    expect(rejected).toEqual([{ orderid: 'B-1', message: expect.stringContaining('mit den Mengen 5 und -2') }]);
    expect(orders.map(({ orderid, lines }) => [orderid, lines[0]?.discount_cents])).toEqual([['B-2', 500]]);
  });

  it('lines without an item number are not treated as pieces of the same item', () => {
    const { orders, rejected } = table('B-1;2026-01-01;;2;10,00', 'B-1;2026-01-01;;-1;5,00', 'B-1;2026-01-01;A;1;9,00');
    expect(orders).toEqual([]);
    expect(rejected).toEqual([{ orderid: 'B-1', message: expect.stringMatching(/^Position 1, Artikelnummer: /) }]);
  });

  it('an order with only negative quantities or amounts is reported as a cancellation or credit note', () => {
    const { rejected } = table('C1;2026-01-01;A;-12;2,95', 'C2;2026-01-01;A;-3;0', 'C3;2026-01-01;D;1;-27,50');
    expect(rejected.map(({ orderid }) => orderid)).toEqual(['C1', 'C2', 'C3']);
    for (const { message } of rejected) expect(message).toContain('Stornierung oder Gutschrift');
  });

  it('a line without an item is reported as lacking its item number, not its line id', () => {
    expect(table('B-1;2026-01-01;A;1;1,00', 'B-1;2026-01-01;;1;1,00').rejected).toEqual([
      { orderid: 'B-1', message: expect.stringMatching(/^Position 2, Artikelnummer: /) },
    ]);
  });

  it('a gz is read like the file in it, which may not be larger than a plain one', () => {
    const text = 'Bestellnummer;Datum;SKU;Menge\nB-1;2026-01-01;A;1\n';
    const gz = gzipSync(text);
    expect(readOrderFile(gz).orders).toMatchObject([{ orderid: 'B-1', lines: [{ sku: 'A' }] }]);
    expect(() => readOrderFile(gz.subarray(0, -12))).toThrow('beschädigt oder unvollständig');
    expect(() => readOrderFile(gzipSync(gz))).toThrow('zweimal gepackt');
    expect(() => readOrderFile(gzipSync(`${'\0'.repeat(257)}ustar\0${text}`))).toThrow('tar.gz');
    const tooLarge = gzipSync(Buffer.alloc(20 * 1024 * 1024 + 1), { level: 0 });
    expect(() => readOrderFile(tooLarge)).toThrow('entpackt größer als 20 MB');
  });

  it('a small gz that unpacks to megabytes is refused, as reading them would hold up the server', () => {
    const text = 'Bestellnummer;Datum;SKU;Menge\nB-1;2026-01-01;A;1\n';
    const filled = (size: number) => gzipSync(text + ' '.repeat(size));
    expect(readOrderFile(filled(500_000)).orders).toHaveLength(1);
    expect(() => readOrderFile(filled(2_000_000))).toThrow('mehr als das 200-Fache');
  });

  it('GEN-01 a file of another format is refused by its name, with advice', () => {
    const refused = (text: string) => {
      const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      return () => readOrderFile(bytes);
    };
    expect(() => readOrderFile(gzipSync('PK\u0003\u0004\0\0'))).toThrow('wählen Sie die Arbeitsmappe selbst');
    expect(refused('%PDF-1.4\n')).toThrow('PDF');
    for (const image of ['\u0089PNG\r\n', '\u00ff\u00d8\u00ff', 'GIF89a']) expect(refused(image)).toThrow('Bild');
    expect(refused('[{"orderid":"A"}]')).toThrow('JSON');
    expect(refused('\u00ef\u00bb\u00bf{\n  "content": []}')).toThrow('JSON');
    expect(refused('<!DOCTYPE html><html></html>')).toThrow('Webseite');
    expect(refused(' \r\n')).toThrow('leer');
    expect(refused('\n'.repeat(250))).toThrow('leer');
    expect(refused(`${'\n'.repeat(250)}a;b\n1;2`)).toThrow('In der Kopfzeile fehlt');
    expect(refused(`${'\n'.repeat(250)}<html></html>`)).toThrow('Webseite');
    const xhtml = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Anmeldung -->\n';
    expect(refused(`${xhtml}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html/>`)).toThrow('Webseite');
    expect(refused(`${xhtml}<html xmlns="http://www.w3.org/1999/xhtml"/>`)).toThrow('Webseite');
    expect(refused(`${xhtml}<htmlorders/>`)).toThrow('„htmlorders“');
    expect(refused('[Nr];Preis')).toThrow('In der Kopfzeile fehlt');
  });
});
