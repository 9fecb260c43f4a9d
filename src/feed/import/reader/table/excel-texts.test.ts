import { expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';
import { textOfFormula } from './excel-texts.ts';

async function read(lines: readonly string[], way: 'fast' | 'exact') {
  const { result, rows, ids } = await importContent(`${lines.join('\n')}\n`, { way });
  if (!result.ok) throw new Error(result.message);
  const warnings = result.warnings.filter(({ code }) => code !== 'no_key');
  return { names: result.fields.map(({ name }) => name), key: result.key, warnings, rows, ids };
}

const bare = [
  '="sku";name;="ean"',
  '="001";Kanne;="4006381333931"',
  '="002";Rohr;',
  '="003";Topf;4012345678901',
  '="004";Dose;="0"',
];
const quoted = bare.map((line) =>
  line
    .split(';')
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(';'),
);

test.each([
  ['bare', bare],
  ['quoted', quoted],
])(
  'cells protected from Excel (="001"), %s, are unwrapped, also as keys, with a warning that names the columns',
  async (_, lines) => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read(lines, way);
      expect(found).toMatchObject({ names: ['sku', 'name', 'ean'], key: 'sku', ids: ['001', '002', '003', '004'] });
      expect(found.rows.map((row) => row[2])).toEqual(['4006381333931', '', '4012345678901', '0']);
      expect(found.warnings).toEqual([
        { code: 'excel_texts', message: expect.stringMatching(/den Spalten „sku“, „ean“ /) },
      ]);
    }
  },
);

test('a column with few such cells keeps them, and quotes in other cells are still reported', async () => {
  const lines = ['sku;name', 'A1;="x"', 'A2;b', 'A3;c', 'A4;Rohr 5"'];
  for (const way of ['fast', 'exact'] as const) {
    const found = await read(lines, way);
    expect(found.rows.map((row) => row[1])).toEqual(['="x"', 'b', 'c', 'Rohr 5"']);
    expect(found.warnings.map(({ code }) => code)).toEqual(['literal_quotes']);
  }
});

test('only a formula that is a single text is unwrapped', () => {
  expect(['="001"', ' ="a""b" ', '=""'].map(textOfFormula)).toEqual(['001', 'a"b', '']);
  for (const cell of ['=1+1', '="a"&"b"', '="a', '="', 'x="a"', '"001"']) expect(textOfFormula(cell)).toBeUndefined();
});
