import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const rows = Array.from({ length: 12 }, (_, index) => [
  `A-${index}`,
  `Topf, groß, ${index % 3 === 0 ? 'rot, matt' : 'blau'}`,
  `${index},90`,
  '',
]);
const header = ['sku', 'name', 'preis', 'marke'];

async function read(text: string) {
  const found = await importContent(text, { options: { key: null } });
  if (!found.result.ok) throw new Error(found.result.message);
  const { fields, format, warnings } = found.result;
  return {
    rows: found.rows,
    names: fields.map(({ header }) => header),
    format,
    codes: warnings.map(({ code }) => code),
  };
}

describe('rare delimiters', () => {
  test.each(['¦', '§', '#', '||', '|;|', ';|;', '|~|', '\u0001'])(
    '%j is detected as the delimiter of a table with commas in its texts',
    async (delimiter) => {
      const text = [header, ...rows].map((cells) => `${cells.join(delimiter)}\n`).join('');
      const found = await read(text);
      expect(found.names).toEqual(header);
      expect(found.rows).toEqual(rows);
      expect([found.format.delimiter, found.codes]).toEqual([delimiter, []]);
    },
  );

  test('¦ is detected with | and , in the texts and a header that ends with one more ¦', async () => {
    const text = [[...header, ''], ...rows.map(([sku, name, preis]) => [sku, name, preis, 'a|b|c|d'])];
    const found = await read(text.map((cells) => `${cells.join('¦')}\n`).join(''));
    expect(found.names).toEqual([...header, '']);
    expect(found.rows[3]).toEqual(['A-3', 'Topf, groß, rot, matt', '3,90', 'a|b|c|d', '']);
  });

  test.each(['¦', '#', '||', '|;|'])(
    '%s is detected below title lines, and as the delimiter named by a sep= line',
    async (delimiter) => {
      const table = [header, ...rows].map((cells) => `${cells.join(delimiter)}\n`).join('');
      const wide = [['Firma', 'Muster GmbH', '', ''], ['', '', '', ''], header, ...rows];
      for (const text of [
        `Artikelliste\n\n${table}`,
        `Artikelliste\nStand heute\n${table}`,
        wide.map((cells) => `${cells.join(delimiter)}\n`).join(''),
        `sep=${delimiter}\n${table}`,
      ]) {
        const found = await read(text);
        expect([found.names, found.rows]).toEqual([header, rows]);
      }
    },
  );

  test('|| is detected with a nameless last column', async () => {
    const text = [header, ...rows].map((cells) => `${cells.join('||')}||\n`).join('');
    expect((await read(text)).names).toEqual([...header, '']);
  });

  test('|| is detected with | in some texts and with quoted cells', async () => {
    const odd = rows.map(([sku = '', ...cells], index) => [sku, index === 4 ? 'a | b' : 'x || y', ...cells]);
    const quoted = (cell: string) => (cell.includes('||') ? `"${cell}"` : cell);
    const text = [[...header, 'maß'], ...odd].map((cells) => `${cells.map(quoted).join('||')}\n`).join('');
    expect((await read(text)).rows).toEqual(odd);
  });

  test('columns without names between others stay where one of them holds something', async () => {
    const text = ['sku;;name;;preis', 'A1;;Topf;;9', 'A2;x;Tasse;;8', 'A3;;Teller;;7'].join('\n');
    const { names, rows: found } = await read(text);
    expect(names).toEqual(['sku', '', 'name', '', 'preis']);
    expect(found[1]).toEqual(['A2', 'x', 'Tasse', '', '8']);
  });

  test.each([';', ',', '\t'])(
    'empty columns between others stay where a row far below fills one: %j',
    async (delimiter) => {
      const many = Array.from({ length: 1200 }, (_, index) => [`A${index}`, '', 'Tasse', '', '9.90']);
      const table = [['sku', '', 'name', '', 'preis'], ...many, ['B1', 'Notiz', 'Tasse', '', '9.90']];
      const { names, rows: found, format } = await read(table.map((cells) => `${cells.join(delimiter)}\n`).join(''));
      expect([format.delimiter, names]).toEqual([delimiter, ['sku', '', 'name', '', 'preis']]);
      expect(found.at(-1)).toEqual(['B1', 'Notiz', 'Tasse', '', '9.90']);
    },
  );

  test.each([
    'Artikel #\n#1001\n#1002\n#1003\n',
    'sku;farbe\n1;#ff0000 #00ff00\n2;#0000ff #000000\n',
    'Absatz\n§ 1\n§ 2\n§ 3\n',
    'Farben\nrot#blau#weiß\ngelb#grün#rosa\nrot#grau#gelb\nblau#lila#rot\n',
    'Schlagworte\n#rot#blau\n#gelb#grün\n#rosa#lila\n',
  ])('# and § in texts are not delimiters: %j', async (text) => {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => line.split(';'));
    const { names, rows: found } = await read(text);
    expect([names, ...found]).toEqual(lines);
  });
});

describe('cells quoted with apostrophes', () => {
  test.each(['|', ';'])('are recognised if only the cells that need quotes have them: %s', async (delimiter) => {
    const text = [
      ['sku', 'text', 'preis'],
      ['1', `'Zeile 1\nZeile 2'`, '2'],
      ['2', 'b', '3'],
      ['3', 'c', '4'],
    ];
    const found = await read(text.map((cells) => `${cells.join(delimiter)}\n`).join(''));
    expect(found.rows).toEqual([
      ['1', 'Zeile 1\nZeile 2', '2'],
      ['2', 'b', '3'],
      ['3', 'c', '4'],
    ]);
    expect(found.format.quote).toBe("'");
  });

  test('are recognised with doubled apostrophes, and with nearly a whole page of text in each', async () => {
    const doubled = await read("sku;text;preis\n1;'Men''s shirt';2\n2;'Women''s';3\n3;c;4\n");
    expect(doubled.rows.map(([, text]) => text)).toEqual(["Men's shirt", "Women's", 'c']);
    const page = "<p>Men''s\n a; b, c, d, e\n\n<b>x</b></p>";
    const pages = await read(`sku,text,preis\n1,'${page}',2\n2,'${page}',3\n3,'${page}',4\n`);
    expect(pages.rows).toEqual(['1', '2', '3'].map((sku, index) => [sku, page.replace("''", "'"), `${index + 2}`]));
  });

  test('do not swallow the rows between a cell that begins and another that ends with an apostrophe', async () => {
    const text = "sku;name;preis\n1;'n Topf;2\n2;kurz\n3;Kids';4\n4;d;5\n";
    expect((await read(text)).rows.map(([sku]) => sku)).toEqual(['1', '2', '3', '4']);
  });
});
