import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOutputs, type OutputFixture } from './output-fixture.ts';
import { elementsNamed, readWorkbook, readXml } from './read-back.ts';

/** Values that occur in catalogues and are difficult for files. */
const awkward = [
  'einfach',
  '"',
  '""',
  "'",
  ';',
  ',',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  ' vorn und hinten ',
  '#raute',
  '<b>',
  '</p><p',
  '&amp;',
  '&',
  ']]>',
  '<![CDATA[x]]>',
  '<!-- -- -->',
  '<?xml?>',
  'a\u0001b\u001fc\u0000d',
  '\u0001',
  '\ufffe\uffff',
  '\u007f\u0085',
  '\\',
  '\\n',
  '_x0041_ _x000D_',
  'äöüß€',
  'A\u0308o\u0323',
  '\u200fعربي\u202e',
  '😀👨‍👩‍👧',
  '中文',
  '\u2028\u2029',
  'mitten\ufeffdrin',
  'x'.repeat(1_000_000),
  '😀;"<'.repeat(8_000),
  '{"a":1}',
  '=1+1',
  '+49 30',
  '-3',
  '@SUM(A1)',
  null,
];
const names = ['erste', 'zweite "Spalte"; mit <Zeichen> & mehr', '__proto__'];
const columns = names.map((name) => ({ name }));
const rows = awkward.map((value) => [value, `x${value ?? ''}`, 'fest']);

// oxlint-disable-next-line no-control-regex -- exactly the characters that the formats forbid
const inCsv = (value: string) => value.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
const inXml = (value: string) => inCsv(value).replaceAll(/[\ufffe\uffff]/g, '');

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());
const write = async (format: object): Promise<string> => (await outputs.write(columns, rows, format)).text;

describe('difficult values, read back by a strict reader', () => {
  const expected = awkward.map((value) => [inCsv(value ?? ''), `x${inCsv(value ?? '')}`, 'fest']);

  for (const delimiter of [';', ',', '\t', '|']) {
    for (const quote of ['"', "'"]) {
      for (const quoting of ['needed', 'always']) {
        for (const lineEnd of ['\n', '\r\n']) {
          it(`CSV with ${JSON.stringify({ delimiter, quote, quoting, lineEnd })} is read back exactly`, async () => {
            const text = await write({ kind: 'csv', delimiter, quote, quoting, lineEnd });
            const read = parse(text, { delimiter, quote, escape: quote, record_delimiter: lineEnd });
            expect(read).toEqual([names, ...expected]);
            expect(text.endsWith(lineEnd)).toBe(true);
          });
        }
      }
    }
  }

  it('CSV without a header starts with the first item', async () => {
    const read = parse(await write({ kind: 'csv', header: false }), { delimiter: ';', record_delimiter: '\r\n' });
    expect(read).toEqual(expected);
  });

  it.each(['json', 'jsonl'])('%s contains every character, and null for missing values', async (kind) => {
    const text = await write({ kind });
    const objects =
      kind === 'json'
        ? (JSON.parse(text) as object[])
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as object);
    expect(objects.map((one) => Object.values(one))).toEqual(
      awkward.map((value) => [value, `x${value ?? ''}`, 'fest']),
    );
    expect(Object.keys(objects[0] ?? {})).toEqual(names);
  });

  it.each(['generic', 'google', 'atom'])(
    'XML (%s) is well-formed and contains every character that XML allows',
    async (style) => {
      const root = readXml(await write({ kind: 'xml', style }));
      const item = { generic: 'product', google: 'item', atom: 'entry' }[style] ?? '';
      const fields =
        style === 'generic'
          ? ['erste', 'zweite__Spalte___mit__Zeichen____mehr', '__proto__']
          : ['g:erste', 'g:zweite__Spalte___mit__Zeichen____mehr', 'g:__proto__'];
      const found = elementsNamed(root, item).map(({ children }) =>
        fields.map((name) => children.find((child) => child.name === name)?.text),
      );
      expect(found).toEqual(
        awkward.map((value) => [
          value === null || inXml(value) === '' ? undefined : inXml(value),
          `x${inXml(value ?? '')}`,
          'fest',
        ]),
      );
    },
  );

  it('XLSX contains every character that XML allows, and texts too long for a cell are shortened with a warning', async () => {
    const { content, warnings } = await outputs.write(columns, rows, { kind: 'xlsx' });
    const most = (value: string) => {
      if (value.length <= 32_767) return value;
      const characters = Array.from(value);
      const beyond = characters.filter((one) => one.length === 2).length;
      return characters.slice(0, Math.max(32_767 - beyond, 16_383)).join('');
    };
    const [head, ...items] = readWorkbook(content);
    expect(head).toEqual(names);
    expect(items).toEqual(
      awkward.map((value) => [
        value === null || inXml(value) === '' ? null : most(inXml(value)),
        most(`x${inXml(value ?? '')}`),
        'fest',
      ]),
    );
    expect(items.every((cells) => cells.every((cell) => typeof cell !== 'string' || cell.length <= 32_767))).toBe(true);
    expect(warnings).toEqual([
      'Eine Zelle von Excel fasst 32.767 Zeichen; längere Texte stehen gekürzt in der Datei: „erste“ (2 Artikel), „zweite "Spalte"; mit <Zeichen> & mehr“ (2 Artikel).',
    ]);
  });

  it.each([
    { kind: 'csv' },
    { kind: 'xml' },
    { kind: 'xlsx' },
    { kind: 'json' },
    { kind: 'csv', stripHtml: true },
    { kind: 'xml', stripHtml: true },
  ])('an explanation shows the same texts as the file: %j', async (format) => {
    const cells = await outputs.cells(columns, rows, format);
    const file = await outputs.write(columns, rows, format);
    const kind = format.kind;
    if (kind === 'csv')
      expect(cells.map((row) => row.map((cell) => cell ?? ''))).toEqual(
        parse(file.text, { delimiter: ';', record_delimiter: '\r\n' }).slice(1),
      );
    if (kind === 'json') expect(cells).toEqual((JSON.parse(file.text) as object[]).map((one) => Object.values(one)));
    if (kind === 'xlsx') expect(cells).toEqual(readWorkbook(file.content).slice(1));
    if (kind === 'xml')
      expect(cells.map((row) => row.filter((cell) => cell !== null))).toEqual(
        elementsNamed(readXml(file.text), 'product').map(({ children }) => children.map(({ text }) => text)),
      );
  });
});
