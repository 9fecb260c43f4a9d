import type { DetectedFormat, ImportedField } from '#shared/import/schema.ts';
import type { NamedColumn } from './columns.ts';
import { guessField, SEEN } from './guess.ts';
import { warnOfNumbersByFile } from '#feed/import/reader/table/numbers-by-file.ts';
import { numberGroups } from '#feed/import/reader/table/number-groups.ts';
import type { Warnings } from './warnings.ts';
import { warnOfGarbledTexts } from '#feed/import/reader/table/garbled-texts.ts';
import { warnOfLastRows } from '#feed/import/reader/table/last-rows.ts';
import { warnOfSpoiltNumbers } from '#feed/import/reader/table/spoilt-numbers.ts';
import { literal, type ImportSession } from './session.ts';

const sampleRows = 1000;
const mostRowsWithSums = 100_000;

/** Returns the number of filled cells by field id, from the Parquet statistics, so that no data is read again. */
async function filledCounts(session: ImportSession, output: string): Promise<Map<string, number>> {
  const rows = await session.rows(
    `SELECT path_in_schema, sum(num_values), sum(stats_null_count), count(*) - count(stats_null_count) FROM parquet_metadata(${literal(output)}) GROUP BY 1`,
  );
  const known = new Map<string, number>();
  for (const [id, values, nulls, unknown] of rows) {
    if (Number(unknown) === 0) known.set(String(id), Number(values) - Number(nulls));
  }
  return known;
}

/**
 * Finds first value and fill count of columns that are empty in the first rows; a hundred columns at a time, since DuckDB's
 * planning time grows with their square.
 */
async function lookFurther(
  session: ImportSession,
  from: string,
  missing: readonly { column: NamedColumn; index: number }[],
  values: string[][],
  filled: Map<string, number>,
): Promise<void> {
  for (let start = 0; start < missing.length; start += 100) {
    const some = missing.slice(start, start + 100);
    const firsts = some.map(
      ({ column: { id } }) =>
        `arg_min(left(${id}, ${SEEN}), file_row_number) FILTER (WHERE ${id} IS NOT NULL), count(${id})`,
    );
    const [row] = await session.rows(`SELECT ${firsts.join(', ')} FROM ${from}`);
    some.forEach(({ column, index }, position) => {
      const value = row?.[position * 2];
      values[index] = typeof value === 'string' ? [value] : [];
      filled.set(column.id, Number(row?.[position * 2 + 1] ?? 0));
    });
  }
}

/**
 * Returns the first cells of the last rows, where a table may end in sums, and one more that is filled if any later cell is.
 * Nobody adds up a long catalogue.
 */
async function lastRows(session: ImportSession, from: string, columns: readonly NamedColumn[]): Promise<string[][]> {
  const [[count] = []] = await session.rows(`SELECT count(*) FROM ${from}`);
  const rows = Number(count ?? 0);
  if (rows < 3 || rows > mostRowsWithSums || columns.length < 2) return [];
  const cells = columns.slice(0, 8).map(({ id }) => `left(${id}, ${SEEN})`);
  const later = columns.slice(8).map(({ id }) => `nullif(trim(${id}), '')`);
  if (later.length > 0) cells.push(`left(coalesce(${later.join(', ')}), ${SEEN})`);
  const found = await session.rows(`SELECT ${cells.join(', ')} FROM ${from} WHERE file_row_number >= ${rows - 2}`);
  return found.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : '')));
}

/** Returns name, guess, fill count and an example of every field of a written snapshot, in file order. */
export async function describeFields(
  session: ImportSession,
  output: string,
  columns: readonly NamedColumn[],
  { format, warnings, encoding }: Pick<DetectedFormat, 'format' | 'encoding'> & { warnings: Warnings },
): Promise<ImportedField[]> {
  if (columns.length === 0) return [];
  const from = `read_parquet(${literal(output)}, file_row_number = true)`;
  const filled = await filledCounts(session, output);
  const cuts = columns.map((column) => `left(${column.id}, ${SEEN})`).join(', ');
  const sample = await session.rows(`SELECT ${cuts} FROM ${from} LIMIT ${sampleRows}`);
  const values = columns.map((_, index) =>
    sample.flatMap((row) => (typeof row[index] === 'string' ? [row[index]] : [])),
  );
  const missing = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column, index }) => values[index]?.length === 0 && filled.get(column.id) !== 0);
  if (sample.length > 0) await lookFurther(session, from, missing, values, filled);
  const found = columns.map(({ name }, index) => ({ name, values: values[index] ?? [] }));
  warnOfSpoiltNumbers(warnings, found);
  warnOfGarbledTexts(warnings, found, encoding);
  warnOfLastRows(warnings, await lastRows(session, from, columns));
  const fields = columns.map((column, index) => ({
    ...column,
    guess: guessField(column.name, values[index] ?? []),
    filled: filled.get(column.id) ?? values[index]?.length ?? 0,
    example: (values[index]?.[0] ?? '').slice(0, 200),
  }));
  const numbers = fields.filter(({ guess }) => guess === 'price' || guess === 'number');
  const ids = numbers.map(({ id }) => id);
  const prices = numbers.filter(({ guess }) => guess === 'price').map(({ id }) => id);
  const { groups, byFile } = await numberGroups(session, from, { ids, prices }, format);
  if (byFile) warnOfNumbersByFile(warnings, byFile, new Map(columns.map(({ id }, index) => [id, found[index]])));
  return fields.map((field) => {
    const known = groups.get(field.id);
    return known === undefined ? field : { ...field, groups: known };
  });
}
