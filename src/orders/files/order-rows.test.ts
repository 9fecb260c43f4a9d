import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';

const read = (...rows: string[]) => readOrderFile(new TextEncoder().encode(`${rows.join('\r\n')}\r\n`));
const skus = ({ orders }: ReturnType<typeof read>) =>
  orders.map(({ orderid, lines }) => [orderid, ...lines.map(({ sku }) => sku)]);

describe('rows in order tables', () => {
  it('an item without a number is refused, not read as a property of its order', () => {
    const shopify = read(
      'Name;Created at;Lineitem name;Lineitem sku;Lineitem quantity;Lineitem price',
      '#1001;2026-11-20 10:00:00 +0100;Hemd ohne SKU;;1;20.00',
      '#1001;2026-11-20 10:00:00 +0100;Hose;H1;1;10.00',
    );
    expect(shopify.orders).toEqual([]);
    expect(shopify.rejected).toMatchObject([{ orderid: '#1001', message: expect.stringMatching(/^Position 1, /) }]);
  });

  it("the same applies to eBay if the row's quantity is not that of the whole order", () => {
    const ebay = (title: string, quantity: string) =>
      read(
        'Verkaufsprotokollnummer;Bestellnummer;Artikelnummer;Angebotstitel;Bestandseinheit;Anzahl;Verkauft für;Verkauft am',
        `7;12-3;;${title};;${quantity};EUR 25,00;20-Nov-26`,
        '7;12-3;123456789012;Lampe;L-1;1;EUR 5,00;',
        '7;12-3;123456789013;Birne;B-1;2;EUR 10,00;',
      );
    for (const quantity of ['3', '']) expect(skus(ebay('', quantity))).toEqual([['12-3', 'L-1', 'B-1']]);
    for (const [title, quantity] of [
      ['Schirm', '3'],
      ['', '1'],
    ] as const)
      expect(ebay(title, quantity)).toMatchObject({ orders: [], rejected: [{ orderid: '12-3' }] });
  });

  const head = 'Bestellnummer;Datum;Name;Straße;PLZ;Ort;Kunde;SKU;Artikelname;Menge;Einzelpreis';
  const first = '1001;20.11.2026;Müller;Weg 1;50667;Köln;K1;A;Hemd;1;5,00';

  it('a row without an order number belongs to the order above only if buyer, address and day do not differ', () => {
    for (const row of [';;;;;;;B;Hose;1;7,00', ';20.11.2026;Müller;Weg 1;50667;Köln;K1;B;Hose;1;7,00'])
      expect(skus(read(head, first, row))).toEqual([['1001', 'A', 'B']]);
    for (const row of [
      ';20.11.2026;Schmidt;B 2;20095;Hamburg;K1;B;Hose;1;7,00',
      ';21.11.2026;;;;;;B;Hose;1;7,00',
      ';;;;;;K2;B;Hose;1;7,00',
    ]) {
      // The next row may belong to the same order.
      const file = read(head, first, row, ';;;;;;;C;Rock;1;7,00');
      expect(skus(file)).toEqual([['1001', 'A']]);
      expect(file.rejected).toEqual([
        { orderid: 'Zeile 3', message: expect.stringContaining('keine Bestellnummer') },
        { orderid: 'Zeile 4', message: expect.stringContaining('keine Bestellnummer') },
      ]);
    }
    expect(read(head, ';;;;;;;C;Rock;1;7,00').rejected).toMatchObject([{ orderid: 'Zeile 2' }]);
  });

  it('a refused row is named by its row number in a spreadsheet: empty rows count, a sep= line does not', () => {
    const row = ';21.11.2026;;;;;;B;"Hose\nblau";1;7,00';
    for (const before of ['', 'sep=;\n']) {
      const file = read(`${before}\n${head}`, first, '', '  ', row, '', row);
      expect(file.rejected.map(({ orderid }) => orderid)).toEqual(['Zeile 6', 'Zeile 8']);
    }
    const tabs = [head, first, '', row.replace('\n', ' ')].map((line) => line.replaceAll(';', '\t'));
    expect(read(...tabs).rejected).toMatchObject([{ orderid: 'Zeile 4' }]);
  });

  it('a row of totals is no item, and a row without an item number is refused, not skipped', () => {
    for (const label of ['Summe', 'Gesamt', 'Gesamtsumme:', 'Total', 'Zwischensumme', 'Summe (EUR)']) {
      expect(read(head, first, `;;;;;;;${label};;8;47,00`)).toMatchObject({
        orders: [{ lines: [{ sku: 'A' }] }],
        rejected: [],
      });
      expect(skus(read(head, first, `;;${label};;;;;S;;8;47,00`))).toEqual([['1001', 'A']]);
    }
    const file = read(head, first, ';;;;;;;;Hose;1;7,00');
    expect([skus(file), file.rejected.map(({ orderid }) => orderid)]).toEqual([[['1001', 'A']], ['Zeile 3']]);
    expect(skus(read(head, first, ';;;;;;;Total Recall;DVD;1;7,00'))).toEqual([['1001', 'A', 'Total Recall']]);
  });

  describe("JTL's rows for shipping, which have no article number", () => {
    const jtl = (...rows: string[]) =>
      read('Auftragsnummer;Erstelldatum;Artikelnummer;Artikelname;Menge;VK Brutto;Versandkosten', ...rows);
    const article = 'AU-1;20.11.2026;A-1;Hemd;2;11,90;';
    const shipping = (title: string, rest = '1;4,90;') => `AU-1;20.11.2026;;${title};${rest}`;
    const cents = ({ orders }: ReturnType<typeof read>) =>
      orders.map(({ lines }) => lines.map((line) => [line.sku, line.unit_cents, line.shipping_cents]));

    it('are what shipping costs, wherever they stand in the order', () => {
      const titles =
        'Versand,Versandkosten DHL,Versand (DHL Paket),Versand nach Österreich,Standardversand,Porto,Frachtkosten,DHL Paket,Shipping,Shipping costs,delivery';
      for (const title of titles.split(',')) {
        const rows = [article, 'AU-1;20.11.2026;B-1;Hose;1;20,00;'];
        for (const all of [
          [...rows, shipping(title)],
          [shipping(title), ...rows],
        ]) {
          const file = jtl(...all);
          expect([title, cents(file), file.rejected]).toEqual([
            title,
            [
              [
                ['A-1', 1190, 490],
                ['B-1', 2000, 0],
              ],
            ],
            [],
          ]);
        }
      }
      // The column repeats what the row says.
      expect(cents(jtl(`${article}4,90`, shipping('Versand', '1;4,90;4,90')))).toEqual([[['A-1', 1190, 490]]]);
    });

    it('get their tax like articles', () => {
      const net = read(
        'Auftragsnummer;Erstelldatum;Artikelnummer;Artikelname;Menge;VK Netto;MwSt.-Satz',
        'AU-1;20.11.2026;A-1;Hemd;2;10,00;19',
        'AU-1;20.11.2026;;Versand;1;5,00;19',
      );
      expect(cents(net)).toEqual([[['A-1', 1190, 595]]]);
    });

    it('articles without a number are refused as before, and so is a cost that a column contradicts', () => {
      for (const rows of [
        [article, shipping('Versandtasche C4')],
        [article, shipping('Versand Etiketten 100 Stück')],
        [article, shipping('Porto Tawny 0,75 l')],
        [article, shipping('Schirm')],
        [article, shipping('Versand', '2;4,90;')],
        [article, shipping('Versand', '1;;')],
        [`${article}5,90`, shipping('Versand')],
        [shipping('Versand')],
      ])
        expect([rows, jtl(...rows)]).toMatchObject([
          rows,
          { orders: [], rejected: [{ message: expect.stringContaining('Artikelnummer') }] },
        ]);
    });
  });
});
