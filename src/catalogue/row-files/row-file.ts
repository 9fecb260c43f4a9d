import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name, ownNumber, ownText, type Sql, statement, storedFile } from '#platform/duckdb/sql.ts';

/** Separates cells. An item whose text contains it has too many cells here, and is read from the snapshot. */
const CELL = '\u001F';
/** Bytes per read: short enough that scanning them blocks no other request. */
const PORTION = 256 * 1024;

/** Number of rows from which the average length is estimated. */
const SAMPLE = 1000;

/** A snapshot's file, its columns, and its number of rows. */
export type RowSource = { readonly path: string; readonly columns: readonly string[]; readonly items: number };
export type Row = Record<string, string | null>;

/**
 * All rows of a snapshot in sequence, with the offset of each. Fifty scattered rows are fifty short reads here, whereas a column
 * store unpacks some thousand rows for each of them. The file has no name any more, so it disappears with the process.
 */
export class RowFile {
  /** Bytes on disk and in memory. */
  readonly bytes: number;
  private readonly file: FileHandle;
  private readonly columns: readonly string[];
  /** Offset of each row; the last entry is the end of the file. */
  private readonly begins: Float64Array;
  private readonly markLength: number;

  private constructor(file: FileHandle, columns: readonly string[], begins: Float64Array, markLength: number) {
    this.file = file;
    this.columns = columns;
    this.begins = begins;
    this.markLength = markLength;
    this.bytes = (begins.at(-1) ?? 0) + begins.byteLength;
  }

  /** Writes the file. @throws if that fails, or `signal` aborts it */
  static async make(duckdb: DuckDb, source: RowSource, signal: AbortSignal): Promise<RowFile> {
    // Random, so that no text of a catalogue can look like the end of its row.
    const mark = `\u001E${randomBytes(12).toString('hex')}\n`;
    // If the process is killed, the file is deleted like other temporary files.
    const temporary = `${source.path}.${randomBytes(8).toString('hex')}.rows.tmp`;
    let file: FileHandle | undefined;
    try {
      await duckdb.all(copyOf(source, mark.slice(0, -1), temporary), signal);
      const begins = await beginsOf(temporary, Buffer.from(mark), source.items, signal);
      file = await open(temporary, 'r');
      return new RowFile(file, source.columns, begins, mark.length);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** Returns the rows at these numbers, without those that cannot be read from this file. */
  async rows(numbers: readonly number[]): Promise<Map<number, Row>> {
    const rows = await Promise.all(numbers.map(async (number) => [number, await this.row(number)] as const));
    return new Map(rows.flatMap(([number, row]) => (row === undefined ? [] : [[number, row] as const])));
  }

  private async row(number: number): Promise<Row | undefined> {
    const [begin, end] = [this.begins[number], this.begins[number + 1]];
    if (begin === undefined || end === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(end - begin - this.markLength);
    const { bytesRead } = await this.file.read(bytes, 0, bytes.length, begin);
    const cells = bytes.toString('utf8').split(CELL);
    if (bytesRead !== bytes.length || cells.length !== this.columns.length) return undefined;
    const row: Row = Object.create(null);
    this.columns.forEach((column, index) => (row[column] = cells[index] || null));
    return row;
  }
}

/** Returns the average bytes of a row, from the first thousand. */
export async function rowBytes(duckdb: DuckDb, source: RowSource, signal: AbortSignal): Promise<number> {
  const rows = await duckdb.all(
    statement(duck`
      SELECT avg(strlen(${lineOf(source)})) AS bytes
      FROM read_parquet(${storedFile(source.path)}, file_row_number = true) WHERE file_row_number < ${ownNumber(SAMPLE)}`),
    signal,
  );
  return Number(rows[0]?.['bytes'] ?? 0);
}

/** Returns the cells of a row as one text. A missing value becomes an empty cell; no other value is empty (docs/engine.md). */
function lineOf({ columns }: RowSource): Sql {
  const cells = columns.map((column) => name(column));
  return duck`concat(${join(cells, duck`, chr(31), `)})`;
}

function copyOf(source: RowSource, mark: string, target: string) {
  return statement(duck`
    COPY (SELECT concat(${lineOf(source)}, ${ownText(mark)}) AS line FROM read_parquet(${storedFile(source.path)}))
    TO ${ownText(target)} (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01', FORCE_QUOTE (line))`);
}

/** Returns the offset of each row. @throws if their number is not `items` */
async function beginsOf(path: string, mark: Buffer, items: number, signal: AbortSignal): Promise<Float64Array> {
  const begins = new Float64Array(items + 1);
  let [rows, at] = [0, 0];
  let rest: Buffer = Buffer.alloc(0);
  for await (const portion of createReadStream(path, { highWaterMark: PORTION, signal })) {
    const text = Buffer.concat([rest, portion]);
    let from = 0;
    for (let found = text.indexOf(mark); found !== -1; found = text.indexOf(mark, from)) {
      from = found + mark.length;
      begins[++rows] = at + from;
    }
    at += from;
    rest = text.subarray(from);
  }
  if (rows !== items || rest.length > 0) throw new Error(`the row file has ${rows} rows instead of ${items}`);
  return begins;
}
