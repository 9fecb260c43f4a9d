import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';
import { processorMs } from '../../../../../test/stages/processor-time.ts';

async function importJson(content: string, options: FixtureOptions = {}) {
  const imported = await importContent(content, { name: 'artikel.json', ...options });
  const names = imported.result.ok ? imported.result.fields.map((field) => field.name) : [];
  return { ...imported, names };
}

describe('JSON', () => {
  test('flattens nested objects, writes lists as one value per line and lists of objects as JSON', async () => {
    const { names, rows } = await importJson(
      '[{"sku":"1","preis":{"netto":10.50,"waehrung":"EUR"},"farben":["rot","blau",null],"bilder":[{"u":"a","n":1.0}],"aktiv":true,"leer":null},{"sku":"2","neu":false}]',
    );
    expect(names).toEqual(['sku', 'preis.netto', 'preis.waehrung', 'farben', 'bilder', 'aktiv', 'leer', 'neu']);
    expect(rows[0]).toEqual(['1', '10.50', 'EUR', 'rot\nblau', '[{"u":"a","n":1.0}]', 'true', '', '']);
    expect(rows[1]).toEqual(['2', '', '', '', '', '', '', 'false']);
  });

  test('keeps every digit of a number, and distinguishes paths with the same spelling', async () => {
    const { names, rows } = await importJson('[{"id":12345678901234567890,"p":1e400,"a.b":"x","a":{"b":"y"}}]');
    expect(names).toEqual(['id', 'p', 'a.b', 'a.b (2)']);
    expect(rows[0]).toEqual(['12345678901234567890', '1e400', 'x', 'y']);
  });

  test('writes short numbers with an exponent, as Java programs produce them, as plain digits', async () => {
    const { rows } = await importJson(
      '[{"id":"1","a":1E+2,"b":1.25e1,"c":-5E-3,"d":[2E+1,"2E+1"],"e":"1E+2","f":4.00638E+12}]',
    );
    expect(rows[0]).toEqual(['1', '100', '12.5', '-0.005', '20\n2E+1', '1E+2', '4.00638E+12']);
  });

  test('T10 the last of duplicate keys wins, with a warning, and __proto__ is plain data', async () => {
    const { names, rows, result } = await importJson('[{"sku":"1","sku":"2","__proto__":{"x":1},"constructor":"c"}]');
    expect(names).toEqual(['sku', '__proto__.x', 'constructor']);
    expect(rows[0]).toEqual(['2', '1', 'c']);
    expect(result).toMatchObject({
      ok: true,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'duplicate_keys' })]),
    });
    expect(Object.prototype).not.toHaveProperty('x');
  });

  test('finds the longest list of objects, or the chosen one, or reports which lists exist', async () => {
    const text = '{"meta":{"tags":[{"t":1}]},"data":{"products":[{"sku":"a"},{"sku":"b"}],"other":[1,2,3,4]}}';
    const found = await importJson(text);
    expect(found.result).toMatchObject({ ok: true, rowsIn: 2, format: { format: 'json', element: 'data.products' } });
    expect((await importJson(text, { options: { element: 'meta.tags' } })).rows).toEqual([['1']]);
    const missing = await importJson(text, { options: { element: 'artikel' } });
    expect(missing.result).toMatchObject({
      ok: false,
      code: 'element_missing',
      message: expect.stringContaining('data.products'),
    });
  });

  test('reads a single object, an empty list, escapes, and rejects a lone surrogate', async () => {
    expect((await importJson('{"sku":"1","name":"\\u00dcber\\n\\"x\\""}')).rows).toEqual([['1', 'Über\n"x"']]);
    expect((await importJson('[]')).result).toMatchObject({ ok: true, rowsIn: 0 });
    expect((await importJson('["\\ud800", {"a":"\\ud800x"}]')).result).toMatchObject({
      ok: true,
      rowsIn: 2,
      accepted: 1,
      rejected: 1,
    });
  });

  test.each([
    ['[{"a":1},]', 'json_syntax'],
    ['[{"a":NaN}]', 'json_syntax'],
    ['[{"a":01}]', 'json_syntax'],
    ["[{'a':1}]", 'json_syntax'],
    ['[{"a":"x\ty"}]', 'json_syntax'],
    ['[{"a":1}', 'json_syntax'],
    ['[{"a":1}] x', 'json_syntax'],
    ['[{"a":"\\x"}]', 'json_syntax'],
    ['[1,2,3]', 'json_no_items'],
    ['['.repeat(100_000), 'too_deep'],
    [`[{"a":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}]`, 'too_deep'],
  ])('refuses %j as %s with a German text, and leaves no files behind', async (content, code) => {
    const { result, leftovers } = await importJson(content.slice(0, 200_000));
    expect(result).toMatchObject({ ok: false, code, message: expect.stringContaining('Es wurde nichts importiert') });
    expect(leftovers).toEqual([]);
  });

  test.each([
    ['// Export vom 1.\n[{"sku":"1"}]', /Zeile 1, Zeichen 1: Hier beginnt ein Kommentar/u],
    ['/* a */ {"artikel":[{"sku":"1"}]}', /ohne Kommentare/u],
    ['[{"sku":"1"}, // der erste\n{"sku":"2"}]', /Zeichen 15: Hier beginnt ein Kommentar/u],
    ['{"sku":"1"}{"sku":"2"}', /Zeichen 12: Hier endet das erste JSON-Dokument.*in einer Liste/u],
    ['[{"sku":"1"}]\n[{"sku":"2"}]', /Zeile 2.*als JSON Lines/u],
    ['{\n"sku":"1"\n},\n{\n"sku":"2"\n}', /Zeile 3.*in einer Liste/u],
  ])('says what %j is and what to do', async (content, text) => {
    for (const name of ['artikel.json', 'download'])
      expect((await importContent(content, { name })).result).toMatchObject({
        ok: false,
        code: 'json_syntax',
        message: expect.stringMatching(text),
      });
  });

  test('says of a comma at the end that it is too much, not that another document follows', async () => {
    const { result } = await importJson('[{"sku":"1"}],\n');
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/Zeichen 14: .*überflüssiges Komma/u) });
  });

  test('names the line and the character of an error', async () => {
    const { result } = await importJson('[\n{"sku": "1"},\r\n{"sku": NaN}\n]');
    expect(result).toMatchObject({ ok: false, line: 3, message: expect.stringContaining('Zeile 3, Zeichen 9: ') });
  });

  test('reads items that span chunk boundaries of the file', async () => {
    const items = Array.from({ length: 30_000 }, (_, index) => ({
      sku: `A-${index}`,
      text: 'ä"\\\n'.repeat(index % 40),
      n: index,
    }));
    const { rows, result } = await importJson(JSON.stringify(items));
    expect(result).toMatchObject({ ok: true, accepted: 30_000 });
    expect(rows[29_999]).toEqual(['A-29999', items[29_999]?.text, '29999']);
    expect(rows.every((row, index) => row[1] === items[index]?.text)).toBe(true);
  });
});

