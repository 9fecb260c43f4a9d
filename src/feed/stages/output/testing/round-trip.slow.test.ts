import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importContent, type Imported } from '#feed/import/reader/import-fixture.ts';
import { plainDigits } from '#feed/import/reader/xlsx/xlsx-values.ts';
import { numberText } from '#shared/values/number-text.ts';
import { openOutputs, type OutputFixture } from './output-fixture.ts';
import { elementsNamed, readWorkbook, readXml } from './read-back.ts';

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

describe('a written file is imported with the same values', () => {
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
      // Set explicitly, since "Ö" and a no-break space in ISO-8859-1 are the bytes of one UTF-8 letter.
      const chosen = 'encoding' in format ? { encoding: format.encoding } : {};
      const read = await roundTrip(rows, { kind: 'xml', ...format }, 'a.xml', chosen);
      expect(read).toEqual(rows.map((row) => row.map((cell) => (cell ?? '').trim())));
    });
  });
});

describe('a written file is read with the same values', () => {
  const texts = rowsOf(anyText.map(plain).filter((text) => text !== ''));
  const cells = (rows: Rows) => rows.map((row) => row.map((cell) => cell ?? ''));

  it.each([
    ['windows-1252', '€„“–Šž'],
    ['iso-8859-1', '¤¦½²'],
    ['iso-8859-15', '€ŠžŒ'],
  ] as const)('CON-03: CSV in %s, with the letters of that encoding', async (encoding, letters) => {
    const pieces = ['a', 'Ö', 'ß', ' ', ';', '"', '\n', '\u00a0', ...Array.from(letters)];
    const few = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    await property(rowsOf(few), async (rows) => {
      const chosen = { delimiter: ';', quote: '"', encoding };
      expect(await roundTrip(rows, { kind: 'csv', encoding }, 'a.csv', chosen)).toEqual(cells(rows));
    });
  });

  it('CON-03: CSV without a header and gzipped, and CSV read by DuckDB', async () => {
    await property(texts, async (rows) => {
      const { content } = await outputs.write(columns, rows, { kind: 'csv', header: false });
      const options = { key: null, header: false, skipLines: 0, delimiter: ';', quote: '"' };
      const bare = await importContent(gzipSync(content), { name: 'a.csv.gz', options });
      expect(bare.rows).toEqual(cells(rows));
      const headed = await outputs.write(columns, rows, { kind: 'csv', lineEnd: '\n' });
      const fast = { name: 'a.csv', options: { key: 'sku', delimiter: ';', quote: '"' }, way: 'fast' as const };
      expect(readRows(await importContent(headed.content, fast))).toEqual(cells(rows));
    });
  });

  it('CON-03: lists, by a strict reader of each format', async () => {
    const entry = fc.option(anyText.map(plain).filter((text) => text !== ''));
    const lists = fc.array(fc.array(entry, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    const list = { keys: null, separator: ',', repeat: true, size: 3 };
    const some = [{ name: 'sku' }, { name: 'f', list }];
    const check = async (found: (string | null)[][]) => {
      const rows = found.map((entries, index) => [`A-${index}`, entries]);
      const expected = found.map((entries) => entries.filter((one) => one !== null));
      const write = async (format: object) => outputs.write(some, rows, format);
      const filled = <T>(read: readonly (readonly T[])[]) =>
        read.map((row) => row.slice(1).filter((one) => one !== null && one !== ''));
      for (const style of ['generic', 'google', 'atom']) {
        const root = readXml((await write({ kind: 'xml', style })).text);
        const items = ['product', 'item', 'entry'].flatMap((name) => elementsNamed(root, name));
        const read = items.map((item) =>
          ['f', 'g:f'].flatMap((name) => elementsNamed(item, name).map(({ text }) => text)),
        );
        expect(read).toEqual(expected);
      }
      const objects = JSON.parse((await write({ kind: 'json' })).text) as { f: string[] | null }[];
      expect(objects.map(({ f }) => f ?? [])).toEqual(expected);
      const csv: string[][] = parse((await write({ kind: 'csv' })).text, { delimiter: ';', record_delimiter: '\r\n' });
      expect(filled(csv.slice(1))).toEqual(expected);
      expect(filled(readWorkbook((await write({ kind: 'xlsx' })).content).slice(1))).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(lists, check), runs);
  });

  it('CON-03: numbers in typed files are exact, or written as text', async () => {
    const number = fc.oneof(
      fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,19})(?:[.,][0-9]{1,12})?$/),
      // The sizes at which readers begin to round.
      fc.bigInt({ min: 10n ** 14n, max: 10n ** 16n }).map(String),
    );
    const exact = (text: string) => {
      const digits = numberText(text) ?? text;
      const short = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
      return short === '-0' ? '0' : short;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 60 }), async (numbers) => {
        const rows = numbers.map((text) => [text]);
        const write = async (kind: string) => outputs.write([{ name: 'n', number: true }], rows, { kind, typed: true });
        const json = (JSON.parse((await write('json')).text) as { n: unknown }[]).map(({ n }) => n);
        const sheet = readWorkbook((await write('xlsx')).content)
          .slice(1)
          .map(([cell]) => cell);
        for (const read of [json, sheet])
          expect(read.map((cell) => exact(plainDigits(String(cell))))).toEqual(numbers.map(exact));
      }),
      runs,
    );
  });
});
