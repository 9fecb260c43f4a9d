import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

function accepted(imported: Awaited<ReturnType<typeof importContent>>) {
  if (!imported.result.ok) throw new Error(imported.result.message);
  return { ...imported, result: imported.result };
}

const article = 'Artikelnummer;Bezeichnung;Preis\n';

describe('CSV dialects', () => {
  test.each([
    [',', 'a,b'],
    [';', 'a;b'],
    ['\t', 'a\tb'],
    ['|', 'a|b'],
    ['^', 'a^b'],
  ])('detects the delimiter %j and keeps the other delimiters as text', async (delimiter, text) => {
    const rows = [
      ['sku', 'titel', 'text'],
      ...Array.from({ length: 9 }, (_, index) => [`A-${index}`, 'x y', `"${text}"`]),
    ];
    const { result, rows: read } = accepted(await importContent(rows.map((row) => row.join(delimiter)).join('\r\n')));
    expect(result.format).toMatchObject({ delimiter, lineEnd: 'crlf', header: true });
    expect(read).toHaveLength(9);
    expect(read[0]).toEqual(['A-0', 'x y', text]);
  });

  test.each(['^', '~'])('detects the delimiter %j although texts contain commas and semicolons', async (delimiter) => {
    const lines = ['sku^name^preis^lager', 'A1^Brett, lang^9,90^5', 'A2^Leiste; kurz^4,50^7'];
    const { result, rows } = accepted(await importContent(lines.join('\n').replaceAll('^', delimiter)));
    expect(result.fields.map(({ name }) => name)).toEqual(['sku', 'name', 'preis', 'lager']);
    expect(rows).toEqual([
      ['A1', 'Brett, lang', '9,90', '5'],
      ['A2', 'Leiste; kurz', '4,50', '7'],
    ]);
  });

  test('reads doubled quotes, line breaks and delimiters inside quotes, and keeps outer blanks', async () => {
    const { rows } = accepted(await importContent(`${article}1;"Regenjacke ""Sylt""; blau\nXL"; 9,99 \n2;Zwei;1\n`));
    expect(rows[0]).toEqual(['1', 'Regenjacke "Sylt"; blau\nXL', ' 9,99 ']);
  });

  test('keeps each of several escaped quotes in a row, as JSON in a cell has them', async () => {
    const cells = [['["31.5\\"x83\\""]'], ['a""b'], ['"'], ['""'], ['c\\\\d']].map(([cell = ''], index) => [
      `${index}`,
      cell,
      'x',
    ]);
    const escaped = (cell: string) => `"${cell.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const text = [['sku', 'text', 'rest'], ...cells].map((row) => `${row.map(escaped).join(',')}\n`).join('');
    expect(accepted(await importContent(text)).rows).toEqual(cells);
  });

  test('reads single quotes and backslash escapes when the file uses them', async () => {
    const single = accepted(await importContent("sku|name|x\n'1'|'a|b'|'c'\n'2'|'it''s'|'d'\n'3'|'e'|'f'\n"));
    expect(single.rows).toEqual([
      ['1', 'a|b', 'c'],
      ['2', "it's", 'd'],
      ['3', 'e', 'f'],
    ]);
    const backslash = accepted(await importContent('sku,name,x\n1,"15\\", Tasche",a\n2,"C:\\\\Daten",b\n3,"z",c\n'));
    expect(backslash.rows).toEqual([
      ['1', '15", Tasche', 'a'],
      ['2', 'C:\\Daten', 'b'],
      ['3', 'z', 'c'],
    ]);
  });

  test('skips a sep= line, title lines and the chosen number of lines', async () => {
    const hint = accepted(await importContent(`sep=;\r\nsku;name\r\n1;a,b\r\n`));
    expect(hint.rows).toEqual([['1', 'a,b']]);
    const titles = accepted(
      await importContent(`Preisliste 2026\n\nStand: Januar\nsku;name;preis\n1;a;2\n2;b;3\n3;c;4\n`),
    );
    expect(titles.result.fields.map((field) => field.name)).toEqual(['sku', 'name', 'preis']);
    expect(titles.result.format.preamble).toBe(3);
    const chosen = accepted(await importContent(`x;y;z\nsku;name;preis\n1;a;2\n`, { options: { skipLines: 1 } }));
    expect(chosen.rows).toEqual([['1', 'a', '2']]);
  });

  test('treats a first record that looks like data as data, unless the option says otherwise', async () => {
    const text = '4711;Kanne;29,90;4006381333931\n0815;Besen;12,50;4012345678901\n007;Jacke;99,00;4056789012340\n';
    expect(accepted(await importContent(text)).result).toMatchObject({ rowsIn: 3, format: { header: false } });
    expect(accepted(await importContent(text, { options: { header: true } })).result.rowsIn).toBe(2);
    expect(accepted(await importContent('a;b\nc;d\n', { options: { header: false } })).rows).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('skips blank lines, and reads LF, CRLF, CR and a last line without a line end', async () => {
    const records = ['sku;name', '1;a', '2;b', '3;c'];
    for (const lineEnd of ['\n', '\r\n', '\r', '\n\n', '\r\n\r\n']) {
      expect(accepted(await importContent(records.join(lineEnd))).rows).toEqual([
        ['1', 'a'],
        ['2', 'b'],
        ['3', 'c'],
      ]);
    }
  });
});

describe('CSV columns', () => {
  test('gives nameless and duplicate columns distinct names', async () => {
    const { result, rows } = accepted(await importContent('sku;Bild;Bild;;Bild;\n1;a;b;c;d;e\n2;f;g;h;i;j\n'));
    expect(result.fields.map((field) => field.name)).toEqual([
      'sku',
      'Bild',
      'Bild (2)',
      'Spalte 4',
      'Bild (3)',
      'Spalte 6',
    ]);
    expect(result.fields.map((field) => field.header)).toEqual(['sku', 'Bild', 'Bild', '', 'Bild', '']);
    expect(rows[0]).toEqual(['1', 'a', 'b', 'c', 'd', 'e']);
  });

  test('T10 uses __proto__ and other special names as plain column names', async () => {
    const { result } = accepted(await importContent('__proto__;constructor;sku\n1;2;3\n'));
    expect(result.fields.map((field) => field.name)).toEqual(['__proto__', 'constructor', 'sku']);
  });

  test('fills short rows and counts them, rejects surplus values, accepts surplus empty cells', async () => {
    const { result, rows, rejected } = accepted(
      await importContent(`${article}1;a\n2;b;3;;;\n3;c;4;zuviel\n4;d;5\n5;e;6\n`),
    );
    expect(result).toMatchObject({ rowsIn: 5, accepted: 4, rejected: 1 });
    expect(rows[0]).toEqual(['1', 'a', '']);
    expect(rejected).toEqual([
      { kind: 'rejected', line: 4, reason: expect.stringContaining('4 Zellen'), raw: '3;c;4;zuviel' },
    ]);
    expect(result.warnings).toContainEqual({ code: 'short_rows', message: expect.stringContaining('zuerst Zeile 2') });
  });

  test.each([
    ['1;a\n2;b;3\n', '1 Zeile hat weniger Zellen als'],
    ['1;Rack 19";2\n2;b;3\n', 'In 1 Zeile steht ein'],
    ['1;a\u0000b;2\n2;b;3\n', ' 1 NUL-Byte. Es wurde entfernt'],
    [
      Buffer.concat([Buffer.from('1;Größe;2\n'), iconv.encode('2;Weiß;3\n', 'windows-1252')]),
      ': 1 Zeile ist nicht UTF-8',
    ],
  ])('uses the German singular for a single row (%#)', async (rows, words) => {
    const { result } = accepted(await importContent(Buffer.concat([Buffer.from(article), Buffer.from(rows)])));
    expect(result.warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining(words));
  });

  test('treats a first row that only numbers the columns as the header', async () => {
    const numbered = accepted(await importContent('0;1;2\n10;20;30\n11;21;31\n')).result;
    expect(numbered).toMatchObject({ rowsIn: 2, format: { header: true } });
    expect(numbered.fields.map((field) => field.header)).toEqual(['0', '1', '2']);
    expect(accepted(await importContent('1;0;2\n10;20;30\n11;21;31\n')).result.rowsIn).toBe(3);
  });

  test('reads a header-only file as empty, and refuses empty files in German', async () => {
    expect(accepted(await importContent(article)).result).toMatchObject({ rowsIn: 0, key: 'Artikelnummer' });
    for (const content of ['', '\n\n\r\n', '\ufeff']) {
      expect((await importContent(content)).result).toMatchObject({
        ok: false,
        code: 'empty',
        message: expect.stringContaining('leer'),
      });
    }
  });
});

describe('CSV errors', () => {
  test('I8 a stray quote costs only its own line, never the rest of the file', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `${index};Artikel ${index};1,00`);
    many[100] = '100;"Kabel "lang" 5 m;1,00';
    many[200] = '200;"nie geschlossen;1,00';
    const { result, rejected } = accepted(await importContent(`${article}${many.join('\n')}\n`));
    expect(result).toMatchObject({ rowsIn: 500, accepted: 498, rejected: 2 });
    expect(rejected.map((row) => row.line)).toEqual([102, 202]);
    expect(rejected[1]?.raw).toBe(many[200]);
  });

  test('detects records swallowed by a stray quote, although the quotes balance', async () => {
    const lines = ['1;"Rohr;2;x', '2;a;3;y', '3;b;4;z', '4;Rohr 5";5;w', '5;c;6;v'];
    const { result } = accepted(await importContent(`sku;name;preis;farbe\n${lines.join('\n')}\n`));
    expect(result.rowsIn).toBe(5);
    expect(result.rejected).toBeLessThanOrEqual(2);
  });

  test('detects swallowed records also if each delimiter is followed by a blank', async () => {
    const lines = ['1, "Rohr, 2', '2, a, 3', '3, Rohr 5", 4', '4, b, 5'];
    const { result } = accepted(await importContent(`sku, name, preis\n${lines.join('\n')}\n`));
    expect(result.rowsIn).toBe(4);
  });

  test('keeps a multi-line description with one line that splits into as many cells as a record', async () => {
    const text = 'Ein Hemd.\nGrößen: S, M, L\nFarben: rot, blau\nWaschbar.';
    const { rows, result } = accepted(await importContent(`sku,text,preis\n1,"${text}",5\n2,"\n,,\nb",6\n3,c,7\n`));
    expect(rows).toEqual([
      ['1', text, '5'],
      ['2', '\n,,\nb', '6'],
      ['3', 'c', '7'],
    ]);
    expect(result.warnings).toEqual([]);
  });

  test('keeps a multi-line description whose lines all split into as many cells as a record', async () => {
    const text = 'Farben: rot, blau\nGrößen: S, M, L\nPflege: kalt, trocken';
    const { rows } = accepted(await importContent(`sku,text,preis\n1,"${text}",5\n3,c,7\n`));
    expect(rows).toEqual([
      ['1', text, '5'],
      ['3', 'c', '7'],
    ]);
  });

  test('keeps quotes in the middle of a cell, and warns with the line', async () => {
    const { result, rows } = accepted(await importContent(`${article}1;Rack 19";2\n2;b;3\n`));
    expect(rows[0]?.[1]).toBe('Rack 19"');
    expect(result.warnings).toContainEqual({
      code: 'literal_quotes',
      message: expect.stringContaining('zuerst Zeile 2'),
    });
  });

  test('T7 accepts one cut record at the end of a long table with a warning, since real feeds end so', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => `${index};"Artikel ${index}";1`);
    const { rows, result } = accepted(await importContent(`${article}${lines.join('\n')}\n150;"Artikel`));
    expect(rows.at(-1)).toEqual(['150', 'Artikel', '']);
    const message = expect.stringMatching(/^Die Datei endet mitten in einem Wert von Zeile 152\..*Bitte prüfen Sie/);
    expect(result.warnings).toEqual([{ code: 'last_row_cut', message }]);
    expect((await importContent(`${article}${lines.join('\n')}\n150;"Artikel\nZeile 2`)).result).toMatchObject({
      ok: false,
      code: 'truncated',
    });
  });

  test('T7 refuses a file cut off inside quotes, and warns about a short last line', async () => {
    const cut = await importContent(`${article}1;a;2\n2;"abgeschn`);
    expect(cut.result).toMatchObject({ ok: false, code: 'truncated', line: 3 });
    const short = accepted(await importContent(`${article}1;a;2\n2;b;3\n3;c`));
    expect(short.result.accepted).toBe(3);
    const message = expect.stringMatching(/^Die Datei endet mitten in Zeile 4, die kürzer ist.*Bitte prüfen Sie/);
    expect(short.result.warnings).toEqual([{ code: 'last_row_short', message }]);
    const several = accepted(await importContent(`${article}1;a;2\n2;b\n3;c;4\n4;d`)).result.warnings;
    expect(several.map((warning) => warning.message)).toEqual([
      expect.stringContaining('mitten in Zeile 5'),
      expect.stringContaining('1 Zeile hat weniger Zellen als die Kopfzeile (zuerst Zeile 3)'),
    ]);
  });

  test('rejects a row with a huge cell, and refuses a file that is one endless line', async () => {
    const huge = await importContent(`sku;text\n1;${'x'.repeat(3_000_000)}\n2;b\n`);
    expect(accepted(huge).result).toMatchObject({ accepted: 1, rejected: 1 });
    expect(huge.rejected[0]?.raw).toHaveLength(10_000);
    expect((await importContent('x'.repeat(3_000_000))).result).toMatchObject({ ok: false, code: 'line_too_long' });
  });
});
