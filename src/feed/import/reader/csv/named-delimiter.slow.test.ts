import { expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const items = [
  ['sku', 'name', 'preis', 'bestand'],
  ['A1', 'Kanne', '9.90', '5'],
  ['A2', 'Besen', '3.50', '7'],
  ['A3', 'Topf', '12.00', '9'],
];
const table = (delimiter: string, change = (text: string) => text) =>
  change(items.map((cells) => cells.join(delimiter)).join('\n'));

async function read(text: string) {
  const found = await importContent(`${text}\n`);
  if (!found.result.ok) throw new Error(found.result.message);
  const { fields, format, warnings } = found.result;
  const names = fields.map(({ name }) => name);
  return { ...found, names, delimiter: format.delimiter, codes: warnings.map(({ code }) => code) };
}

test.each([
  [';', ',', table(',')],
  [',', ';', table(';', (text) => text.replaceAll('.', ','))],
  ['\t', ';', table(';')],
  [';', '\t', table('\t')],
  [',', ';', table(';', (text) => text.replace('sku', '"sku, neu"'))],
])('a sep= line that does not match the header is ignored with a warning: %j over %j', async (named, own, text) => {
  const found = await read(`sep=${named}\n${text}`);
  expect(found.names.slice(1)).toEqual(['name', 'preis', 'bestand']);
  expect([found.delimiter, found.ids, found.codes]).toEqual([own, ['A1', 'A2', 'A3'], ['sep_ignored']]);
  expect(found.rejected).toEqual([]);
});

test.each([
  [';', table(';')],
  [',', table(',')],
  ['|', table('|')],
  [';', 'sku;name (kurz, lang, Farbe)\nA1;a, b, c\nA2;d, e, f\nA3;g, h, i'],
  [';', 'sku\nA1\nA2\nA3'],
  [';', 'Export vom 1.1.2026, Lager Nord\nsku;name;preis\nA1;Kanne;1\nA2;Besen;2\nA3;Topf;3'],
])('a sep= line that matches the header is obeyed: %j', async (named, text) => {
  const found = await read(`sep=${named}\n${text}`);
  expect([found.delimiter, found.ids]).toEqual([named, ['A1', 'A2', 'A3']]);
  expect(found.codes).not.toContain('sep_ignored');
});

test.each([
  ['Beschreibung\n"Hemd, blau"\n"Hose, rot"\n"Rock, gelb"', 3],
  ['Beschreibung\nHemd, blau\nHose, rot\nRock, gelb', 3],
  ['sku\n"A,1"', 1],
  ['sku\nA,1', 1],
  ['Artikel Nummer\nA 1\nA 2\nA 3', 3],
])('a list of one column under a sep= line is not torn apart: %j', async (text, count) => {
  const found = await read(`sep=;\n${text}`);
  expect([found.delimiter, found.names]).toEqual([';', [text.split('\n')[0]]]);
  expect(found.rows).toEqual(
    text
      .replaceAll('"', '')
      .split('\n')
      .slice(1)
      .map((row) => [row]),
  );
  expect(found.rows).toHaveLength(count);
  expect(found.codes).not.toContain('sep_ignored');
});
