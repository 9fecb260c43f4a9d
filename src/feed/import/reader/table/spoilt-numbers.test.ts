import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

async function warned(text: string) {
  const { result, rows } = await importContent(text);
  if (!result.ok) throw new Error(result.message);
  return { rows, warnings: result.warnings.filter(({ code }) => code !== 'no_key') };
}

describe('numbers damaged by a program', () => {
  test('I8: EANs that Excel wrote as 4,00638E+12 are kept, with a warning that digits are lost', async () => {
    const { rows, warnings } = await warned('sku;EAN;Preis\nA1;4,00638E+12;1,9\nA2;4.01234E+12;2,9\nA3;;2,9\n');
    expect(rows.map((row) => row[1])).toEqual(['4,00638E+12', '4.01234E+12', '']);
    expect(warnings).toEqual([{ code: 'exponents', message: expect.stringMatching(/„EAN“.*4,00638E\+12/u) }]);
  });

  test('item numbers written as decimals (1001.0) cause a warning', async () => {
    const { rows, warnings } = await warned('sku,EAN,Lager\n1001.0,4006381333931.0,1.0\n1002.0,4012345678901.0,2.0\n');
    expect(rows[0]).toEqual(['1001.0', '4006381333931.0', '1.0']);
    expect(warnings).toEqual([{ code: 'point_zero', message: expect.stringMatching(/„sku“, „EAN“.*1001\.0/u) }]);
  });

  test('apostrophes that keep Excel from converting texts to numbers cause a warning', async () => {
    const { rows, warnings } = await warned(
      "sku;ean;ort\n'001;'4006381333931;'s Hertogenbosch\n'002;'4012345678901;Ulm\n",
    );
    expect(rows[0]?.slice(0, 2)).toEqual(["'001", "'4006381333931"]);
    expect(warnings).toEqual([{ code: 'apostrophes', message: expect.stringMatching(/„sku“, „ean“ .*'001/u) }]);
  });

  test.each(['sku;gewicht\n1;1e-7\n2;1,5E-3\n', 'sku;preis\n1;100.0\n2;12.0\n', 'sku;farbe\nA1;7E5\nA2;1E+2\n'])(
    'other numbers cause no warning: %j',
    async (text) => expect((await warned(text)).warnings).toEqual([]),
  );
});
