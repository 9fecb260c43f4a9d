import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { openOutputs, type OutputFixture } from './testing/output-fixture.ts';

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());

/** Writes a column's values for a field of a channel's template, and returns the texts in the file. */
async function written(channel: string, name: string, values: readonly string[]): Promise<(string | null)[]> {
  const template = templateOf(channel);
  const field = template?.fields.find((one) => one.name === name);
  if (!template || !field) throw new Error(`${channel} ${name}`);
  const column = {
    name,
    field,
    price: field.type === 'price',
    number: field.type === 'price' || field.type === 'number',
  };
  const cells = await outputs.cells(
    [column],
    values.map((value) => [value]),
    template.format,
  );
  return cells.map(([cell]) => cell ?? null);
}

describe("CON-03 values are converted to the channel's notation", () => {
  it('VAT rates in any notation', async () => {
    const full = ['19', '19.0', '19,00', '19 %', '19.00 %', '19%', '0.19', '0,19', ' 19.0 '];
    expect(new Set(await written('otto', 'pricing.vat', full))).toEqual(new Set(['FULL']));
    expect(new Set(await written('kaufland_inventory', 'vat_indicator', full))).toEqual(new Set(['standard_rate']));
    expect(await written('otto', 'pricing.vat', ['7.0', '0,00 %', '0.07', '16', '190'])).toEqual([
      'REDUCED',
      'NONE',
      'REDUCED',
      '16',
      '190',
    ]);
  });

  it('availability in words and as a stock count', async () => {
    const there = ['lagernd', 'ab Lager', 'sofort verfügbar', 'Auf Lager', 'InStock', '1', '25', '3.0', '007'];
    const gone = [
      'nicht lagernd',
      'Nicht auf Lager',
      'derzeit nicht verfügbar',
      'vergriffen',
      '0',
      '0.0',
      '0,00',
      '-2',
    ];
    for (const [channel, some, none] of [
      ['google', 'in_stock', 'out_of_stock'],
      ['meta', 'in stock', 'out of stock'],
      ['openai', 'in_stock', 'out_of_stock'],
    ] as const) {
      expect(new Set(await written(channel, 'availability', there))).toEqual(new Set([some]));
      expect(new Set(await written(channel, 'availability', gone))).toEqual(new Set([none]));
    }
    expect(await written('google', 'availability', ['2-3 Tage', '1,5', 'bald'])).toEqual(['2-3 Tage', '1,5', 'bald']);
  });

  it('units of measure; values that are no single measure are unchanged', async () => {
    const values = [
      '500 Gramm',
      '1,5 KG',
      '0,75 Liter',
      '2 qm',
      '3 m²',
      '4 m2',
      '6 Stück',
      '10 Stk.',
      '250ml',
      '2 kg',
      '5 Paar',
      '20 cm x 30 cm',
    ];
    expect(await written('google', 'unit_pricing_measure', values)).toEqual([
      '500 g',
      '1.5 kg',
      '0.75 l',
      '2 sqm',
      '3 sqm',
      '4 sqm',
      '6 ct',
      '10 ct',
      '250ml',
      '2 kg',
      '5 Paar',
      '20 cm x 30 cm',
    ]);
    expect(await written('google', 'shipping_weight', ['20 Kg', '3 Liter'])).toEqual(['20 kg', '3 Liter']);
    expect(await written('kaufland_product', 'content_volume', ['0,75 Liter', '6 stk'])).toEqual(['0.75 l', '6 Stück']);
  });

  it('GTINs altered by a spreadsheet or by hand', async () => {
    const right = '4006381333931';
    const values = [
      right,
      `${right}.0`,
      `'${right}`,
      '4 006381 333931',
      '400-6381-333931',
      `${right}\u00a0`,
      '4,00638E+12',
      'A-4006381333931',
    ];
    const repaired = [right, right, right, right, right, right, '4,00638E+12', 'A-4006381333931'];
    expect(await written('google', 'gtin', values)).toEqual(repaired);
    expect(await written('otto', 'ean', [`${right}.0`])).toEqual([right]);
    expect(await written('ebay', 'EAN', ['nicht zutreffend', 'Does Not Apply', 'keine EAN'])).toEqual([
      'Nicht zutreffend',
      'Does not apply',
      'Nicht zutreffend',
    ]);
  });

  it('placeholders are left empty unless the channel requires a value', async () => {
    const values = ['keine Angabe', 'n/a', 'N/A', '-', ' Keine Angabe ', '#N/A', 'Bosch', '-5', 'Keine Angabe GmbH'];
    const left = [null, null, null, null, null, null, 'Bosch', '-5', 'Keine Angabe GmbH'];
    expect(await written('google', 'brand', values)).toEqual(left);
    expect(await written('google', 'color', values)).toEqual(left);
    expect(await written('google', 'gtin', ['n/a', '-'])).toEqual([null, null]);
    expect(await written('openai', 'availability', ['unbekannt'])).toEqual(['unknown']);
    // A placeholder in a required field is written, and the check reports it.
    expect(await written('kaufland_product', 'manufacturer', ['keine Angabe'])).toEqual(['keine Angabe']);
  });
});
