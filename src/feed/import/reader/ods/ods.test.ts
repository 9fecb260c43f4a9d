import { describe, expect, test } from 'vitest';
import { makeZip } from '#feed/import/reader/archive/zip-fixture.ts';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';
import { processorMs } from '../../../../../test/stages/processor-time.ts';

const kind = 'application/vnd.oasis.opendocument.spreadsheet';

/** Returns a spreadsheet file; `tables`: the XML of its body. */
function spreadsheet(tables: string, extra: { styles?: string; manifest?: string; mimetype?: string } = {}): Buffer {
  return makeZip([
    { name: 'mimetype', content: extra.mimetype ?? kind },
    { name: 'META-INF/manifest.xml', content: extra.manifest ?? '<manifest:manifest/>' },
    {
      name: 'content.xml',
      content: `<office:document-content><office:automatic-styles>${extra.styles ?? ''}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    },
  ]);
}
const table = (name: string, rows: string, more = '') =>
  `<table:table table:name="${name}"${more}>${rows}</table:table>`;
const row = (cells: string, more = '') => `<table:table-row${more}>${cells}</table:table-row>`;
const text = (value: string, more = '') =>
  `<table:table-cell office:value-type="string"${more}><text:p>${value}</text:p></table:table-cell>`;
const cell = (attributes: string, shown: string) =>
  `<table:table-cell ${attributes}><text:p>${shown}</text:p></table:table-cell>`;
const empty = (count: number) => `<table:table-cell table:number-columns-repeated="${count}"/>`;
const header = row(text('sku') + text('wert') + text('datum'));

const read = (content: Buffer, options: FixtureOptions = {}) => importContent(content, { name: 'a.ods', ...options });
const codes = ({ result }: Awaited<ReturnType<typeof read>>) =>
  result.ok ? result.warnings.map(({ code }) => code) : [result.code];

describe('OpenDocument spreadsheets', () => {
  test('yield numbers with a decimal point, dates in ISO format, and texts as displayed', async () => {
    const rows = [
      header,
      row(
        cell('office:value-type="float" office:value="11"', '00011') +
          cell('office:value-type="currency" office:value="1299.9"', '1.299,90 €') +
          cell('office:value-type="date" office:date-value="2026-01-31"', '31.01.26'),
      ),
      row(
        text('A<text:s text:c="2"/>B<text:line-break/><text:span>C</text:span>&amp;') +
          cell('office:value-type="percentage" office:value="0.19"', '19 %') +
          cell('office:value-type="date" office:date-value="2026-01-31T08:30:00"', '31.01.26 08:30'),
      ),
      row(
        '<table:table-cell office:value-type="string"><office:annotation><text:p>Notiz</text:p></office:annotation><text:p>eins</text:p><text:p>zwei</text:p></table:table-cell>' +
          cell('office:value-type="boolean" office:boolean-value="true"', 'WAHR') +
          cell('office:value-type="time" office:time-value="PT08H30M00S"', '08:30'),
      ),
    ].join('');
    const found = await read(spreadsheet(table('Artikel', rows)));
    expect(found.rows).toEqual([
      ['00011', '1299.9', '2026-01-31'],
      ['A  B\nC&', '0.19', '2026-01-31T08:30:00'],
      ['eins\nzwei', 'true', '08:30:00'],
    ]);
    expect(found.result).toMatchObject({ ok: true, format: { format: 'xlsx', sheet: 'Artikel', sheets: ['Artikel'] } });
    expect(codes(found)).toEqual([]);
  });

  test('yield item numbers as displayed with their padding, but amounts and quantities as plain numbers', async () => {
    const shown = ['ART-0012', 'AB0012', 'X-12', 'EUR 12', 'ca.12', '12 kg', '12,00', '00012'];
    const found = await read(
      spreadsheet(
        table(
          'Artikel',
          [
            header,
            ...shown.map((one) => row(text(one) + cell('office:value-type="float" office:value="12"', one))),
          ].join(''),
        ),
      ),
    );
    expect(found.rows.map(([, value]) => value)).toEqual([
      'ART-0012',
      'AB0012',
      'X-12',
      '12',
      '12',
      '12',
      '12',
      '00012',
    ]);
  });

  test('T6 are read within 2 s although a cell displays 100,000 zeros before its number', async () => {
    const shown = `${'0'.repeat(100_000)}X12`;
    const items = row(text('a') + cell('office:value-type="float" office:value="12"', shown));
    const took = await processorMs(async () => {
      const found = await read(spreadsheet(table('Artikel', header + items)));
      expect(found.rows.map(([, value]) => value)).toEqual(['12']);
    });
    expect(took).toBeLessThan(2000);
  });

  test('ignore shapes, notes and tables inside a cell, and round times to seconds', async () => {
    const shapes =
      '<draw:line><text:p/></draw:line><draw:rect><text:p>neu!</text:p></draw:rect><table:table><table:table-row><table:table-cell><text:p>innen</text:p></table:table-cell></table:table-row></table:table>';
    const rows = [
      header,
      row(
        `<table:table-cell office:value-type="string">${shapes}<text:p>A1</text:p>${shapes}</table:table-cell>` +
          cell('office:value-type="time" office:time-value="PT08H29M59.999999999S"', '08:30') +
          cell('office:value-type="date" office:date-value="2026-01-31T23:59:59.999999999"', 'x'),
      ),
      row(text('A2') + text('b') + text('c')),
    ].join('');
    const found = await read(spreadsheet(table('A', rows)));
    expect(found.rows).toEqual([
      ['A1', '08:30:00', '2026-02-01'],
      ['A2', 'b', 'c'],
    ]);
  });

  test('leave out the copies of linked files that LibreOffice stores', async () => {
    const source = '<table:table-source/>';
    const found = await read(
      spreadsheet(
        table('Artikel', header + row(text('a'))) +
          table("'file:///C:/preise.ods'#$Blatt", source + header + row(text('x'))) +
          `<table:dde-links>${table('', header + row(text('y')))}</table:dde-links>`,
      ),
    );
    expect([found.rows, codes(found)]).toEqual([[['a', '', '']], []]);
    expect(found.result).toMatchObject({ format: { sheets: ['Artikel'] } });
  });

  test('repeat cells and rows as often as stated, and end after the last one with contents', async () => {
    const rows = [
      header,
      row(text('1') + text('x', ' table:number-columns-repeated="2"') + empty(16_381)),
      row(empty(16_384), ' table:number-rows-repeated="3"'),
      row(empty(1) + text('y'), ' table:number-rows-repeated="2"'),
      row(empty(16_384), ' table:number-rows-repeated="1048569"'),
    ].join('');
    const found = await read(spreadsheet(table('A', rows)), { options: { key: null } });
    expect(found.rows).toEqual([
      ['1', 'x', 'x'],
      ['', 'y', ''],
      ['', 'y', ''],
    ]);
  });

  test('use the first visible sheet with items, or the chosen one, and report the others', async () => {
    const data = (value: string) => header + row(text(value));
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const book = spreadsheet(
      table('Versteckt', data('h'), ' table:style-name="ta2"') +
        table('Deckblatt', row(text('Preisliste'))) +
        table('Artikel', data('a')) +
        table('Mehr', data('m')),
      { styles },
    );
    const first = await read(book);
    expect([first.rows[0]?.[0], codes(first)]).toEqual(['a', ['sheet_without_items', 'sheets_left']]);
    expect((await read(book, { options: { sheet: 'Mehr' } })).rows[0]?.[0]).toBe('m');
    expect((await read(book, { options: { sheet: 1 } })).rows[0]?.[0]).toBe('h');
    expect(codes(await read(spreadsheet(table('Leer', ''))))).toEqual(['empty']);
  });

  test('report hidden rows, merged cells, errors, and formulas without a calculated value', async () => {
    const rows = [
      header,
      row(text('1', ' table:number-rows-spanned="2"') + text('a'), ' table:visibility="filter"'),
      row('<table:covered-table-cell/>' + cell('calcext:value-type="error" office:value-type="string"', '#NV')),
      row(text('3') + '<table:table-cell table:formula="of:=[.A1]"/>'),
    ].join('');
    const found = await read(spreadsheet(table('A', rows)), { options: { key: null } });
    expect(codes(found)).toEqual(['formulas_empty', 'excel_errors', 'hidden_rows', 'merged_cells']);
    expect(found.rows.map(([, value]) => value)).toEqual(['a', '#NV', '']);
  });

  test('are refused if encrypted, if a text document, and if a bomb of repeated cells', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    expect(codes(await read(spreadsheet('', { manifest })))).toEqual(['password']);
    const sealed = makeZip([
      { name: 'mimetype', content: kind },
      { name: 'encrypted-package', content: 'x' },
      { name: 'META-INF/manifest.xml', content: manifest },
    ]);
    expect(codes(await read(sealed))).toEqual(['password']);
    const letter = spreadsheet('', { mimetype: 'application/vnd.oasis.opendocument.text' });
    expect(codes(await read(letter))).toEqual(['foreign_format']);
    const wide = text('x'.repeat(1000), ' table:number-columns-repeated="1000"');
    const bomb = spreadsheet(table('A', header + row(wide, ' table:number-rows-repeated="1048575"')));
    expect(codes(await read(bomb))).toEqual(['archive_ratio']);
    const huge = text('x'.repeat(100_000), ' table:number-columns-repeated="16000"');
    expect(codes(await read(spreadsheet(table('A', header + row(huge)))))[0]).toMatch(/archive_ratio|line_too_long/u);
    const blanks = text('<text:s text:c="1000000000"/>'.repeat(50));
    expect((await read(spreadsheet(table('A', header + row(blanks))))).rejected).toHaveLength(1);
  });
});