test('T4: a long run of backslashes is scanned in linear time', async () => {
  const text = `[{"sku":"1","path":"${'\\'.repeat(200_000)}${'x'.repeat(900_000)}"},{"sku":"2"}]`;
  expect(await processorMs(() => importJson(text))).toBeLessThan(8000);
});

describe('JSON Lines', () => {
  test('I8 rejects a broken line with its number and continues', async () => {
    const { result, rejected, rows } = await importJson('{"sku":"1"}\n\n{"sku":2,}\n{"sku":"3","x":[1,2]}\n[1]\n');
    expect(result).toMatchObject({ ok: true, rowsIn: 4, accepted: 2, rejected: 2, format: { format: 'jsonl' } });
    expect(rejected.map((row) => [row.line, row.raw])).toEqual([
      [3, '{"sku":2,}'],
      [5, '[1]'],
    ]);
    expect(rows).toEqual([
      ['1', ''],
      ['3', '1\n2'],
    ]);
  });

  test('T7 refuses a file whose last line is cut off', async () => {
    expect((await importJson('{"sku":"1"}\n{"sku":"2"}\n{"sku":"3","na')).result).toMatchObject({
      ok: false,
      code: 'json_syntax',
      line: 3,
    });
  });

  test('a broken first line is rejected alone if the file name ends with .jsonl', async () => {
    const text = '{"sku":"1","na\n{"sku":"2"}\n{"sku":"3"}\n';
    const { result, rows } = await importContent(text, { name: 'artikel.jsonl' });
    expect(result).toMatchObject({ ok: true, accepted: 2, rejected: 1, format: { format: 'jsonl' } });
    expect(rows).toEqual([['2'], ['3']]);
    const pretty = await importContent('{\n "sku": "1"\n}\n', { name: 'artikel.jsonl' });
    expect(pretty.rows).toEqual([['1']]);
  });
});
