import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOutputs, type OutputFixture } from './output-fixture.ts';
import { elementsNamed, readWorkbook, readXml, readZip } from './read-back.ts';

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

describe('the structure of a file', () => {
  it('any field name makes a valid file', async () => {
    const odd = [
      '²',
      'ª',
      '½',
      '×',
      'a:b',
      '-x',
      '9',
      '\u0300',
      '😀',
      'ǅ',
      'xmlns',
      'g:id',
      'G:Id',
      '٣',
      'a\u0000b',
      '',
    ];
    const some = odd.map((name) => ({ name }));
    const values = [odd.map((_, index) => `w${index}`)];
    for (const [style, encoding] of [
      ['generic', 'utf-8'],
      ['google', 'utf-8'],
      ['atom', 'utf-8'],
      ['generic', 'iso-8859-15'],
      ['google', 'windows-1252'],
    ] as const) {
      const { content } = await outputs.write(some, values, { kind: 'xml', style, encoding, root: '1 <中', item: '&' });
      const root = readXml(new TextDecoder(encoding).decode(content));
      for (let index = 0; index < odd.length; index++) expect(JSON.stringify(root)).toContain(`"w${index}"`);
    }
    const [json] = JSON.parse((await outputs.write(some, values, { kind: 'json' })).text) as object[];
    expect(Object.keys(json ?? {}).toSorted()).toEqual(odd.toSorted());
    expect(readWorkbook((await outputs.write(some, values, { kind: 'xlsx' })).content)[1]).toEqual(values[0]);
  });

  it.each([
    ['generic', ['Preis 1%', 'Preis 1$', 'bild', 'bild', 'b'], [/: „Preis 1%“, „Preis 1\$“ \(<Preis_1_>\)\. /]],
    ['google', ['price', 'g:price', 'title', 'g:title'], [/: „price“, „g:price“ \(<g:price>\)\. /]],
    ['atom', ['a', 'b'], []],
  ] as const)('XML %s: different names that become one element cause a warning', async (style, fields, told) => {
    const some = fields.map((name) => ({ name }));
    const { warnings } = await outputs.write(some, [[...fields]], { kind: 'xml', style });
    expect(warnings).toEqual(told.map((sentence) => expect.stringMatching(sentence)));
  });

  it('Atom: feed and entries have the elements that RFC 4287 requires', async () => {
    const { text } = await outputs.write(
      [{ name: 'id' }, { name: 'title' }, { name: 'link' }, { name: 'description' }],
      [
        ['A 1/ä', 'Hammer & "Säge"', 'https://a.example/?a=1&b="2"', '<b>Gut</b>'],
        ['A-2', null, null, null],
      ],
      { kind: 'xml', style: 'atom' },
    );
    const feed = readXml(text);
    expect([feed.name, feed.attributes['xmlns'], feed.attributes['xmlns:g']]).toEqual([
      'feed',
      'http://www.w3.org/2005/Atom',
      'http://base.google.com/ns/1.0',
    ]);
    const textsOf = (element: typeof feed) =>
      Object.fromEntries(element.children.map((child) => [child.name, child.attributes['href'] ?? child.text]));
    expect(textsOf(feed)).toMatchObject({
      title: 'A & "B"',
      id: 'urn:kontor:export:export1',
      updated: '2026-11-20T08:00:00.000Z',
    });
    expect(elementsNamed(feed, 'entry').map(textsOf)).toEqual([
      {
        id: 'urn:kontor:item:A-0',
        title: 'Hammer & "Säge"',
        updated: '2026-11-20T08:00:00.000Z',
        link: 'https://a.example/?a=1&b="2"',
        'g:id': 'A 1/ä',
        'g:title': 'Hammer & "Säge"',
        'g:link': 'https://a.example/?a=1&b="2"',
        'g:description': '<b>Gut</b>',
      },
      { id: 'urn:kontor:item:A-1', title: 'A-1', updated: '2026-11-20T08:00:00.000Z', content: '', 'g:id': 'A-2' },
    ]);
  });

  it('Atom: an item without a title is named by its number, without characters forbidden in XML', async () => {
    const { text } = await outputs.write([{ name: 'a' }], [['1']], { kind: 'xml', style: 'atom' }, 'A\u0001\ufffe<');
    const titles = elementsNamed(readXml(text), 'entry').flatMap((entry) => elementsNamed(entry, 'title'));
    expect(titles.map((title) => title.text)).toEqual(['A<0']);
  });

  it('JSON: paths become objects and arrays, missing values leave no trace', async () => {
    const paths = [
      'sku',
      'attributes.item_name[0].value',
      'attributes.item_name[0].language_tag',
      'attributes.bullet[1]',
      'attributes.bullet[0]',
      'price.amount',
      '__proto__.x',
      'Preis (inkl. MwSt.)',
    ];
    const { text, warnings } = await outputs.write(
      paths.map((name) => ({ name })),
      [
        ['A', 'Hammer', 'de_DE', 'zwei', 'eins', '5', 'p', '1'],
        ['B', null, null, 'zwei', null, null, null, null],
        [null, null, null, null, null, null, null, null],
      ],
      { kind: 'jsonl', nested: true },
    );
    expect(text.trimEnd().split('\n')).toEqual([
      '{"sku":"A","attributes":{"item_name":[{"value":"Hammer","language_tag":"de_DE"}],"bullet":["eins","zwei"]},"price":{"amount":"5"},"__proto__":{"x":"p"},"Preis (inkl. MwSt.)":"1"}',
      '{"sku":"B","attributes":{"bullet":["zwei"]}}',
      '{}',
    ]);
    expect(warnings).toEqual([expect.stringContaining('„Preis (inkl. MwSt.)“')]);
  });

  it('JSON: paths that conflict with an earlier one are written under their full name, with a warning', async () => {
    const { text, warnings } = await outputs.write(
      ['a', 'a.b', 'c.d', 'c[0]', 'c', 'e..f', '[0]', 'g[x]'].map((name) => ({ name })),
      [['1', '2', '3', '4', '5', '6', '7', '8']],
      { kind: 'json', nested: true },
    );
    expect(JSON.parse(text)).toEqual([
      { a: '1', 'a.b': '2', c: { d: '3' }, 'c[0]': '4', 'e..f': '6', '[0]': '7', 'g[x]': '8' },
    ]);
    expect(warnings.join(' ')).toContain('„a.b“, „c[0]“, „c“, „e..f“, „[0]“, „g[x]“');
  });

  it('JSON: fields of the same name become an array', async () => {
    const { text } = await outputs.write(
      [{ name: 'bild' }, { name: 'bild' }, { name: 'id' }],
      [
        ['a', 'b', '1'],
        [null, 'c', '2'],
        [null, null, '3'],
      ],
      { kind: 'json' },
    );
    expect(JSON.parse(text)).toEqual([
      { bild: ['a', 'b'], id: '1' },
      { bild: ['c'], id: '2' },
      { bild: null, id: '3' },
    ]);
  });

  it('JSON: the items can be a member next to others', async () => {
    const format = {
      kind: 'json',
      member: 'messages',
      head: ' { "header": {"version": "2.0", "n": 12345678901234567890} } ',
    };
    const { text } = await outputs.write([{ name: 'id' }], [['1'], ['2']], format);
    expect(JSON.parse(text)).toMatchObject({ header: { version: '2.0' }, messages: [{ id: '1' }, { id: '2' }] });
    expect(text).toContain('12345678901234567890');
    expect(JSON.parse((await outputs.write([{ name: 'id' }], [], format)).text)).toMatchObject({ messages: [] });
    expect(JSON.parse((await outputs.write([{ name: 'id' }], [['1']], { kind: 'json', member: 'a"b' })).text)).toEqual({
      'a"b': [{ id: '1' }],
    });
  });

  it('XLSX keeps leading and trailing blanks with xml:space, without which Excel drops them', async () => {
    const texts = [' a', 'a ', '\na', 'a\n', '\ta', 'a\t', ' a<b', 'in\nner', 'a'];
    const rows = texts.map((text) => [text]);
    const { content } = await outputs.write([{ name: 'a' }], rows, { kind: 'xlsx', header: false });
    expect(readWorkbook(content)).toEqual(rows);
    const sheet = readZip(content).get('xl/worksheets/sheet1.xml')?.toString() ?? '';
    expect(sheet.match(/xml:space/g)).toHaveLength(texts.length - 2);
  });

  it('XLSX: only numeric columns have numbers, and none that Excel would round', async () => {
    const rows = [
      ['12.5', '12.5', '0071'],
      ['123456789012345678', '1', '7'],
      ['frei', '2', null],
    ];
    const some = [{ name: 'preis', number: true, price: true }, { name: 'text' }, { name: 'nr', number: true }];
    const typed = await outputs.write(some, rows, { kind: 'xlsx', typed: true });
    expect(readWorkbook(typed.content).slice(1)).toEqual([
      [12.5, '12.5', '0071'],
      ['123456789012345678', '1', 7],
      ['frei', '2', null],
    ]);
    const texts = await outputs.write(some, rows, { kind: 'xlsx', header: false });
    expect(readWorkbook(texts.content)).toEqual([
      ['12.5', '12.5', '0071'],
      ['123456789012345678', '1', '7'],
      ['frei', '2', null],
    ]);
  });

  it('an export without items is a valid file in every format', async () => {
    const empty = async (format: object) => outputs.write([{ name: 'a' }, { name: 'b' }], [], format);
    expect((await empty({ kind: 'csv' })).text).toBe('a;b\r\n');
    expect(JSON.parse((await empty({ kind: 'json' })).text)).toEqual([]);
    expect((await empty({ kind: 'jsonl' })).text).toBe('');
    for (const style of ['generic', 'google', 'atom']) readXml((await empty({ kind: 'xml', style })).text);
    expect(readWorkbook((await empty({ kind: 'xlsx' })).content)).toEqual([['a', 'b']]);
  });

  it('the same items in the same format give the same ETag and bytes, other items or formats another ETag', async () => {
    const one = (format: object, value = 'a') => outputs.write([{ name: 'a' }], [[value]], format);
    for (const format of [{}, { kind: 'xml', style: 'atom' }, { kind: 'xlsx' }, { kind: 'json' }]) {
      const [first, second] = [await one(format), await one(format)];
      expect(second.etag).toBe(first.etag);
      expect(second.content.equals(first.content)).toBe(true);
      expect((await one(format, 'b')).etag).not.toBe(first.etag);
      expect((await one({ ...format, stripHtml: true })).etag).not.toBe(first.etag);
    }
    expect((await one({ kind: 'xml' })).etag).not.toBe((await one({})).etag);
  });

  it('a workbook has the parts that Excel requires', async () => {
    const { content } = await outputs.write([{ name: 'a' }], [['1']], { kind: 'xlsx' });
    expect([...readZip(content).keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/worksheets/sheet1.xml',
    ]);
  });
});
