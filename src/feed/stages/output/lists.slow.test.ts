import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChannelField } from '#shared/channels/schema.ts';
import { openOutputs, type OutputFixture } from './testing/output-fixture.ts';
import { elementsNamed, readWorkbook, readXml } from './testing/read-back.ts';

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());

const shape = { keys: null, separator: ',', repeat: false, size: 3 };
const pairs = { ...shape, keys: ['Farbe', 'Größe <EU>'], size: 2 };
const columns = [{ name: 'id' }, { name: 'bilder', list: shape }, { name: 'merkmale', list: pairs }, { name: 'ende' }];
const rows = [
  ['1', ['a', null, 'b'], ['rot', '42'], 'x'],
  ['2', [null, null, 'c'], [null, '<43>'], 'x'],
  ['3', null, null, 'x'],
];
const repeated = [
  { name: 'id' },
  { name: 'bilder', list: { ...shape, repeat: true } },
  { name: 'merkmale', list: { ...pairs, repeat: true } },
];
const cut = rows.map((row) => row.slice(0, 3));
const csv = (text: string) => parse(text, { delimiter: ';', record_delimiter: '\r\n' });
const url = ChannelField.parse({ name: 'f', title: 'F', group: 'g', requirement: 'Optional', type: 'image' });

describe('lists', () => {
  it('CON-03: CSV and XLSX put them into one cell, pairs with their names', async () => {
    const expected = [
      ['id', 'bilder', 'merkmale', 'ende'],
      ['1', 'a,b', 'Farbe: rot,Größe <EU>: 42', 'x'],
      ['2', 'c', 'Größe <EU>: <43>', 'x'],
      ['3', '', '', 'x'],
    ];
    expect(csv((await outputs.write(columns, rows, { kind: 'csv' })).text)).toEqual(expected);
    const sheet = readWorkbook((await outputs.write(columns, rows, { kind: 'xlsx' })).content);
    expect(sheet.map((row) => row.map((cell) => cell ?? ''))).toEqual(expected);
    expect(await outputs.cells(columns, rows, { kind: 'csv' })).toEqual(
      expected.slice(1).map((row) => row.map((cell) => (cell === '' ? null : cell))),
    );
  });

  it('CON-03: a repeated column has one column per value, filled from the left', async () => {
    const expected = [
      ['id', 'bilder', 'bilder', 'bilder', 'merkmale', 'merkmale'],
      ['1', 'a', 'b', '', 'Farbe: rot', 'Größe <EU>: 42'],
      ['2', 'c', '', '', '', 'Größe <EU>: <43>'],
      ['3', '', '', '', '', ''],
    ];
    for (const quoting of ['needed', 'always'])
      expect(csv((await outputs.write(repeated, cut, { kind: 'csv', quoting })).text)).toEqual(expected);
    const sheet = readWorkbook((await outputs.write(repeated, cut, { kind: 'xlsx' })).content);
    expect(sheet.map((row) => row.map((cell) => cell ?? ''))).toEqual(expected);
  });

  it.each(['json', 'jsonl'] as const)(
    'an explanation shows a list in %s as the list that the file has',
    async (kind) => {
      const counts = { name: 'mengen', number: true, list: { ...shape, size: 2 } };
      const many = [...columns, counts];
      const numbered = rows.map((row, index) => [...row, index === 2 ? null : ['1,5', 'viele']]);
      const format = { kind, typed: true, decimal: 'point' };
      const { text } = await outputs.write(many, numbered, format);
      const items: unknown = JSON.parse(kind === 'json' ? text : `[${text.trim().split('\n').join(',')}]`);
      const found = await outputs.cells(many, numbered, format);
      const shown = found.map((cells) =>
        Object.fromEntries(
          cells.map((cell, index) => [
            many[index]?.name ?? '',
            cell !== null && [1, 2, 4].includes(index) ? JSON.parse(cell) : cell,
          ]),
        ),
      );
      expect(shown).toEqual(items);
      expect(found[0]).toEqual(['1', '["a","b"]', '{"Farbe":"rot","Größe <EU>":"42"}', 'x', '[1.5,"viele"]']);
    },
  );

  it('CON-03: XML repeats the element, with pairs as child elements', async () => {
    for (const [style, item, prefix] of [
      ['generic', 'product', ''],
      ['google', 'item', 'g:'],
      ['atom', 'entry', 'g:'],
    ] as const) {
      const root = readXml((await outputs.write(columns, rows, { kind: 'xml', style })).text);
      const found = elementsNamed(root, item).map((one) => [
        elementsNamed(one, `${prefix}bilder`).map(({ text }) => text),
        elementsNamed(one, `${prefix}merkmale`).map(({ children }) => children.map(({ name, text }) => [name, text])),
      ]);
      expect(found).toEqual([
        [
          ['a', 'b'],
          [
            [
              [`${prefix}Farbe`, 'rot'],
              [`${prefix}Größe__EU_`, '42'],
            ],
          ],
        ],
        [['c'], [[[`${prefix}Größe__EU_`, '<43>']]]],
        [[], []],
      ]);
    }
  });

  it('CON-03: JSON has arrays and objects; missing ones are null, or omitted in nested JSON', async () => {
    const objects = [
      { id: '1', bilder: ['a', 'b'], merkmale: { Farbe: 'rot', 'Größe <EU>': '42' }, ende: 'x' },
      { id: '2', bilder: ['c'], merkmale: { 'Größe <EU>': '<43>' }, ende: 'x' },
      { id: '3', bilder: null, merkmale: null, ende: 'x' },
    ];
    expect(JSON.parse((await outputs.write(columns, rows, { kind: 'json' })).text)).toEqual(objects);
    const nested = JSON.parse((await outputs.write(columns, rows, { kind: 'json', nested: true })).text) as object[];
    expect(nested).toEqual([objects[0], objects[1], { id: '3', ende: 'x' }]);
  });

  it('an entry that contains the separator is escaped: addresses are percent-encoded, texts quoted', async () => {
    const list = { ...shape, size: 4 };
    const values = [[['https://a.example/x,y', 'Rot, Blau', 'sagt "hallo"', '"ganz"']]];
    const one = async (more: object, column: object = {}) =>
      (await outputs.cells([{ name: 'f', list: { ...list, ...more }, ...column }], [...values], {}))[0]?.[0];
    expect(await one({})).toBe('https://a.example/x%2Cy,"Rot, Blau",sagt "hallo","""ganz"""');
    expect(await one({ separator: '; ' })).toBe('https://a.example/x,y; Rot, Blau; sagt "hallo"; """ganz"""');
    expect(await one({ separator: '' })).toBe('https://a.example/x,yRot, Blausagt "hallo""ganz"');
    expect(await one({}, { field: url })).toBe('https://a.example/x%2Cy,Rot%2C Blau,sagt "hallo","ganz"');
    const file = await outputs.write([{ name: 'f', list }], values, { kind: 'csv' });
    // The cell's entries, parsed as CSV.
    const [cell = ''] = csv(file.text)[1] ?? [];
    expect(parse(cell, { relax_quotes: true })).toEqual([
      ['https://a.example/x%2Cy', 'Rot, Blau', 'sagt "hallo"', '"ganz"'],
    ]);
  });

  it('entries are converted one by one: prices, channel values, plain text, forbidden characters', async () => {
    const choice = ChannelField.parse({ ...url, type: 'choice', values: [{ value: 'red', aliases: ['rot'] }] });
    const list = { ...shape, size: 2 };
    const some = [
      { name: 'preis', list, number: true, price: true },
      { name: 'farbe', list, field: choice },
      { name: 'text', list },
    ];
    const values = [
      [
        ['1,5', '2'],
        ['ROT', 'grün'],
        ['<b>x</b>', '\u0001'],
      ],
    ];
    const format = { price: 'currency', stripHtml: true };
    const expected = [{ preis: ['1.50 EUR', '2.00 EUR'], farbe: ['red', 'grün'], text: ['x', '\u0001'] }];
    expect(JSON.parse((await outputs.write(some, values, { ...format, kind: 'json' })).text)).toEqual(expected);
    expect(csv((await outputs.write(some, values, { ...format, kind: 'csv' })).text)[1]).toEqual([
      '1.50 EUR,2.00 EUR',
      'red,grün',
      'x',
    ]);
    const root = readXml((await outputs.write(some, values, { ...format, kind: 'xml' })).text);
    expect(elementsNamed(root, 'text').map(({ text }) => text)).toEqual(['x']);
  });

  it('typed JSON has numbers inside arrays', async () => {
    const number = ChannelField.parse({ ...url, type: 'number' });
    const some = [{ name: 'n', list: { ...shape, size: 2 }, number: true, field: number }];
    const { text } = await outputs.write(some, [[['1,5', 'zwei']]], { kind: 'json', typed: true });
    expect(JSON.parse(text)).toEqual([{ n: [1.5, 'zwei'] }]);
  });

  it('an item with markup or forbidden characters only in its list is still well-formed XML', async () => {
    const some = [{ name: 'id' }, { name: 'f', list: shape }];
    const { text } = await outputs.write(
      some,
      [
        ['1', [']]>', 'a\rb', 'x\u0001']],
        ['2', ['<b>', '&', null]],
      ],
      { kind: 'xml' },
    );
    expect(elementsNamed(readXml(text), 'f').map((one) => one.text)).toEqual([']]>', 'a\rb', 'x', '<b>', '&']);
  });

  it("CON-03: a structured value becomes an element per part in Google's XML, in lists too, and one text elsewhere", async () => {
    const parts = ['country', 'region', 'service', 'price'];
    const field = ChannelField.parse({ name: 'shipping', title: 'S', group: 'g', requirement: 'Optional', parts });
    const shipped = [
      { name: 'id' },
      { name: 'shipping', field },
      { name: 'product_detail', field: { ...field, parts: ['a', 'b'] }, list: { ...shape, repeat: true } },
    ];
    const items = [
      ['1', 'DE::Standard <A&B>:4.95 EUR', ['x:1:2', 'nur Text', null]],
      ['2', '4.95 EUR', null],
    ];
    for (const style of ['google', 'atom']) {
      const { text } = await outputs.write(shipped, items, { kind: 'xml', style });
      readXml(text);
      expect(text).toContain(
        '<g:shipping><g:country>DE</g:country><g:service><![CDATA[Standard <A&B>]]></g:service><g:price>4.95 EUR</g:price></g:shipping>',
      );
      expect(text).toContain(
        '<g:product_detail><g:a>x</g:a><g:b>1:2</g:b></g:product_detail><g:product_detail>nur Text</g:product_detail>',
      );
      expect(text).toContain('<g:shipping>4.95 EUR</g:shipping>');
    }
    expect((await outputs.write(shipped, items, { kind: 'csv' })).text).toContain('DE::Standard <A&B>:4.95 EUR');
  });
});
