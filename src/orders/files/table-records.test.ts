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

describe('tab-separated tables', () => {
  it('OIM-01 a quotation mark at the start of a title swallows no orders, since tab-separated reports do not quote', () => {
    expect(report('"Kanne rot', 'Tasse', 'Blech 5"', '"Kanne" rot', '"Topf" und "Deckel"', '"Topf"')).toEqual([
      ['O1', '"Kanne rot'],
      ['O2', 'Tasse'],
      ['O3', 'Blech 5"'],
      ['O4', '"Kanne" rot'],
      ['O5', '"Topf" und "Deckel"'],
      ['O6', '"Topf"'],
    ]);
  });

  it('tab-separated files saved by spreadsheets are unquoted where needed', () => {
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

  it('a cell with several lines remains one cell', () => {
    expect(tableRecords('a\tb\r\n1\t"Weg 1\r\nHinterhaus"\r\n"x\ny"\t2\r\n', '')).toEqual([
      ['a', 'b'],
      ['1', 'Weg 1 Hinterhaus'],
      ['x y', '2'],
    ]);
  });
});

it('a first line sep= is skipped and obeyed', () => {
  const rows = [
    ['a', 'b'],
    ['1', '2,5'],
  ];
  expect(tableRecords('sep=;\na;b\n1;2,5', '')).toEqual(rows);
  expect(tableRecords('\uFEFF"sep=;"\r\na;b\r\n1;2,5\r\n', '')).toEqual(rows);
  expect(tableRecords('SEP=\t\na\tb\n1\t2,5', '')).toEqual(rows);
  expect(tableRecords('sep=;\na,x;b\n1;2,5', '')).toEqual([['a,x', 'b'], rows[1]]);
});

it('a sep= line that does not match the header is ignored', () => {
  expect(tableRecords('sep=;\na,b\n1,"2;5"', '')).toEqual([
    ['a', 'b'],
    ['1', '2;5'],
  ]);
  expect(tableRecords('sep=,\na;b\n1;2,5', '')).toEqual([
    ['a', 'b'],
    ['1', '2,5'],
  ]);
});

it('a sep= line is obeyed if the first line of the table contains no delimiter', () => {
  expect(tableRecords('sep=;\nListe\na;b\n1;2,5', '')).toEqual([['Liste'], ['a', 'b'], ['1', '2,5']]);
  expect(tableRecords('sep=;\na\n"1, 2"\n', '')).toEqual([['a'], ['1, 2']]);
});

it('a table with too many lines or cells is refused before it is parsed', () => {
  for (const text of ['a\n'.repeat(60_000), 'a\r'.repeat(60_000), `a;b\n${';'.repeat(1_100_000)}`])
    expect(() => tableRecords(text, '')).toThrow('mehr als 50.000 Zeilen oder 1.000.000 Zellen');
  expect(tableRecords('a;b\n'.repeat(100), '')).toHaveLength(100);
});

it('a row that is far too long for an order is refused by its line, and not read for seconds', () => {
  for (const text of ['\0'.repeat(150_000), `a;b\n1;"2\n${'3;4\n'.repeat(30_000)}`, `a\tb\n${'x'.repeat(150_000)}`])
    expect(() => tableRecords(text, 'Nicht lesbar.')).toThrow(
      /^Nicht lesbar\. Bis Zeile \d+ reicht eine Tabellenzeile mit mehr als 100\.000 Zeichen/,
    );
  expect(tableRecords(`a;b\n1;${'2'.repeat(90_000)}`, '')).toHaveLength(2);
  expect(tableRecords(' '.repeat(150_000), '')).toEqual([]);
});

describe('titles above the header', () => {
  it('OIM-01 a title without the delimiter of the table, or without any, does not hide the header', () => {
    const table = ['Bestellnummer;Bestelldatum;Artikelnummer;Menge', 'B-1;20.11.2026;A-1;1'];
    for (const titles of [
      ['Bestellungen des Ladens'],
      ['Export vom 20.11.2026, 10 Uhr', ''],
      ['Laden', 'Seite 1, 2'],
    ]) {
      const { orders } = readOrderFile(new TextEncoder().encode([...titles, ...table].join('\r\n')));
      expect(orders.map(({ orderid }) => orderid)).toEqual(['B-1']);
    }
    expect(tableRecords('Bestellnummer;Sendungsnummer\nB-1;12, 34, 56', '')[1]).toEqual(['B-1', '12, 34, 56']);
  });
});

it('OIM-01 delimiters and line ends in a quoted cell do not decide the delimiter', () => {
  const row = 'B-1;20.11.2026;A1;1';
  for (const rows of [
    ['Notiz;Bestellnummer;Bestelldatum;Artikelnummer;Menge', `"Bitte, danke\nAuf bald, oder, nie";${row}`],
    ['Bestellnummer;Bestelldatum;Artikelnummer;Menge;"Notiz\n(frei, kurz)"', `${row};`],
    ['"Export, vom 20.11.2026, 10 Uhr"', 'Bestellnummer;Bestelldatum;Artikelnummer;Menge', row],
  ]) {
    const { orders } = readOrderFile(new TextEncoder().encode(rows.join('\n')));
    expect(orders.map(({ orderid, lines }) => [orderid, lines[0]?.ordered])).toEqual([['B-1', 1]]);
  }
});

describe('quoted tables', () => {
  const ordersOf = (...rows: string[]) => readOrderFile(new TextEncoder().encode(rows.join('\n')));
  const linesOf = (...rows: string[]) =>
    ordersOf(...rows).orders.map(({ orderid, lines: [line] }) => [orderid, line?.sku, line?.title, line?.ordered]);

  it('OIM-01 an inch mark that a program did not double belongs to its cell; a quote that never ends is refused by its line', () => {
    const read = linesOf(
      '"Bestellnummer","Bestelldatum","Artikelname","Artikelnummer","Menge"',
      '"B-1","20.11.2026","TV 55" LED","A","1"',
      '"B-2","20.11.2026","zwei\nZeilen, ""gut""" ,"A","2"',
      '"B-3","20.11.2026","TV 42", LED","12345","7"',
      '"B-4","20.11.2026","""gut""","A","1"',
      '"B-5","20.11.2026","","A","1"',
    );
    expect(read).toEqual([
      ['B-1', 'A', 'TV 55" LED', 1],
      ['B-2', 'A', 'zwei\nZeilen, "gut"', 2],
      ['B-3', '12345', 'TV 42", LED', 7],
      ['B-4', 'A', '"gut"', 1],
      ['B-5', 'A', '', 1],
    ]);
    expect(() => tableRecords('a,b\n1,"x\n', 'Nicht lesbar.')).toThrow(/^Nicht lesbar\. In Zeile 2 fehlt/);
  });

  it('OIM-01 a mark with which cells or rows could move refuses the file, so that no order is lost or changed', () => {
    const head = '"Bestellnummer","Bestelldatum","Artikelnummer","Artikelname","Menge","Preis"';
    for (const rows of [
      [
        head.replaceAll(',', ';').replaceAll('"', ''),
        'B-1;20.11.2026;A1;"LED;1;9',
        'B-2;20.11.2026;A2;TV 24" flach;2;5',
      ],
      [head, '"B-1","20.11.2026","A1","LED","1","9', '"B-2","20.11.2026","A2","TV 24" flach","2","5"'],
      [head, '"B-1","20.11.2026","A1","TV 55"","1","9","5"', '"B-2","20.11.2026","A2","TV 24" flach","2","5"'],
      [head, '"B-3","20.11.2026","TV 42", LED","12345","7","1"', '"Summe","1"'],
    ])
      expect(() => ordersOf(...rows), rows[1]).toThrow(
        / In Zeile \d fehlt ein Anführungszeichen oder steht an falscher/,
      );
  });

  it('a table whose header alone is quoted keeps its inch marks and its rows', () => {
    expect(tableRecords('"a","b"\n1,24"\n2,5" x\n3,"7"', '')).toEqual([
      ['a', 'b'],
      ['1', '24"'],
      ['2', '5" x'],
      ['3', '7'],
    ]);
    expect(tableRecords('"a","b"\n"1","x"\n2,5"\n"3","7"', '')).toEqual([
      ['a', 'b'],
      ['1', 'x'],
      ['2', '5"'],
      ['3', '7'],
    ]);
  });
});
