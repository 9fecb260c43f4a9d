import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChannelField } from '#shared/channels/schema.ts';
import { statement } from '#platform/duckdb/sql.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { cellText, type OutputColumn } from './cells.ts';
import { openOutputs, type OutputFixture, type Value } from './testing/output-fixture.ts';

let outputs: OutputFixture;
beforeAll(async () => {
  outputs = await openOutputs();
});
afterAll(() => outputs.close());

const field = (more: object) =>
  ChannelField.parse({ name: 'f', title: 'F', group: 'g', requirement: 'Optional', ...more });
/** The values of one column as written to the file. */
const serialized = async (values: readonly Value[], format: object, column: Partial<OutputColumn>) =>
  (
    await outputs.cells(
      [{ name: 'f', ...column }],
      values.map((value) => [value]),
      format,
    )
  ).map(([cell]) => cell);

const price = { number: true, price: true };

describe('decimal marks', () => {
  // value, with comma, with point
  const table: [string, string, string][] = [
    ['0,00', '0,00', '0.00'],
    ['12,00', '12,00', '12.00'],
    ['12.0', '12,00', '12.00'],
    ['12,5', '12,50', '12.50'],
    ['0,125', '0,125', '0.125'],
    ['0,1250', '0,125', '0.125'],
    ['1.299,90', '1299,90', '1299.90'],
    ['1,299.90', '1299,90', '1299.90'],
    ['1.234.567', '1234567', '1234567'],
    [',5', '0,50', '0.50'],
    ['5,', '5', '5'],
    ['-0,5', '-0,50', '-0.50'],
    ['007,5', '7,50', '7.50'],
    ['7', '7', '7'],
    ['0071', '0071', '0071'],
    ['4006381333931', '4006381333931', '4006381333931'],
    ['ca. 5', 'ca. 5', 'ca. 5'],
    ['12.05.2024', '12.05.2024', '12.05.2024'],
  ];

  it('numbers with decimals get the chosen mark and at least two decimals; whole numbers never change', async () => {
    const values = table.map(([value]) => value);
    expect(await serialized(values, { decimal: 'comma' }, { number: true })).toEqual(table.map(([, comma]) => comma));
    expect(await serialized(values, { decimal: 'point' }, { number: true })).toEqual(table.map(([, , point]) => point));
    expect(await serialized(values, { decimal: 'keep' }, { number: true })).toEqual(values);
    expect(await serialized(values, { decimal: 'comma' }, {})).toEqual(values);
  });

  it('CON-03: measures get the chosen mark too, unless they are no single number with a unit', async () => {
    const measure = ChannelField.parse({ name: 'f', title: 'F', group: 'g', requirement: '', type: 'measure' });
    const values = [
      '1,5 kg',
      '1.5 kg',
      '-0,25m',
      '2 kg',
      '8,5 fl. oz.',
      '1.234,5 g',
      '10,5 x 20,5 cm',
      '750 ml, 1,5 l',
      '1,5',
      'ca. 1,5 kg',
    ];
    const point = ['1.5 kg', '1.5 kg', '-0.25m', '2 kg', '8.5 fl. oz.', ...values.slice(5)];
    const comma = ['1,5 kg', '1,5 kg', ...values.slice(2)];
    expect(await serialized(values, { decimal: 'point' }, { field: measure })).toEqual(point);
    expect(await serialized(values, { decimal: 'comma' }, { field: measure })).toEqual(comma);
    expect(await serialized(values, { decimal: 'keep' }, { field: measure })).toEqual(values);
  });
});

describe("a channel's own values", () => {
  const values = [
    { value: 'in_stock', aliases: ['auf Lager', 'sofort lieferbar', 'JA', '1'] },
    { value: 'out_of_stock', aliases: ['ausverkauft', 'Größe vergriffen', '0'] },
  ];

  it("CON-03: an alias is replaced by the channel's value, ignoring case and surrounding blanks", async () => {
    const columns = [
      'auf Lager',
      ' AUF LAGER\t',
      'In_Stock',
      'ja',
      '1',
      'GRÖSSE VERGRIFFEN',
      'größe VERGRIFFEN',
      'sonst',
      null,
    ];
    const known = field({ type: 'choice', values });
    expect(await serialized(columns, {}, { field: known })).toEqual([
      'in_stock',
      'in_stock',
      'in_stock',
      'in_stock',
      'in_stock',
      'GRÖSSE VERGRIFFEN',
      'out_of_stock',
      'sonst',
      null,
    ]);
    expect(await serialized(['auf Lager'], {}, { field: field({ type: 'text', values }) })).toEqual(['auf Lager']);
  });

  it('a value is found among hundreds, and of two values with the same alias the first is used', async () => {
    const many = Array.from({ length: 700 }, (_, index) => ({
      value: `Wert ${index}`,
      aliases: ['gleich', `W${index}`],
    }));
    expect(
      await serialized(['w699', 'GLEICH', 'wert 300'], {}, { field: field({ type: 'choice', values: many }) }),
    ).toEqual(['Wert 699', 'Wert 0', 'Wert 300']);
  });

  it('yes and no become true and false in typed JSON only', async () => {
    const file = await outputs.write(
      [{ name: 'a', field: field({ type: 'boolean' }) }],
      [['Ja'], ['nein'], ['true'], ['vielleicht'], [null]],
      {
        kind: 'json',
        typed: true,
      },
    );
    expect(JSON.parse(file.text)).toEqual([{ a: true }, { a: false }, { a: true }, { a: 'vielleicht' }, { a: null }]);
    expect(await serialized(['Ja'], { kind: 'csv', typed: true }, { field: field({ type: 'boolean' }) })).toEqual([
      'Ja',
    ]);
  });
});

