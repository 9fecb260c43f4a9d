import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sameCell, samples, type Expected } from '../../../test/stages/feed/import-samples.ts';
import { importFile, type Imported } from '#feed/import/reader/import-fixture.ts';

/** A catalogue file and its name in the expectations. */
type Sample = { name: string; file: string };

/** SHA-256 as the sample data defines it: cells joined with U+001F, records with U+001E, line breaks as LF. */
function cellsHash(records: readonly (readonly string[])[]): string {
  const text = records.map((cells) => cells.join('\u001f').replaceAll(/\r\n?/gu, '\n')).join('\u001e');
  return createHash('sha256').update(text).digest('hex');
}

function good(imported: Imported) {
  if (!imported.result.ok) throw new Error(`${imported.result.code}: ${imported.result.message}`);
  return imported.result;
}

/** Rows cut to the width that the file has: the snapshot cannot distinguish a missing cell from an empty one. */
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
    const columnIndex =
      name.startsWith('#') && /^#\d+$/u.test(name) ? Number(name.slice(1)) - 1 : header.lastIndexOf(name);
    const cells = header.flatMap((column, index) =>
      column === name || index === columnIndex ? [row[index] ?? ''] : [],
    );
    expect(
      cells.some((cell) => sameCell(value, cell)),
      `${name}: ${String(value)} / ${cells.join('|')}`,
    ).toBe(true);
  }
}

/** Both readers must agree with the expectation and write the same bytes and hashes. Returns whether the fast one ran. */
async function checkCsv({ name, file }: Sample, expected: Expected): Promise<boolean> {
  const delimiter = expected.dialect?.delimiter;
  const odd = name.includes('thirtybees');
  const options = odd && delimiter !== undefined ? { delimiter } : {};
  const header = { header: true };
  let other: Imported | undefined;
  let fast = false;
  for (const way of ['fast', 'exact'] as const) {
    const imported = await importFile(file, {
      way,
      options: { ...options, ...(name.startsWith('catalogues') ? {} : header) },
    });
    const result = good(imported);
    if (result.format.reader === 'fast') fast = true;
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
    const oneWidth = Object.keys(expected.row_widths ?? {}).length === 1 || name.includes('faie');
    if (expected.dialect?.errors === 'strict' && oneWidth)
      expect(cellsHash([headers, ...atFileWidth(imported.rows, expected)])).toBe(expected.cells_sha256);
  }
  return fast;
}

async function checkXmlFeed({ file }: Sample, expected: Expected): Promise<void> {
  const imported = await importFile(file);
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

async function checkBmecat({ file }: Sample, expected: Expected): Promise<void> {
  const imported = await importFile(file);
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

async function checkXlsx({ file }: Sample, expected: Expected): Promise<void> {
  for (const [index, sheet] of (expected.sheets ?? []).entries()) {
    if (sheet.rows_including_header < 2 || (index > 0 && sheet.columns < 200)) continue;
    const imported = await importFile(file, {
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

/** Checks one sample; returns whether DuckDB's fast reader was tested as well. */
async function check(sample: Sample, expected: Expected): Promise<boolean> {
  if (expected.kind === 'csv') return checkCsv(sample, expected);
  if (expected.kind === 'xmlfeed') await checkXmlFeed(sample, expected);
  else if (expected.kind === 'bmecat') await checkBmecat(sample, expected);
  else if (expected.kind === 'xlsx') await checkXlsx(sample, expected);
  else await checkOther(sample, expected);
  return false;
}

async function checkOther({ name, file }: Sample, expected: Expected): Promise<void> {
  const { result } = await importFile(file);
  if (!result.ok) {
    expect(result.message).toMatch(/nichts importiert/u);
    expect(name.startsWith('catalogues')).toBe(false);
    return;
  }
  const rows = expected.n_rows ?? (expected.kind === 'jsonl' ? expected.n_items : undefined);
  if (rows !== undefined) expect([result.accepted, result.rejected]).toEqual([rows, 0]);
  expect(result.rowsIn).toBe(result.accepted + result.rejected + result.duplicates);
}

const isCatalogue = (name: string) => /^(catalogues|taxonomies|orders)\/.*(?<!\.zst)$/u.test(name);

for (const source of samples)
  describe.skipIf(source.absent)(`I8 catalogues: ${source.of}`, () => {
    const catalogues = [...source.expected].filter(([name]) => isCatalogue(name));
    let read = 0;
    let fast = 0;

    test.each(catalogues)('%s is read as an independent reader read it', async (name, expected) => {
      if (await check({ name, file: source.file(name) }, expected)) fast += 1;
      read += 1;
    });

    test('some of them are also read by the fast reader', () => {
      // When tests are filtered by name, not all catalogues are read.
      if (read === catalogues.length) expect(fast).toBeGreaterThan(source.of === 'ours' ? 3 : 15);
    });
  });
