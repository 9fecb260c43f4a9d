import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importContent, type Imported } from '#feed/import/reader/import-fixture.ts';
import { openOutputs, type OutputFixture } from './output-fixture.ts';

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());

const pieces = [
  'a',
  'Ö',
  'ß€',
  ' ',
  ';',
  ',',
  '\t',
  '|',
  '"',
  "'",
  '\n',
  '\r\n',
  '\\',
  '<b>',
  '</b>',
  '&',
  '&amp;',
  ']]>',
  '<!--',
  '=1',
  '😀',
  '中',
  '\u200f',
  '\u00a0',
  '\u2028',
  '_x0041_',
  '{',
  '#',
  '0',
  '1.5',
  'null',
  'true',
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed()),
);
// oxlint-disable-next-line no-control-regex -- exactly the characters that the formats forbid
const plain = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
const names = ['sku', 'titel', 'farbe'];
const columns = names.map((name) => ({ name }));
type Rows = (string | null)[][];
const rowsOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Rows> =>
  fc
    .array(fc.tuple(fc.option(text), fc.option(text)), { minLength: 1, maxLength: 6 })
    .map((rows) => rows.map((row, index) => [`A-${index}`, ...row]));

/** The items as texts, '' for a missing one, in the order of our columns. */
function readRows({ result, rows, rejected }: Imported): string[][] {
  if (!result.ok) throw new Error(result.message);
  expect(rejected).toEqual([]);
  const indexes = names.map((name) => result.fields.findIndex((field) => field.name === name));
  return rows.map((row) => indexes.map((index) => row[index] ?? ''));
}

async function roundTrip(rows: Rows, format: object, name: string, options: object = {}): Promise<string[][]> {
  const { content } = await outputs.write(columns, rows, format);
  return readRows(await importContent(content, { name, options: { key: 'sku', ...options } }));
}

/** Many files, few runs each: a fault shows within a few hundred texts. */
const runs = { numRuns: process.env['CI'] === undefined ? 12 : 6 };
const property = (rows: fc.Arbitrary<Rows>, check: (rows: Rows) => Promise<void>) =>
  fc.assert(fc.asyncProperty(rows, check), runs);

describe('what was written is imported as it was', () => {
  const texts = rowsOf(anyText.map(plain).filter((text) => text !== ''));

  for (const delimiter of [';', ',', '\t', '|']) {
    for (const [quote, quoting, lineEnd, encoding] of [
      ['"', 'needed', '\r\n', 'utf-8'],
      ["'", 'always', '\n', 'utf-8-bom'],
      ['"', 'always', '\r\n', 'utf-16le'],
    ] as const) {
      it(`CON-03: CSV ${JSON.stringify({ delimiter, quote, quoting, lineEnd, encoding })}`, async () => {
        await property(texts, async (rows) => {
          const read = await roundTrip(rows, { kind: 'csv', delimiter, quote, quoting, lineEnd, encoding }, 'a.csv', {
            delimiter,
            quote,
          });
          expect(read).toEqual(rows.map((row) => row.map((cell) => cell ?? '')));
        });
      });
    }
  }

  it.each([
    [{ kind: 'json' }, 'a.json'],
    [{ kind: 'jsonl' }, 'a.jsonl'],
    [{ kind: 'json', nested: true }, 'a.json'],
    [{ kind: 'json', member: 'artikel', head: '{"version": "2"}' }, 'a.json'],
    [{ kind: 'xlsx' }, 'a.xlsx'],
  ])('CON-03: %j', async (format, name) => {
    await property(texts, async (rows) => {
      expect(await roundTrip(rows, format, name)).toEqual(rows.map((row) => row.map((cell) => cell ?? '')));
    });
  });

  it.each([
    { style: 'generic' },
    { style: 'generic', encoding: 'iso-8859-1' },
    { style: 'generic', encoding: 'utf-16le' },
  ])('CON-03: XML %j, but for blanks around a text, which the import drops', async (format) => {
    await property(texts, async (rows) => {
      // Chosen, since "Ö" and a blank that does not break are in ISO-8859-1 the bytes of one UTF-8 letter.
      const chosen = 'encoding' in format ? { encoding: format.encoding } : {};
      const read = await roundTrip(rows, { kind: 'xml', ...format }, 'a.xml', chosen);
      expect(read).toEqual(rows.map((row) => row.map((cell) => (cell ?? '').trim())));
    });
  });
});
