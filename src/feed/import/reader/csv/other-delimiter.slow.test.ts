import { expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const rows = (letter: string, delimiter: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    [`${letter}${index}`, `Kanne ${index}`, `${index}.50`, '5'].join(delimiter),
  );

async function read(lines: readonly string[]) {
  const found = [];
  for (const way of ['fast', 'exact'] as const) {
    const { result, ids, rejected } = await importContent(`${lines.join('\n')}\n`, { way });
    if (!result.ok) throw new Error(result.message);
    const { rowsIn, accepted } = result;
    const told = result.warnings.map(({ code, message }) => `${code}: ${message}`);
    found.push({ rowsIn, accepted, ids, rejected, told });
  }
  expect(found[0]).toEqual(found[1]);
  return found[0];
}

test.each([
  [';', ','],
  [',', ';'],
  [';', '\t'],
  ['|', ';'],
])(
  'rows after a change of the delimiter from %j to %j are rejected, with a warning that names the first line',
  async (own, other) => {
    const header = ['sku', 'name', 'preis', 'bestand'].join(own);
    const found = await read([header, ...rows('A', own, 20), ...rows('B', other, 10)]);
    expect(found).toMatchObject({ rowsIn: 30, accepted: 20 });
    expect(found?.rejected).toHaveLength(10);
    expect(found?.rejected[0]).toMatchObject({ line: 22, reason: expect.stringContaining('statt mit') });
    expect(found?.told).toEqual([expect.stringMatching(/^delimiter_changes: Ab Zeile 22 sind 10 Zeilen mit „/u)]);
  },
);

test('quoted rows with another delimiter, and their own header, are rejected too', async () => {
  const quoted = rows('B', ',', 5).map((row) => `"${row.replaceAll(',', '","')}"`);
  const found = await read(['sku;name;preis;bestand', ...rows('A', ';', 20), 'sku,name,preis,bestand', ...quoted]);
  expect(found).toMatchObject({ rowsIn: 26, accepted: 20 });
  expect(found?.told).toEqual([expect.stringContaining('sind 6 Zeilen mit „,“ statt mit „;“')]);
});

test('short rows with commas in their texts are accepted', async () => {
  const found = await read(['sku;name;preis', 'A1;Kanne;1', 'A2;rot, blau, grün', 'A3;Topf;3', 'A4, A5']);
  expect(found).toMatchObject({ accepted: 4, ids: ['A1', 'A2', 'A3', 'A4, A5'] });
});

test('a title above the header is not reported as such a row', async () => {
  const found = await read(['Liste, Nord, neu', 'sku;name;preis', 'A1;Kanne;1', 'A2;Besen;2', 'A3;Topf;3']);
  expect(found).toMatchObject({ rowsIn: 3, accepted: 3, ids: ['A1', 'A2', 'A3'], told: [] });
});

test('a single such row is reported in the singular', async () => {
  const found = await read(['sku;name;preis;bestand', ...rows('A', ';', 50), ...rows('B', ',', 1)]);
  expect(found?.told).toEqual([
    expect.stringMatching(
      /: Zeile 52 ist mit „,“ statt mit „;“ getrennt\. Sie wurde nicht übernommen und steht in der Liste/u,
    ),
  ]);
});
