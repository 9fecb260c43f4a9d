import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOutputs, type OutputFixture } from './output-fixture.ts';
import { elementsNamed, readWorkbook, readXml, readZip } from './read-back.ts';

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());
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
