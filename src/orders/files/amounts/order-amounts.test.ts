import { describe, expect, it } from 'vitest';
import { NUMBER_MARK } from '#shared/workbook/workbook.ts';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));
const table = (head: string, ...rows: string[]) =>
  read(`Bestellnummer;Datum;SKU;Menge;${head}\n${rows.map((row) => `B-1;2026-01-01;A;${row}`).join('\n')}`);

describe('amounts in order files', () => {
  it('an amount like 1.299 that may be thousands or decimals is refused with a question, not guessed', () => {
    for (const text of ['1.299', '1,299', '12.500']) {
      const { orders, rejected } = table('Einzelpreis', `1;${text}`);
      expect(orders).toEqual([]);
      expect(rejected[0]?.message).toBe(
        `Position 1, Preis: „${text}“ kann zweierlei heißen, zum Beispiel 1.299,00 oder 1,30. Bitte mit zwei Stellen nach dem Komma schreiben.`,
      );
    }
    const price = (text: string) => table('Einzelpreis', `1;${text}`).orders[0]?.lines[0]?.unit_cents;
    expect(['1.299,00', '1,299.00', '0.500', '836.134454', '1.234.567', "1'299.00", '12'].map(price)).toEqual([
      129_900, 129_900, 50, 83_613, 123_456_700, 129_900, 1200,
    ]);
  });

  it('a number of a workbook is no thousands, whatever texts beside it use; as an id it keeps its digits', () => {
    const number = (text: string) => `"${text}${NUMBER_MARK}"`;
    const { orders, rejected } = read(
      [
        'Bestellnummer;Datum;SKU;Positionsnummer;Menge;Einzelpreis;Empfänger;PLZ',
        [
          number('123.456'),
          '2026-01-31',
          number('7.125'),
          number('1.001'),
          1,
          number('836.134'),
          'Ähre',
          number('12.345'),
        ],
        ['B-2', '2026-01-31', 'A-1', '1', 1, '12,50', 'Ähre', '12345'],
        ['B-3', '2026-01-31', 'A-1', '1', 1, '9,99', 'Ähre', '12345'],
      ]
        .map((row) => (typeof row === 'string' ? row : row.join(';')))
        .join('\n'),
    );
    expect(rejected).toEqual([]);
    expect(orders).toMatchObject([
      {
        orderid: '123.456',
        lines: [{ sku: '7.125', productid: '1.001', unit_cents: 83_613 }],
        persons: { delivery: { postalCode: '12.345' } },
      },
      { lines: [{ unit_cents: 1250 }] },
      { lines: [{ unit_cents: 999 }] },
    ]);
  });

  it('an ambiguous point or comma is read as the other amounts of the file use it', () => {
    const prices = (...texts: string[]) => {
      const { orders, rejected } = table('Einzelpreis', ...texts.map((text) => `1;${text}`));
      return orders[0]?.lines.map((line) => line.unit_cents) ?? rejected[0]?.message;
    };
    expect(prices('12.50', '9.99', '836.134', '1,299')).toEqual([1250, 999, 83_613, 129_900]);
    expect(prices('12,50', '9,99', '836,134', '1.299')).toEqual([1250, 999, 83_613, 129_900]);
    expect(prices('1.299,00', '1.499,00', '1.299')).toEqual([129_900, 149_900, 129_900]);
    for (const texts of [
      ['12.50', '12,50', '1.299'],
      ['12.50', '9.99', '12,5', '1.299'],
      ['12', '1.299'],
      // One amount is no proof, and a number with one decimal may not be money.
      ['12.5', '1.299'],
      ['12.50', '1.299'],
      ['12.5', '9.9', '899', '1.299'],
    ])
      expect(prices(...texts)).toContain('„1.299“ kann zweierlei heißen');
    // Next to whole prices a thousand is as likely, even if shipping has cents.
    const whole = table('Einzelpreis;shipping-price', '1;899;4.90', '1;1.299;4.90').rejected;
    expect(whole[0]?.message).toContain('„1.299“ kann zweierlei heißen');
    // Neither a day nor a weight in the column of shipping.
    expect(table('Einzelpreis;Versand', '1;1.299;2.50 kg', '1;5;20.11.26').rejected[0]?.message).toContain('zweierlei');
  });

  it('OIM-01 an invalid price is reported, not left out', () => {
    const message = (head: string, text: string) => table(head, '1;5,00', `1;${text}`).rejected[0]?.message;
    for (const text of ['abc', '12,50 €/Stk', '1,234,5', '(3,00)'])
      expect(message('Einzelpreis', text)).toBe(
        `Position 2, Preis: „${text}“ ist kein Betrag. Bitte nur die Zahl schreiben, zum Beispiel 12,50.`,
      );
    expect(message('Gesamtpreis', 'abc')).toMatch(/^Position 2, Summe: „abc“ ist kein Betrag/);
    expect(message('shipping-price', 'abc')).toMatch(/^Position 2, Versandkosten: „abc“ ist kein Betrag/);
    expect(message('Versandkosten', '1,234,5')).toMatch(/^Position 2, Versandkosten: „1,234,5“ ist kein Betrag/);
    expect(message('Einzelpreis', 'x'.repeat(50))).toContain(`„${'x'.repeat(40)}…“`);
    const price = (text: string) => table('Einzelpreis', `1;${text}`).orders[0]?.lines[0]?.unit_cents;
    expect(['+5,00', '€ +5,00', '', '-', '–'].map(price)).toEqual([500, 500, null, null, null]);
    const shipping = (text: string) => table('Versand', `1;${text}`).orders[0]?.lines[0]?.shipping_cents;
    expect(['DHL Paket 2kg', 'kostenlos', '20.11.2026', '2026-11-20 10:00', '+4,90', '-'].map(shipping)).toEqual([
      0, 0, 0, 0, 490, 0,
    ]);
  });

  it('OIM-01 a quantity like 1.000 that may mean thousand or one is refused with a question, not guessed', () => {
    const read = (text: string) => {
      const { orders, rejected } = table('Einzelpreis', '1;5,00', `${text};5,00`);
      return orders[0]?.lines[1]?.ordered ?? rejected[0]?.message;
    };
    for (const text of ['1.000', '1,000', '12.500'])
      expect(read(text)).toBe(
        `Position 2, Menge: „${text}“ kann zweierlei heißen, zum Beispiel 1000 oder 1. Bitte ohne Punkt und Komma schreiben.`,
      );
    expect(['1000', '2,0', '3.0000'].map(read)).toEqual([1000, 2, 3]);
    expect(read('1,5')).toMatch(/^Position 2, Menge: /);
  });

  it('OIM-01 a tax rate is a fraction or a percentage, as spreadsheets and openTRANS write it', () => {
    const rate = (text: string) => table('MwSt', `1;${text}`).orders[0]?.lines[0]?.tax_rate;
    const texts = ['0,19', '0.07', '19', '19 %', '7,00', '5,5%', '0', '0,5 %', '', 'voll', '190'];
    expect(texts.map(rate)).toEqual([1900, 700, 1900, 1900, 700, 550, 0, 50, null, null, null]);
  });

  it('next to a currency sign a mark before three digits separates thousands', () => {
    const price = (text: string) => table('Einzelpreis', `1;${text}`).orders[0]?.lines[0]?.unit_cents;
    expect(['1.299 €', 'EUR 12.500', '1,299 €', '0.500 €'].map(price)).toEqual([129_900, 1_250_000, 129_900, 50]);
  });

  it('a currency is also recognised by its sign', () => {
    const currency = (text: string) => table('Einzelpreis;Währung', `1;5,00;${text}`).orders[0]?.currency;
    const texts = ['€', 'Euro', 'euro', 'eur', '£', 'US$', 'zł', 'Kč', 'Fr.', 'chf', '', '$', 'kr'];
    expect(texts.map(currency)).toEqual([
      'EUR',
      'EUR',
      'EUR',
      'EUR',
      'GBP',
      'USD',
      'PLN',
      'CZK',
      'CHF',
      'CHF',
      'EUR',
      // Several countries use these signs.
      undefined,
      undefined,
    ]);
  });

  it('in a currency without minor units a mark before three digits separates thousands', () => {
    expect(table('Einzelpreis;Währung', '1;1,500;JPY').orders[0]?.lines[0]?.unit_cents).toBe(150_000);
  });

  it('a trailing minus is a minus, and words with digits are no amount', () => {
    const { orders } = table('Einzelpreis;Versand', '2;10,00;DHL Paket 2kg', '1;3,00-;');
    expect(orders[0]?.lines).toMatchObject([{ unit_cents: 1000, shipping_cents: 0, discount_cents: 300 }]);
    const price = (text: string) => table('Einzelpreis', `1;${text}`).orders[0]?.lines[0]?.unit_cents;
    expect(['12,50 Euro', 'Fr. 12.50', 'US$ 12.50', '12,-', '12,50 zł'].map(price)).toEqual([
      1250, 1250, 1250, 1200, 1250,
    ]);
    expect(table('Einzelpreis', '2;10,00', '1;-€3.00').orders[0]?.lines[0]?.discount_cents).toBe(300);
    expect(table('Einzelpreis', '2;10,00', '1;\u22123,00').orders[0]?.lines[0]?.discount_cents).toBe(300);
    expect(table('Einzelpreis', '1;EUR 12,50').orders[0]?.lines[0]?.unit_cents).toBe(1250);
  });

  it('shipping repeated on every row belongs to the order, differing values belong to their rows', () => {
    const shipping = (head: string, ...values: string[]) =>
      table(head, ...values.map((value) => `1;${value}`)).orders[0]?.lines.map((line) => line.shipping_cents);
    expect(shipping('Versandkosten', '4,90', '4,90', '4,90')).toEqual([490, 0, 0]);
    expect(shipping('Versandkosten', '4,90', '', '')).toEqual([490, 0, 0]);
    expect(shipping('Versandkosten', '4,90', '2,00', '4,90')).toEqual([490, 200, 490]);
    // Amazon gives the shipping cost of each line.
    expect(shipping('shipping-price', '4.90', '4.90')).toEqual([490, 490]);
  });

  const openTrans = (price: string) =>
    read(
      `<ORDER><ORDER_HEADER><ORDER_INFO><ORDER_ID>1</ORDER_ID><ORDER_DATE>2026-04-28</ORDER_DATE></ORDER_INFO></ORDER_HEADER>
      <ORDER_ITEM><LINE_ITEM_ID>1</LINE_ITEM_ID><PRODUCT_ID><SUPPLIER_PID>A</SUPPLIER_PID></PRODUCT_ID><QUANTITY>200</QUANTITY>
      <PRODUCT_PRICE_FIX>${price}</PRODUCT_PRICE_FIX></ORDER_ITEM></ORDER>`,
    ).orders[0]?.lines[0];

  it('openTRANS: a price per hundred pieces is divided, and 19 is a tax rate like 0.19', () => {
    const tax = '<TAX_DETAILS_FIX><TAX>19</TAX></TAX_DETAILS_FIX>';
    expect(openTrans(`<PRICE_AMOUNT>10.00</PRICE_AMOUNT>${tax}`)).toMatchObject({ unit_cents: 1190, tax_rate: 1900 });
    const hundred = openTrans(`<PRICE_AMOUNT>33.30</PRICE_AMOUNT><PRICE_QUANTITY>100</PRICE_QUANTITY>${tax}`);
    expect(hundred).toMatchObject({ unit_cents: 40, discount_cents: 75, tax_rate: 1900 });
  });

  it('a price with fractions of a cent is rounded once for all pieces, and so is the tax added to it', () => {
    const tax = '<TAX_DETAILS_FIX><TAX>0.19</TAX></TAX_DETAILS_FIX>';
    const paid = (line: { ordered: number; unit_cents: number | null; discount_cents: number } | undefined) =>
      line && (line.unit_cents ?? 0) * line.ordered - line.discount_cents;
    // 200 x 0.0375 x 1.19 are 8.925; 200 x 0.84 x 1.19 are 199.92.
    expect(paid(openTrans(`<PRICE_AMOUNT>0.0375</PRICE_AMOUNT>${tax}`))).toBe(893);
    expect(paid(openTrans(`<PRICE_AMOUNT>0.84</PRICE_AMOUNT>${tax}`))).toBe(19_992);
    const screws = (price: string) => paid(table('Einzelpreis', `1000;${price}`).orders[0]?.lines[0]);
    expect(['0,0375', '0.0375 €', '0,04', '12,9900'].map(screws)).toEqual([3750, 3750, 4000, 1_299_000]);
  });
});
