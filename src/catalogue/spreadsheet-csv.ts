import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { DuckDb, Statement } from '#platform/duckdb/duckdb.ts';
import { startsLikeFormula } from '#shared/values/formula-start.ts';

/** Sets the headers of a CSV file with this name. */
export const csvHeaders = (reply: FastifyReply, file: string): void =>
  fileHeaders(reply, 'text/csv; charset=utf-8', file);

/** Sets the headers of a file of this type and name; old programs only see its ASCII characters. */
export function fileHeaders(reply: FastifyReply, mediaType: string, file: string): void {
  const plain = file.normalize('NFD').replaceAll(/[^\w.-]/g, '');
  reply
    .header('content-type', mediaType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file)}`);
}

/**
 * Returns CSV for opening in a spreadsheet: UTF-8 with BOM, semicolons, every cell quoted; an apostrophe defuses cells that a
 * spreadsheet would run as a formula (T21). Never used for a channel's file.
 */
export function spreadsheetCsv(
  duckdb: DuckDb,
  header: readonly string[],
  statement: Statement,
  signal?: AbortSignal,
): Readable {
  return Readable.from(lines(duckdb, header, statement, signal));
}

/** Returns the same CSV from rows of any source. */
export function spreadsheetCsvRows(header: readonly string[], rows: AsyncIterable<readonly string[]>): Readable {
  return Readable.from(textOf(header, rows));
}

async function* textOf(header: readonly string[], rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield `\uFEFF${line(header)}`;
  for await (const row of rows) yield line(row);
}

const line = (cells: readonly string[]) => `${cells.map(cell).join(';')}\r\n`;

async function* lines(
  duckdb: DuckDb,
  header: readonly string[],
  statement: Statement,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  yield `\uFEFF${line(header)}`;
  const session = await duckdb.session();
  try {
    for await (const rows of session.streamTexts(statement, signal)) {
      let text = '';
      for (const row of rows) text += line(row.map((value) => value ?? ''));
      yield text;
    }
  } finally {
    session.close();
  }
}

const plainNumber = /^[+-]?\d[\d.,]*$/;

/** Returns one cell: quoted, quotes doubled, formula starts defused unless the cell is a plain number. */
export function cell(value: string): string {
  const safe = startsLikeFormula(value) && !plainNumber.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
