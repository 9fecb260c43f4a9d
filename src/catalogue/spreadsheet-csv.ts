import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { DuckDb, Statement } from '#platform/duckdb/duckdb.ts';
import { startsLikeFormula } from '#shared/values/formula-start.ts';

/** Says that a CSV file of this name comes. */
export const csvHeaders = (reply: FastifyReply, file: string): void =>
  fileHeaders(reply, 'text/csv; charset=utf-8', file);

/** Says that a file of this kind and name comes; old programs see the letters of ASCII alone. */
export function fileHeaders(reply: FastifyReply, mediaType: string, file: string): void {
  const plain = file.normalize('NFD').replaceAll(/[^\w.-]/g, '');
  reply
    .header('content-type', mediaType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file)}`);
}

/**
 * CSV for people who open it in a spreadsheet: UTF-8 with BOM, semicolons, every cell quoted, and cells that a
 * spreadsheet would run as a formula defused by an apostrophe (T21). A channel's file is never written by this.
 */
export function spreadsheetCsv(
  duckdb: DuckDb,
  header: readonly string[],
  statement: Statement,
  signal?: AbortSignal,
): Readable {
  return Readable.from(lines(duckdb, header, statement, signal));
}

/** The same of rows that come from elsewhere. */
export function humanCsvRows(header: readonly string[], rows: AsyncIterable<readonly string[]>): Readable {
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

/** One cell: quoted, quotes doubled, formula starts defused unless the cell is a plain number. */
export function cell(value: string): string {
  const safe = startsLikeFormula(value) && !plainNumber.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
