import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

async function read(lines: readonly string[], options: FixtureOptions = {}) {
  const { result } = await importContent(`${lines.join('\n')}\n`, options);
  if (!result.ok) throw new Error(result.message);
  return {
    groups: Object.fromEntries(result.fields.flatMap(({ name, groups }) => (groups ? [[name, groups]] : []))),
    told: result.warnings.filter(({ code }) => code === 'numbers_by_file').map(({ message }) => message),
  };
}

const prices = (rest: readonly string[], mark = '.') => [
  `sku;preis;${rest[0]}`,
  `A1;28${mark}440;${rest[1]}`,
  `A2;22${mark}490;${rest[2]}`,
  `A3;5${mark}120;${rest[3]}`,
];

describe('a point or comma before three digits that its own column does not explain', () => {
  test.each([
    ['a decimal point', prices(['uvp', '3.99', '4.99', '1.5']), { mark: 'none', sure: false }, 'Dezimalzeichen'],
    ['a decimal comma', prices(['uvp', '3,99', '4,99', '1,5'], ','), { mark: 'none', sure: false }, 'Dezimalzeichen'],
    ['the other mark', prices(['uvp', '3,99', '4,99', '1,5']), { mark: 'point', sure: false }, 'Tausenderzeichen'],
    ['the other mark', prices(['uvp', '3.99', '4.99', '1.5'], ','), { mark: 'comma', sure: false }, 'Tausenderzeichen'],
  ])(
    'is read as other price columns use it, with a warning, but never as certain: %s',
    async (_, lines, groups, word) => {
      for (const way of ['fast', 'exact'] as const) {
        const found = await read(lines, { way });
        expect(found.groups).toEqual({ preis: groups });
        expect(found.told).toEqual([expect.stringMatching(new RegExp(`„preis“.*„28[.,]440“.*${word}.*„uvp“`, 'u'))]);
      }
    },
  );

  test('is a decimal mark in columns that are not prices, such as weights written by a database next to formatted prices', async () => {
    const weights = ['Artikelnummer;Gewicht;Preis', 'A;1.500;12,90', 'B;2.500;4,50', 'C;12.000;9,90'];
    const found = await read(weights);
    expect(found).toEqual({ groups: { Gewicht: { mark: 'none', sure: false } }, told: [] });
  });

  test('is read as its own column explains it, without regard to the rest of the file', async () => {
    const whole = ['sku;preis;uvp', 'A1;1.290;3.99', 'A2;490;4.99', 'A3;2.340;1.5'];
    const odd = ['sku;preis;uvp', 'A1;1.299;3.99', 'A2;2.349;4.99', 'A3;1.100;1.5'];
    for (const lines of [whole, odd])
      expect(await read(lines)).toEqual({ groups: { preis: { mark: 'point', sure: false } }, told: [] });
  });

  test.each([
    ['no other column shows the mark', prices(['bestand', '5', '7', '9'])],
    ['other columns contradict each other', prices(['netto;uvp', '3.99;4,99', '4.99;5,99', '1.5;2,5'])],
    ['another column contradicts itself', prices(['uvp', '3.99', '4,99', '1.5'])],
    ['only article numbers have commas', prices(['artikelnummer', '102,85', '102,86', '104,12'])],
    ['only columns that are not prices have commas', prices(['bewertung;gewicht', '4,5;3,25', '3,5;1,5', '5,0;2,5'])],
  ])('is a decimal mark if %s', async (_, lines) => {
    const found = await read(lines);
    expect(found.groups).toMatchObject({ preis: { mark: 'none', sure: false } });
    expect(found.told).toEqual([]);
  });

  test('is not explained by numbers in columns that are not prices', async () => {
    const lines = [
      'sku;Preis;Bewertung;Warengruppe;Version;Gewicht',
      'A1;1.299;4.5;10.20;1.2;32.5',
      'A2;499;3.5;10.30;1.3;7.5',
      'A3;2.349;5.0;10.40;1.4;12.5',
      'A4;89;4.0;10.50;1.5;1.5',
    ];
    expect(await read(lines)).toEqual({ groups: { Preis: { mark: 'point', sure: false } }, told: [] });
  });

  test('is a decimal point in formats whose numbers a program wrote', async () => {
    const items = [
      { sku: 'A1', preis: 28.441, text: '3,99' },
      { sku: 'A2', preis: 22.491, text: '4,99' },
    ];
    const found = await read([JSON.stringify(items)], { name: 'artikel.json' });
    expect(found).toEqual({ groups: { preis: { mark: 'none', sure: false } }, told: [] });
  });
});
