import { expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const lines = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `"A${index}";"${name(index)}";"${index},90"\r\n`).join('');

test.each(['auto', 'fast'] as const)(
  'I8 inch marks in nearly every quoted row leave no quotes around names and values (%s)',
  async (way) => {
    const text = `"sku";"name";"preis"\r\n${lines(12, (index) => `Rohr ${index}" lang`)}"A12";"";"1,90"\r\n"A13";"Zoll""maß";"2,90"\r\n`;
    const { result, rows } = await importContent(text, { way });
    expect(result).toMatchObject({ ok: true, accepted: 14, rejected: 0, key: 'sku' });
    expect(result).toMatchObject({ fields: [{ name: 'sku' }, { name: 'name' }, { name: 'preis', guess: 'price' }] });
    expect(rows[1]).toEqual(['A1', 'Rohr 1" lang', '1,90']);
    expect(rows.slice(-2)).toEqual([
      ['A12', '', '1,90'],
      ['A13', 'Zoll"maß', '2,90'],
    ]);
    expect(result).toMatchObject({ warnings: [{ code: 'quotes_not_doubled' }] });
  },
);

test('quotes are kept as text if the option says that there is no quote character', async () => {
  const text = `"sku";"name";"preis"\r\n${lines(12, (index) => `Rohr ${index}" lang`)}`;
  const { rows } = await importContent(text, { options: { quote: '' } });
  expect(rows[1]).toEqual(['"A1"', '"Rohr 1" lang"', '"1,90"']);
});
