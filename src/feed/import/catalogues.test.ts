import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { dataFolder, hasData, readExpected, sameCell, type Expected } from './expected-data.ts';
import { importFile, type Imported } from '#feed/import/reader/import-fixture.ts';

const catalogues = [...readExpected()].filter(([file]) => /^(catalogues|taxonomies|orders)\/.*(?<!\.zst)$/u.test(file));
let read = 0;
let fast = 0;

/** As the sample data defines it: cells joined with U+001F, records with U+001E, line breaks as LF. */
function cellsHash(records: readonly (readonly string[])[]): string {
  const text = records.map((cells) => cells.join('\u001f').replaceAll(/\r\n?/gu, '\n')).join('\u001e');
  return createHash('sha256').update(text).digest('hex');
}

function good(imported: Imported) {
  if (!imported.result.ok) throw new Error(`${imported.result.code}: ${imported.result.message}`);
  return imported.result;
}

/** Rows as wide as the file has them: the snapshot cannot tell a missing cell from an empty one. */
function atFileWidth(rows: readonly string[][], expected: Expected): readonly string[][] {
  const widths = Object.entries(expected.row_widths ?? {}).map(([width, count]) => ({ width: Number(width), count }));
  const [only] = widths;
  if (widths.length === 1 && only) return rows.map((row) => row.slice(0, only.width));
  const single = widths.find((entry) => entry.count === 1);
  return rows.map((row, index) => (single && index === rows.length - 1 ? row.slice(0, single.width) : row));
}

function compareRow(
  expected: Record<string, string | number | null> | undefined,
  header: readonly string[],
  row: readonly string[],
): void {
  for (const [name, value] of Object.entries(expected ?? {})) {
    if (name === 'index0') continue;
    const place = name.startsWith('#') && /^#\d+$/u.test(name) ? Number(name.slice(1)) - 1 : header.lastIndexOf(name);
    const cells = header.flatMap((column, index) => (column === name || index === place ? [row[index] ?? ''] : []));
    expect(
      cells.some((cell) => sameCell(value, cell)),
      `${name}: ${String(value)} / ${cells.join('|')}`,
    ).toBe(true);
  }
}

/** Both ways of reading must agree with the expectation and, to the byte and the hash, with each other. */
async function checkCsv(file: string, expected: Expected): Promise<void> {
  const delimiter = expected.dialect?.delimiter;
  const odd = file.includes('thirtybees');
  const options = odd && delimiter !== undefined ? { delimiter } : {};
  const header = { header: true };
  let other: Imported | undefined;
  for (const way of ['fast', 'exact'] as const) {
    const imported = await importFile(path.join(dataFolder, file), {
      way,
      options: { ...options, ...(file.startsWith('catalogues') ? {} : header) },
    });
    const result = good(imported);
    if (result.format.reader === 'fast') fast += 1;
    result.format.reader = undefined;
    if (other)
      expect([imported.result, imported.ids, imported.hashes, imported.rows]).toEqual([
        other.result,
        other.ids,
        other.hashes,
        other.rows,
      ]);
    other = imported;
    const mark = expected.columns?.[0]?.startsWith('\ufeff') ? '\ufeff' : '';
    const headers = result.fields.map((field, index) => (index === 0 ? mark : '') + field.header);
    if (expected.columns) expect(headers).toEqual(expected.columns);
    expect([result.rowsIn, result.accepted + result.rejected + result.duplicates]).toEqual([
      expected.n_rows,
      expected.n_rows,
    ]);
    if (result.rejected > 0) continue;
    compareRow(expected.first_row, headers, imported.rows[0] ?? []);
    compareRow(expected.last_row, headers, imported.rows.at(-1) ?? []);
    const sampleAt = Number(expected.sample_row?.['index0'] ?? 0);
    compareRow(expected.sample_row, headers, imported.rows[sampleAt] ?? []);
    const oneWidth = Object.keys(expected.row_widths ?? {}).length === 1 || file.includes('faie');
    if (expected.dialect?.errors === 'strict' && oneWidth)
      expect(cellsHash([headers, ...atFileWidth(imported.rows, expected)])).toBe(expected.cells_sha256);
  }
}