describe('HTML', () => {
  const table: [string, string | null][] = [
    ['ohne Markup,\n zwei  Zeilen', 'ohne Markup,\n zwei  Zeilen'],
    ['<p>Ein <b>fetter</b>\n   Text</p><p>Zwei</p>', 'Ein fetter Text\nZwei'],
    ['<ul><li>Eins</li><li>Zwei</li></ul>Ende', 'Eins\nZwei\nEnde'],
    ['Zeile<br>Zeile<br/>Zeile<BR />Ende', 'Zeile\nZeile\nZeile\nEnde'],
    ['Sch&ouml;n &amp; gut &#228;&#xE4; &euro;&nbsp;5', 'Schön & gut ää € 5'],
    [
      '&amp;lt;b&amp;gt; &unbekannt; &; & &#0; &#xD800; &#1114112;',
      '&lt;b&gt; &unbekannt; &; & &#0; &#xD800; &#1114112;',
    ],
    ['<script>alert("</p>")</script>A<style>p{}</style>B<!-- <b> -->C', 'ABC'],
    ['A<script>alert(1)', 'A'],
    ['Größe <5 mm und > 3 mm, a<b', 'Größe <5 mm und > 3 mm, a<b'],
    ['<img alt="a > b" src=x>Text', 'Text'],
    ['<p title="abc>Text</p>', 'Text'],
    ['Text <a href="https://x', 'Text'],
    ['<div><p></p></div>', null],
    ['<pre>a</pre><span>b</span>c', 'a\nbc'],
    ['<table><tr><td>Länge</td><td>5</td></tr></table>', 'Länge\n5'],
    ['&lt;b&gt;', '<b>'],
    ['<![CDATA[<p>Schöne Hose</p><p>aus Wolle</p>]]>', 'Schöne Hose\naus Wolle'],
    ['<![CDATA[Sch&ouml;ne <b>Hose</b>]]> Rest', 'Schöne Hose Rest'],
    ['<![CDATA[]]>', null],
    ['5 &#150; 9 &#128; &#129;&hearts; &Zcaron;', '5 – 9 € &#129;♥ Ž'],
    ['<b>&#128512;</b>', '😀'],
    ['a\u0001<b>b</b>', 'ab'],
  ];

  it('is removed if the channel wants none: tags, entities, scripts; block elements end lines', async () => {
    const values = table.map(([value]) => value);
    expect(await serialized(values, { stripHtml: true }, {})).toEqual(table.map(([, plain]) => plain));
    expect(await serialized(values.slice(0, -1), { stripHtml: true }, { field: field({ type: 'html' }) })).toEqual(
      values.slice(0, -1),
    );
    expect(await serialized(values.slice(0, -1), {}, {})).toEqual(values.slice(0, -1));
  });
});

describe('numbers in typed files', () => {
  it('numeric fields of the template are JSON numbers, prices as the format says, anything else text', async () => {
    const columns = [
      { name: 'n', field: field({ type: 'number' }), number: true },
      { name: 'i', field: field({ type: 'integer' }) },
      { name: 'p', field: field({ type: 'price' }), ...price },
      { name: 't', field: field({ type: 'gtin' }) },
    ];
    const rows = [
      ['1.234,5', '0012', '25,5', '4006381333931'],
      ['zwölf', '1e5', 'frei', '1'],
      ['123456789012345678', '+7', '1', null],
    ];
    const read = async (format: object) =>
      JSON.parse(
        (await outputs.write(columns, rows, { kind: 'json', typed: true, decimal: 'comma', ...format })).text,
      ) as unknown;
    expect(await read({})).toEqual([
      { n: 1234.5, i: 12, p: 25.5, t: '4006381333931' },
      { n: 'zwölf', i: '1e5', p: 'frei', t: '1' },
      { n: '123456789012345678', i: 7, p: 1, t: null },
    ]);
    expect(await read({ price: 'cents' })).toMatchObject([{ p: 2550 }, { p: 'frei' }, { p: 100 }]);
    expect(await read({ price: 'currency' })).toMatchObject([{ p: '25.50 EUR' }, { p: 'frei' }, { p: '1.00 EUR' }]);
  });
});

it('typed JSON contains no number that its reader would round', async () => {
  const numbers = [
    '9007199254740993',
    '-9007199254740993',
    '999999999999999',
    '123456789012345.67',
    '0.12345678901234',
  ];
  const rows = numbers.map((number) => [number]);
  const { text } = await outputs.write([{ name: 'n', number: true }], rows, { kind: 'json', typed: true });
  const expected = [
    '9007199254740993',
    '-9007199254740993',
    999_999_999_999_999,
    '123456789012345.67',
    0.12345678901234,
  ];
  expect(JSON.parse(text)).toEqual(expected.map((n) => ({ n })));
});

it.each(['price', 'choice', 'text', 'number'])(
  'CON-03 the SQL that formats a column of type %s is bounded in length, for lists too',
  (type) => {
    const values = type === 'choice' ? [{ value: 'neu', aliases: ['new'] }] : [];
    const column = { name: 'f', column: 'x0', ...price, field: field({ type, values }) };
    const list = { keys: null, separator: ',', repeat: false, size: 2 };
    for (const kind of ['csv', 'xml', 'jsonl', 'xlsx']) {
      const format = OutputFormat.parse({ kind, stripHtml: true, price: 'plain', decimal: 'comma', typed: true });
      expect(statement(cellText(column, format)).sql.length).toBeLessThan(14_000);
      expect(statement(cellText({ ...column, list }, format)).sql.length).toBeLessThan(16_000);
    }
  },
);
