import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

const rowsOf = (lines: readonly string[]) =>
  `<table>${lines.map((line) => `<tr><td>${line.split(';').join('</td><td>')}</td></tr>`).join('\n')}</table>`;
const articles = ['SKU;Name;Preis', '01;Nagel;1,50', '02;Haken;2,50', '03;Öse;3,50'];

async function read(html: string, options: FixtureOptions = {}) {
  const { result, rows } = await importContent(`<html><body>${html}</body></html>`, options);
  if (!result.ok) throw new Error(result.message);
  const { fields, warnings } = result;
  return { rows, names: fields.map(({ name }) => name), codes: warnings.map(({ code }) => code) };
}

describe('pages with several HTML tables', () => {
  test.each([
    ['in front', `${rowsOf(['Logo;Menü'])}${rowsOf(articles)}`],
    ['behind', `${rowsOf(articles)}${rowsOf(['Impressum;Kontakt', 'AGB;Datenschutz'])}`],
    ['around', `<table><tr><td>Menü</td><td>${rowsOf(articles)}</td></tr></table>`],
  ])('give the items of the largest, and a warning tells of others %s', async (_, html) => {
    const found = await read(html);
    expect(found.names).toEqual(['SKU', 'Name', 'Preis']);
    expect(found.rows.map(([sku]) => sku)).toEqual(['01', '02', '03']);
    expect(found.codes).toContain('html_tables');
  });

  test('of one width are read as one', async () => {
    const found = await read(`${rowsOf(articles)}${rowsOf(['SKU;Name;Preis', '04;Ring;4,50'])}`);
    expect(found.rows.map(([sku]) => sku)).toEqual(['01', '02', '03', '04']);
    expect(found.codes).not.toContain('html_tables');
  });

  test('a single one may have rows of any width', async () => {
    const found = await read(rowsOf(['SKU;Name;Preis', '01;Nagel', '02;Haken;2,50;x']), { options: { key: null } });
    expect([found.rows.length, found.codes.includes('html_tables')]).toEqual([2, false]);
  });
});