async function checkXmlFeed(file: string, expected: Expected): Promise<void> {
  const imported = await importFile(path.join(dataFolder, file));
  const result = good(imported);
  const names = result.fields.map((field) => field.name);
  expect(result.accepted).toBe(expected.n_items);
  expect(names.toSorted()).toEqual(Object.keys(expected.fields_with_item_counts ?? {}).toSorted());
  for (const [item, row] of [
    [expected.first_item, imported.rows[0]],
    [expected.last_item, imported.rows.at(-1)],
  ] as const) {
    for (const [name, value] of Object.entries(item ?? {}))
      expect(sameCell(value, row?.[names.indexOf(name)] ?? ''), name).toBe(true);
  }
}

async function checkBmecat(file: string, expected: Expected): Promise<void> {
  const imported = await importFile(path.join(dataFolder, file));
  const result = good(imported);
  const names = result.fields.map((field) => field.name);
  expect(result.accepted).toBe(expected.n_products);
  for (const [name, values] of Object.entries(expected.products?.[0] ?? {})) {
    const cells = names.flatMap((column, index) =>
      column === name || column.startsWith(`${name} (`) ? [imported.rows[0]?.[index] ?? ''] : [],
    );
    const lines = cells.flatMap((cell) => [cell, ...cell.split('\n')]);
    for (const value of values)
      expect(
        lines.some((line) => sameCell(value, line)),
        `${name}: ${value}`,
      ).toBe(true);
  }
}

async function checkXlsx(file: string, expected: Expected): Promise<void> {
  for (const [index, sheet] of (expected.sheets ?? []).entries()) {
    if (sheet.rows_including_header < 2 || (index > 0 && sheet.columns < 200)) continue;
    const imported = await importFile(path.join(dataFolder, file), {
      options: index === 0 ? {} : { sheet: sheet.sheet },
    });
    const result = good(imported);
    expect(result.format.sheet).toBe(sheet.sheet);
    const headers = result.fields.map((field) => field.header);
    sheet.header.forEach((name, column) => expect(headers[column] ?? '').toBe(name ?? ''));
    if (index === 0)
      expect([result.accepted, headers.length]).toEqual([sheet.rows_including_header - 1, sheet.columns]);
    const same = (value: unknown, cell: string) =>
      sameCell(typeof value === 'string' ? value.replace(/T00:00:00$/u, '') : value, cell);
    if (sheet.row_after_header.every((value) => value === null)) continue;
    sheet.row_after_header.forEach((value, column) =>
      expect(same(value, imported.rows[0]?.[column] ?? ''), `${column}: ${String(value)}`).toBe(true),
    );
    sheet.last_row.forEach((value, column) =>
      expect(same(value, imported.rows.at(-1)?.[column] ?? ''), `${column}: ${String(value)}`).toBe(true),
    );
  }
}

async function check(file: string, expected: Expected): Promise<void> {
  if (expected.kind === 'csv') return checkCsv(file, expected);
  if (expected.kind === 'xmlfeed') return checkXmlFeed(file, expected);
  if (expected.kind === 'bmecat') return checkBmecat(file, expected);
  if (expected.kind === 'xlsx') return checkXlsx(file, expected);
  const imported = await importFile(path.join(dataFolder, file));
  if (!imported.result.ok) {
    expect(imported.result.message).toMatch(/nichts importiert/u);
    expect(file.startsWith('catalogues')).toBe(false);
    return;
  }
  const rows = expected.n_rows ?? (expected.kind === 'jsonl' ? expected.n_items : undefined);
  if (rows !== undefined) expect([imported.result.accepted, imported.result.rejected]).toEqual([rows, 0]);
  expect(imported.result.rowsIn).toBe(imported.result.accepted + imported.result.rejected + imported.result.duplicates);
}

describe.skipIf(!hasData)(
  'I8 every real file is read as an independent reader read it (skipped without the sample data)',
  () => {
    test.each(catalogues)('%s', async (file, expected) => {
      await check(file, expected);
      read += 1;
    });
    afterAll(() => {
      console.log(`${read} of ${catalogues.length} real files read and compared, ${fast} of them also the fast way`);
      if (read === catalogues.length) expect(fast).toBeGreaterThan(15);
    });
  },
);
