import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name, ownNumber, ownText, type Sql, statement, storedFile } from '#platform/duckdb/sql.ts';

/** Between two cells. An item whose texts hold it has too many of them, and is read from the snapshot. */
const CELL = '\u001F';
/** So short that looking through it holds up nobody. */
const PORTION = 256 * 1024;

/** Rows that are looked at to reckon how long they are. */
const SAMPLE = 1000;

/** A snapshot's file, its columns, and how many rows it has. */
export type RowSource = { readonly path: string; readonly columns: readonly string[]; readonly items: number };
export type Row = Record<string, string | null>;

/**
 * All rows of a snapshot one after the other, with where each begins. Fifty rows that lie apart are fifty short reads here; a column store
 * unpacks some thousand rows for each of them. The file has no name any more and is gone with the process.
 */
export class RowFile {
  /** On the disk and in memory. */
  readonly bytes: number;
  private readonly file: FileHandle;
  private readonly columns: readonly string[];
  /** Where each row begins; the last one is the end of the file. */
  private readonly begins: Float64Array;
  private readonly markLength: number;

  private constructor(file: FileHandle, columns: readonly string[], begins: Float64Array, markLength: number) {
    this.file = file;
    this.columns = columns;
    this.begins = begins;
    this.markLength = markLength;
    this.bytes = (begins.at(-1) ?? 0) + begins.byteLength;
  }

  /** @throws where the file cannot be written, or `signal` ends it */
  static async make(duckdb: DuckDb, source: RowSource, signal: AbortSignal): Promise<RowFile> {
    // Nobody can know it before, so no text of a catalogue looks like the end of its row.
    const mark = `\u001E${randomBytes(12).toString('hex')}\n`;
    // A killed process leaves it; it goes as other temporary files do.
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

  /** The rows at these numbers; one that cannot be told from here is left out. */
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

/** Bytes of a row, by the first thousand. */
export async function rowBytes(duckdb: DuckDb, source: RowSource, signal: AbortSignal): Promise<number> {
  const rows = await duckdb.all(
    statement(duck`
      SELECT avg(strlen(${lineOf(source)})) AS bytes
      FROM read_parquet(${storedFile(source.path)}, file_row_number = true) WHERE file_row_number < ${ownNumber(SAMPLE)}`),
    signal,
  );
  return Number(rows[0]?.['bytes'] ?? 0);
}

/** The cells of a row as one text. A missing value is an empty one: no other is empty (docs/engine.md). */
function lineOf({ columns }: RowSource): Sql {
  const cells = columns.map((column) => name(column));
  return duck`concat(${join(cells, duck`, chr(31), `)})`;
}

function copyOf(source: RowSource, mark: string, target: string) {
  return statement(duck`
    COPY (SELECT concat(${lineOf(source)}, ${ownText(mark)}) AS line FROM read_parquet(${storedFile(source.path)}))
    TO ${ownText(target)} (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01', FORCE_QUOTE (line))`);
}

/** @throws where there are not as many rows as there should be */
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
  if (rows !== items || rest.length > 0) throw new Error(`${rows} rows in place of ${items}`);
  return begins;
}
