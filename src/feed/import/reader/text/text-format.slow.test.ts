import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';

const csv = 'sku;name;preis\nA1;Kanne;9,90\nA2;Besen, rot;3,50\n';
const json = '[{"sku":"A1","name":"Kanne"},\n{"sku":"A2","name":"Besen"}]';
const lines = '{"sku":"A1","name":"Kanne"}\n{"sku":"A2","name":"Besen"}\n';
const xml = '<?xml version="1.0"?>\n<p><i><sku>A1</sku><n>Kanne</n></i><i><sku>A2</sku><n>Besen</n></i></p>';
const html =
  '<html><body><table><tr><td>sku</td><td>n</td></tr><tr><td>A1</td><td>Kanne</td></tr></table></body></html>';
const book = workbook([{ name: 'A', rows: sheetRows([['sku'], ['A1'], ['A2']]) }]);

describe('a file with the extension of another format', () => {
  test.each([
    ['csv', csv, 'json'],
    ['csv', csv, 'ndjson'],
    ['csv', csv.replaceAll(';', '\t'), 'json'],
    ['csv', csv, 'xml'],
    ['csv', csv, 'xlsx'],
    ['xml', xml, 'csv'],
    ['xml', xml, 'json'],
    ['json', json, 'csv'],
    ['json', json, 'xml'],
    ['jsonl', lines, 'csv'],
    ['jsonl', lines, 'json'],
    ['xlsx', book, 'csv'],
    ['xlsx', book, 'json'],
    ['csv', zlib.gzipSync(csv), 'csv'],
    ['csv', zlib.gzipSync(csv), 'json'],
  ])('is read by its content: %s (%#)', async (format, content, ending) => {
    const { result, ids } = await importContent(content, { name: `artikel.${ending}` });
    expect(result).toMatchObject({ ok: true, format: { format }, key: 'sku', warnings: [] });
    expect(ids).toEqual(['A1', 'A2']);
  });

  test('an XHTML page is read as an HTML page', async () => {
    const page = `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">\n${html}`;
    for (const content of [page, `<?xml version="1.0"?>${html}`]) {
      const { result, rows } = await importContent(content, { name: 'artikel.xls' });
      expect(result).toMatchObject({ ok: true, key: 'sku', format: { format: 'xlsx' } });
      expect(rows).toEqual([['A1', 'Kanne']]);
    }
  });

  test.each([
    [
      `<br />\n<b>Warning</b>:  Undefined variable $x in <b>/a/b.php</b> on line <b>3</b><br />\n${csv}`,
      'Undefined variable',
    ],
    ['<h1>404 Not Found</h1>\n<p>Weg.</p>', '404 Not Found'],
    [
      '<html><head><style>a{b:c}</style><title>Anmelden</title></head><body>Kennwort</body></html>',
      'Anmelden Kennwort',
    ],
  ])("a server's error page is refused with its text: %j", async (content, shown) => {
    const { result } = await importContent(content);
    expect(result).toMatchObject({ ok: false, code: 'html_page', message: expect.stringContaining(shown) });
  });

  test('a fragment of JSON, or a message, is not read as a table', async () => {
    for (const content of [
      '"sku":"A1","name":"x"},\n{"sku":"A2","name":"y"}]',
      'Notice: x, y\n[{"sku":"A1"}]',
      'Fehler',
    ])
      expect((await importContent(content, { name: 'a.json' })).result).toMatchObject({
        ok: false,
        code: 'json_syntax',
      });
  });
});

describe('a file that clearly has another format than the chosen one', () => {
  test.each([
    [csv, 'json', 'CSV'],
    [csv, 'jsonl', 'CSV'],
    [csv, 'xml', 'CSV'],
    [xml, 'csv', 'XML'],
    [xml, 'json', 'XML'],
    [json, 'csv', 'JSON'],
    [json, 'xml', 'JSON'],
    [json, 'jsonl', 'JSON'],
    [lines, 'json', 'JSON Lines'],
    [lines, 'csv', 'JSON Lines'],
    [html, 'csv', 'HTML'],
  ] as const)('is refused with the format it looks like: %j as %s', async (content, format, looks) => {
    const { result } = await importContent(content, { options: { format } });
    expect(result).toMatchObject({ ok: false, code: 'other_format', message: expect.stringContaining(looks) });
  });

  test('is read in the chosen format if that is possible', async () => {
    const odd = await importContent('<b>sku</b>;name\nA1;[x]\nA2;{y}\n', { options: { format: 'csv' } });
    expect(odd.result).toMatchObject({ ok: true, accepted: 2, format: { format: 'csv' } });
    const broken = await importContent(`{"sku":\n${lines}`, { options: { format: 'jsonl' } });
    expect(broken.result).toMatchObject({ ok: true, accepted: 2, rejected: 1 });
  });
});
