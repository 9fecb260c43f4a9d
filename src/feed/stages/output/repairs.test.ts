import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { openOutputs, type OutputFixture } from './output-fixture.ts';

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());

/** What goes out of the values of a column for a field of a channel's template. */
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

describe('CON-03 what catalogues write is spelled as the channel wants it', () => {
  it('rates of the value added tax, however they are written', async () => {
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

  it('availability in words and as pieces in stock', async () => {
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
});
