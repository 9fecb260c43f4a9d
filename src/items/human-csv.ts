import { Readable } from 'node:stream';
import type { Duck, Statement } from '#platform/duck.ts';

/**
 * CSV for people who open it in a spreadsheet: UTF-8 with BOM, semicolons, every cell quoted, and cells that a
 * spreadsheet would run as a formula defused by an apostrophe (T21). A channel's file is never written by this.
 */
export function humanCsv(duck: Duck, header: readonly string[], statement: Statement): Readable {
  return Readable.from(lines(duck, header, statement));
}

async function* lines(duck: Duck, header: readonly string[], statement: Statement): AsyncGenerator<string> {
  yield `\uFEFF${header.map(cell).join(';')}\r\n`;
  const connection = await duck.connect();
  try {
    const result = await connection.stream(statement.sql, [...statement.values]);
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      let text = '';
      for (const row of chunk.getRows())
        text += `${row.map((value) => cell(value === null ? '' : String(value))).join(';')}\r\n`;
      yield text;
    }
  } finally {
    connection.closeSync();
  }
}

const plainNumber = /^[+-]?\d[\d.,]*$/;

/** One cell: quoted, quotes doubled, formula starts defused unless the cell is a plain number. */
export function cell(value: string): string {
  const safe = /^[=+\-@\t\r\0]/.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
