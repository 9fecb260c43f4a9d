import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement } from '#platform/duckdb/sql.ts';
import { ChannelField } from '#shared/channels/schema.ts';
import { addressesOf } from '#shared/items/image-addresses.ts';
import { addressList, firstAddress } from './image-addresses.ts';
import { openOutputs } from './testing/output-fixture.ts';
import { elementsNamed, readWorkbook, readXml } from './testing/read-back.ts';

let folder = '';
let duckdb: DuckDb;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-images-'));
  duckdb = await DuckDb.open({ folder });
});
afterAll(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const texts = async (value: string | null) => {
  const given = duck`(SELECT CAST(${value} AS VARCHAR) AS v)`;
  const body = duck`SELECT ${firstAddress(duck`v`)} AS one, to_json(${addressList(duck`v`)}) AS all FROM ${given}`;
  const [row] = await duckdb.all(statement(body));
  const all: unknown = typeof row?.['all'] === 'string' ? JSON.parse(row['all']) : null;
  return [row?.['one'], all];
};

const [one, two] = ['https://a.example/1.jpg', 'https://b.example/2.jpg?w=1,2'];

test.each(['\n', '\r\n', ',', ';', '|', ' ', '\t', ', ', '; ', ' | ', ' ; ', ' \n', ';;', ',\n\n'])(
  'CON-03 of several addresses separated by %j a single field gets the first, a list all',
  async (mark) => {
    for (const value of [
      `${one}${mark}${two}`,
      `${mark}${two}${mark}${one}${mark}`,
      `${one}${mark}//cdn.example/3.jpg`,
    ]) {
      const all = addressesOf(value);
      expect(await texts(value)).toEqual([all[0], all]);
    }
  },
);

test('CON-03 a JSON list of addresses is split too', async () => {
  for (const value of [JSON.stringify([one, two]), ` [ ${JSON.stringify(two).replaceAll('/', String.raw`\/`)} , "" ] `])
    expect(await texts(value)).toEqual([addressesOf(value)[0], addressesOf(value)]);
});

test('CON-03 addresses from a JSON list are written without line ends and control characters', async () => {
  const outputs = await openOutputs();
  const rows = [
    [String.raw`["${one}\n", " ${two} "]`],
    [String.raw`["${one}\u0001\u0000", "\u000b${two}\uffff"]`],
    [String.raw`["${one}\f"]`],
  ];
  const written = (format: object, field: object) =>
    outputs.write(
      [{ name: 'sku' }, { name: 'bilder', ...field }],
      rows.map(([cell = ''], at) => [`${at}`, cell]),
      format,
    );
  const expected = [[one, two], [one, two], [one]];
  try {
    for (const field of [{ field: image() }, { field: image({ most: 3 }), list: parted(true) }]) {
      const first = 'list' in field ? expected : expected.map(([address]) => [address]);
      const root = readXml((await written({ kind: 'xml' }, field)).text);
      expect(
        elementsNamed(root, 'product').map((item) => elementsNamed(item, 'bilder').map(({ text }) => text)),
      ).toEqual(first);
      const sheet = readWorkbook((await written({ kind: 'xlsx', header: false }, field)).content);
      expect(sheet.map(([, ...cells]) => cells.filter((cell) => cell !== null))).toEqual(first);
      const table = (await written({ kind: 'csv', lineEnd: '\n', delimiter: '|', header: false }, field)).text;
      expect(
        table
          .trim()
          .split('\n')
          .map((line) =>
            line
              .split('|')
              .slice(1)
              .filter((cell) => cell !== ''),
          ),
      ).toEqual(first);
      expect(
        (await outputs.cells([{ name: 'bilder', ...field }], rows, { kind: 'xml' })).map(([cell]) => cell),
      ).toEqual(first.map((addresses) => addresses.join(',')));
    }
  } finally {
    outputs.close();
  }
});

test('CON-03 a single address, and text that is not only addresses, are unchanged', async () => {
  for (const value of [
    '',
    one,
    two,
    'bild.jpg, bild2.jpg',
    'https://cdn.example/?url=https://a.example/1.jpg|x',
    'kein Bild',
    `kein Bild, ${one}`,
    `["${one}"`,
    `["${one}", {"a": 1}]`,
    '[]',
  ])
    expect(await texts(value)).toEqual([value, [value]]);
  expect(await texts(` ${one}; `)).toEqual([` ${one}; `, [one]]);
  expect(await texts(null)).toEqual([null, null]);
});

const image = (many?: object) =>
  ChannelField.parse({ name: 'bilder', title: 'Bilder', group: '', requirement: '', type: 'image', many });
const parted = (repeat: boolean) => ({ keys: null, separator: ',', repeat, size: 3, parted: 'text' as const });

test('CON-03 the pictures of one cell are written as each file format represents several values', async () => {
  const outputs = await openOutputs();
  const rows = [[`${one}|${two}`], [one], [null]];
  const column = (repeat: boolean) => ({
    name: 'bilder',
    list: parted(repeat),
    field: image({ most: 3, separator: ',', repeat }),
  });
  const written = async (repeat: boolean, format: object) => (await outputs.write([column(repeat)], rows, format)).text;
  try {
    const joined = `${one},${two.replace(',', '%2C')}`;
    expect(await written(false, { kind: 'csv', lineEnd: '\n' })).toContain(joined);
    expect(await outputs.cells([column(false)], rows, { kind: 'csv' })).toEqual([[joined], [one], [null]]);
    expect((await written(true, { kind: 'csv', delimiter: ';', lineEnd: '\n' })).split('\n')).toEqual([
      'bilder;bilder;bilder',
      `${one};${two};`,
      `${one};;`,
      ';;',
      '',
    ]);
    for (const repeat of [false, true]) {
      const lines = (await written(repeat, { kind: 'jsonl', typed: true })).trim().split('\n');
      expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
        { bilder: [one, two] },
        { bilder: [one] },
        { bilder: null },
      ]);
      const xml = await written(repeat, { kind: 'xml', style: 'google' });
      expect(xml.match(/<g:bilder>/g)).toHaveLength(3);
    }
    await outputs.write([column(true)], rows, { kind: 'xlsx' });
  } finally {
    outputs.close();
  }
});
