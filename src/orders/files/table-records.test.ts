import { describe, expect, it } from 'vitest';
import { readOrderFile } from './order-file.ts';
import { tableRows } from './table-records.ts';

const tableRecords = (text: string, unreadable: string) => tableRows(text, unreadable).map(({ record }) => record);

const report = (...titles: string[]) =>
  readOrderFile(
    new TextEncoder().encode(
      [
        'order-id\tpurchase-date\tsku\tproduct-name\tquantity-purchased\titem-price',
        ...titles.map((title, index) => `O${index + 1}\t2026-11-20T10:00:00+00:00\tA\t${title}\t1\t5.00`),
      ].join('\n'),
    ),
  ).orders.map(({ orderid, lines }) => [orderid, lines[0]?.title]);

describe('tables with tabs', () => {
  it('OIM-01 a quotation mark at the start of a title swallows no orders: reports with tabs do not quote', () => {
    expect(report('"Kanne rot', 'Tasse', 'Blech 5"', '"Kanne" rot', '"Topf" und "Deckel"', '"Topf"')).toEqual([
      ['O1', '"Kanne rot'],
      ['O2', 'Tasse'],
      ['O3', 'Blech 5"'],
      ['O4', '"Kanne" rot'],
      ['O5', '"Topf" und "Deckel"'],
      ['O6', '"Topf"'],
    ]);
  });

  it('what spreadsheets save with tabs is quoted where it has to be', () => {
    expect(report('"Rohr ""groß"", rund"', 'Tasse', '"Blech, 5"""')).toEqual([
      ['O1', 'Rohr "groß", rund'],
      ['O2', 'Tasse'],
      ['O3', 'Blech, 5"'],
    ]);
    // A program that quotes its titles quotes all cells, whatever they contain.
    expect(tableRecords('"a"\t"b"\n"1"\t5"\n"=""007"""\t="08"', '')).toEqual([
      ['a', 'b'],
      ['1', '5"'],
      ['007', '08'],
    ]);
  });

  it('a cell of several lines stays one', () => {
    expect(tableRecords('a\tb\r\n1\t"Weg 1\r\nHinterhaus"\r\n"x\ny"\t2\r\n', '')).toEqual([
      ['a', 'b'],
      ['1', 'Weg 1 Hinterhaus'],
      ['x y', '2'],
    ]);
  });
});

it('a first line that only tells Excel the delimiter is passed over, and believed', () => {
  const rows = [
    ['a', 'b'],
    ['1', '2,5'],
  ];
  expect(tableRecords('sep=;\na;b\n1;2,5', '')).toEqual(rows);
  expect(tableRecords('\uFEFF"sep=;"\r\na;b\r\n1;2,5\r\n', '')).toEqual(rows);
  expect(tableRecords('SEP=\t\na\tb\n1\t2,5', '')).toEqual(rows);
  expect(tableRecords('sep=;\na,x;b\n1;2,5', '')).toEqual([['a,x', 'b'], rows[1]]);
});

it('such a line that does not part the header is not believed', () => {
  expect(tableRecords('sep=;\na,b\n1,"2;5"', '')).toEqual([
    ['a', 'b'],
    ['1', '2;5'],
  ]);
  expect(tableRecords('sep=,\na;b\n1;2,5', '')).toEqual([
    ['a', 'b'],
    ['1', '2,5'],
  ]);
});

it('such a line is believed where nothing parts the first line of the table', () => {
  expect(tableRecords('sep=;\nListe\na;b\n1;2,5', '')).toEqual([['Liste'], ['a', 'b'], ['1', '2,5']]);
  expect(tableRecords('sep=;\na\n"1, 2"\n', '')).toEqual([['a'], ['1, 2']]);
});

it('a table of more lines or cells than are read in a second is refused before it is read', () => {
  for (const text of ['a\n'.repeat(60_000), 'a\r'.repeat(60_000), `a;b\n${';'.repeat(1_100_000)}`])
    expect(() => tableRecords(text, '')).toThrow('mehr als 50.000 Zeilen oder 1.000.000 Zellen');
  expect(tableRecords('a;b\n'.repeat(100), '')).toHaveLength(100);
});
