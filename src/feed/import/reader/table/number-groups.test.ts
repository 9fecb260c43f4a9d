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
  `A1;28${mark}441;${rest[1]}`,
  `A2;22${mark}491;${rest[2]}`,
  `A3;5${mark}123;${rest[3]}`,
];

describe('a mark before three digits that its own column does not explain', () => {
  test.each([
    ['a decimal point', prices(['ek', '3.99', '4.99', '1.5']), { mark: 'none', sure: false }, 'Dezimalzeichen'],
    ['a decimal comma', prices(['ek', '3,99', '4,99', '1,5'], ','), { mark: 'none', sure: false }, 'Dezimalzeichen'],
    ['the other mark', prices(['ek', '3,99', '4,99', '1,5']), { mark: 'point', sure: true }, 'Tausenderzeichen'],
    ['the other mark', prices(['ek', '3.99', '4.99', '1.5'], ','), { mark: 'comma', sure: true }, 'Tausenderzeichen'],
  ])('means what other columns show, and a warning says so: %s', async (_, lines, groups, word) => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read(lines, { way });
      expect(found.groups).toEqual({ preis: groups });
      expect(found.told).toEqual([expect.stringMatching(new RegExp(`„preis“.*„28[.,]441“.*${word}.*„ek“`, 'u'))]);
    }
  });

  test('is read the same in columns that are no prices', async () => {
    const weights = ['sku;gewicht;preis', 'A1;1.250;9,90', 'A2;2.300;3,50', 'A3;1.100;12,00'];
    expect((await read(weights)).groups).toEqual({ gewicht: { mark: 'point', sure: true } });
  });

  test('is no news in a column of other numbers that is decimal in any case', async () => {
    const found = await read(['sku;tiefe;gewicht', 'A1;1.251;9.5', 'A2;2.302;3.5', 'A3;1.107;12.5']);
    expect(found).toEqual({ groups: { tiefe: { mark: 'none', sure: false } }, told: [] });
  });

  test.each([
    ['none show it', prices(['bestand', '5', '7', '9'])],
    ['they contradict each other', prices(['ek;uvp', '3.99;4,99', '4.99;5,99', '1.5;2,5'])],
    ['one contradicts itself', prices(['ek', '3.99', '4,99', '1.5'])],
    ['only article numbers have points', prices(['artikelnummer', '102.85', '102.86', '104.12'])],
  ])('keeps its reading where %s', async (_, lines) => {
    const found = await read(lines);
    expect(found.groups).toMatchObject({ preis: { mark: 'point', sure: false } });
    expect(found.told).toEqual([]);
  });

  test('is a decimal one in files whose numbers a program wrote', async () => {
    const items = [
      { sku: 'A1', preis: 28.441, text: '3,99' },
      { sku: 'A2', preis: 22.491, text: '4,99' },
    ];
    const found = await read([JSON.stringify(items)], { name: 'artikel.json' });
    expect(found).toEqual({ groups: { preis: { mark: 'none', sure: false } }, told: [] });
  });
});
