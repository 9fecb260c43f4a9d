import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

async function read(text: string) {
  const found = await importContent(text, { options: { key: null } });
  if (!found.result.ok) throw new Error(found.result.message);
  const { fields, format, warnings } = found.result;
  return { rows: found.rows, names: fields.map(({ name }) => name), format, codes: warnings.map(({ code }) => code) };
}

describe('decimal commas', () => {
  test.each([
    ['4711;9,90\n4712;8,90\n4713;7,90\n', ['4711', '9,90']],
    ['A1;9,90;19,00;3,5\nA2;8,90;18,00;2,5\n', ['A1', '9,90', '19,00', '3,5']],
    ['4711|9,90\n4712|8,90\n', ['4711', '9,90']],
    ['Preis\n9,90\n8,50\n', ['9,90']],
  ])('are not delimiters in a table that has another delimiter: %j', async (text, first) => {
    const { rows } = await read(text);
    expect(rows[0]).toEqual(first);
    expect(rows.length).toBe(text.split('\n').filter((line) => /\d/u.test(line)).length);
  });

  test.each([
    ['4711,9\n4712,8\n4713,7\n', ['4711', '9']],
    ['sku,menge\n1,5\n2,7\n', ['1', '5']],
  ])('are delimiters if there is no other: %j', async (text, first) => {
    expect((await read(text)).rows[0]).toEqual(first);
  });

  test('cause a warning in an unquoted comma-separated table, where they shift the values after them', async () => {
    const { names, codes } = await read('sku,name,preis,bestand\n1,Kanne,9,90,5\n2,Besen,3,50,7\n3,Topf,12,00,9\n');
    expect(names).toEqual(['sku', 'name', 'preis', 'bestand', 'Spalte 5']);
    expect(codes).toContain('header_short');
  });

  test('a delimiter at the end of every row, or a nameless column, is not reported as a shift', async () => {
    expect((await read('sku;name\n1;Kanne;\n2;Besen;\n')).codes).not.toContain('header_short');
    expect((await read('sku;name;\n1;Kanne;x\n2;Besen;y\n')).codes).not.toContain('header_short');
  });
});

describe('tables of one column', () => {
  test.each([
    'ArtNr     Bezeichnung         Preis\n000123    Kanne blau          9,90\n000124    Besen               3,50\n',
    'sku#name\n01#a\n02#b\n',
    '<table><tr><td>sku;name</td></tr><tr><td>1;Kanne</td></tr><tr><td>2;Besen</td></tr></table>',
  ])('cause a warning if their cells look like rows of several columns: %j', async (text) => {
    const { names, codes } = await read(text);
    expect([names.length, codes.includes('one_column')]).toEqual([1, true]);
  });

  test('of numbers or words cause no warning', async () => {
    for (const text of ['EAN\n4006381333931\n4012345678901\n', 'Name\nKanne, blau\nBesen\nTopf\n'])
      expect((await read(text)).codes).not.toContain('one_column');
  });
});
