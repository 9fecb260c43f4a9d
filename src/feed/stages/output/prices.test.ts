import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChannelField } from '#shared/channels/schema.ts';
import { type OutputColumn } from './cells.ts';
import { openOutputs, type OutputFixture, type Value } from './testing/output-fixture.ts';

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());

const field = (more: object) =>
  ChannelField.parse({ name: 'f', title: 'F', group: 'g', requirement: 'Optional', ...more });
/** The values of one column as written to the file. */
const serialized = async (values: readonly Value[], format: object, column: Partial<OutputColumn>) =>
  (
    await outputs.cells(
      [{ name: 'f', ...column }],
      values.map((value) => [value]),
      format,
    )
  ).map(([cell]) => cell);

const price = { number: true, price: true };

describe('prices', () => {
  // value, plain, with currency, in cents
  const table: [string, string, string, string][] = [
    ['1.234,56 €', '1234.56', '1234.56 EUR', '123456'],
    ['25', '25.00', '25.00 EUR', '2500'],
    ['25.00 EUR', '25.00', '25.00 EUR', '2500'],
    ['25,5', '25.50', '25.50 EUR', '2550'],
    ['0,05', '0.05', '0.05 EUR', '5'],
    ['0,00', '0.00', '0.00 EUR', '0'],
    ['0', '0.00', '0.00 EUR', '0'],
    ['-3,5', '-3.50', '-3.50 EUR', '-350'],
    ['1,234.5', '1234.50', '1234.50 EUR', '123450'],
    ['1.234.567', '1234567.00', '1234567.00 EUR', '123456700'],
    ['1 234,56', '1234.56', '1234.56 EUR', '123456'],
    ['12.345', '12.35', '12.35 EUR', '1235'],
    ['1.299 €', '1299.00', '1299.00 EUR', '129900'],
    ['1,299 EUR', '1299.00', '1299.00 EUR', '129900'],
    ['EUR 12.345', '12345.00', '12345.00 EUR', '1234500'],
    ['0.125 €', '0.13', '0.13 EUR', '13'],
    ['$1,299', '$1,299', '1299.00 USD', '$1,299'],
    ['1.299 CHF', '1.299 CHF', '1299.00 CHF', '1.299 CHF'],
    ['12,344', '12.34', '12.34 EUR', '1234'],
    ['€ 12', '12.00', '12.00 EUR', '1200'],
    ['$19.99', '$19.99', '19.99 USD', '$19.99'],
    ['19.99 usd', '19.99 usd', '19.99 USD', '19.99 usd'],
    ['CHF 1200', 'CHF 1200', '1200.00 CHF', 'CHF 1200'],
    ['£5', '£5', '5.00 GBP', '£5'],
    ['99 PLN', '99 PLN', '99.00 PLN', '99 PLN'],
    [' 7,90 ', '7.90', '7.90 EUR', '790'],
    ['12345678901234567890,12', '12345678901234567890.12', '12345678901234567890.12 EUR', '1234567890123456789012'],
    ['ab 9,90', 'ab 9,90', 'ab 9,90', 'ab 9,90'],
    ['auf Anfrage', 'auf Anfrage', 'auf Anfrage', 'auf Anfrage'],
    ['5EUR600', '5EUR600', '5EUR600', '5EUR600'],
    ['12.05.2024', '12.05.2024', '12.05.2024', '12.05.2024'],
  ];
  const values = table.map(([value]) => value);

  it('CON-03: prices are written plainly, with currency or in cents; unreadable ones or other currencies are unchanged', async () => {
    expect(await serialized(values, { price: 'plain' }, price)).toEqual(table.map(([, plain]) => plain));
    expect(await serialized(values, { price: 'currency' }, price)).toEqual(table.map(([, , currency]) => currency));
    expect(await serialized(values, { price: 'cents' }, price)).toEqual(table.map(([, , , cents]) => cents));
  });

  it('CON-03: prices use the decimal mark and the currency of the format', async () => {
    expect(await serialized(['1.234,56', '25', '3 CHF'], { price: 'plain', decimal: 'comma' }, price)).toEqual([
      '1234,56',
      '25,00',
      '3 CHF',
    ]);
    const zloty = ['25', '3 PLN', '3 zł', '3 €', '3 EUR'];
    expect(await serialized(zloty, { price: 'plain', currency: 'PLN' }, price)).toEqual([
      '25.00',
      '3.00',
      '3 zł',
      '3 €',
      '3 EUR',
    ]);
    expect(await serialized(['25', '3 CHF'], { price: 'currency', decimal: 'comma', currency: 'PLN' }, price)).toEqual([
      '25,00 PLN',
      '3,00 CHF',
    ]);
  });

  it('GEN-09 whole numbers are written as digits; ambiguous and invalid ones are left for the check', async () => {
    const values = ['5,00', '5.0', '1 234', '1.234,00', '0012', '5 €', '-3', '1.000', '1,000', '5,5', 'zwölf', null];
    expect(await serialized(values, {}, { field: field({ type: 'integer' }) })).toEqual([
      '5',
      '5',
      '1234',
      '1234',
      '12',
      '5',
      '-3',
      '1.000',
      '1,000',
      '5,5',
      'zwölf',
      null,
    ]);
  });

  it('GEN-09 a price in another currency never becomes a number without it, where prices are spelled as numbers', async () => {
    const values = ['$5', '£ 5.5', '12.50 USD', '5.5 CHF', '5,5 €', 'EUR 7,50', '1,299.90 $', null];
    const kept = ['$5', '£ 5.5', '12.50 USD', '5.5 CHF', '5.50', '7.50', '1,299.90 $', null];
    const typed = { kind: 'json', typed: true };
    expect(await serialized(values, typed, { ...price, field: field({ type: 'price' }) })).toEqual(kept);
    expect(await serialized(values, { decimal: 'point' }, price)).toEqual(kept);
    const plain = { ...typed, price: 'plain' };
    expect(await serialized(['9.999', '5,5 €', '$5', '12.50 USD'], plain, price)).toEqual([
      '10.00',
      '5.50',
      '$5',
      '12.50 USD',
    ]);
    expect(await serialized(['5,5 €', '$5.5'], { decimal: 'point', currency: 'USD' }, price)).toEqual([
      '5,5 €',
      '5.50',
    ]);
  });

  it('GEN-09 a dollar sign means the currency of the format where that is a dollar', async () => {
    for (const currency of ['USD', 'AUD', 'CAD', 'NZD'])
      expect(await serialized(['$5.5'], { decimal: 'point', currency }, price)).toEqual(['5.50']);
    const format = { price: 'currency', currency: 'AUD' };
    expect(await serialized(['$5.5'], format, price)).toEqual(['5.50 AUD']);
  });

  it('a number that is no price is unchanged, and a missing price stays missing', async () => {
    expect(await serialized(['25', null], { price: 'cents' }, { number: true })).toEqual(['25', null]);
    expect(await serialized([null], { price: 'currency' }, price)).toEqual([null]);
  });
});
