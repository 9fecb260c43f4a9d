import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBValue,
  type DuckDBVector,
  JSDuckDBValueConverter,
  listValue,
} from '@duckdb/node-api';
import type { BoundValue, Calculator, Connection, DuckRow, Statement, Task, TextRow } from './connection.ts';
import { type DuckOptions, spillFolder } from './instance.ts';
import { answerHere } from './tasks.ts';
import './whole-texts.ts';

/** Opens a DuckDB in memory that can read and write one folder only. */
export async function openInstance(options: DuckOptions): Promise<DuckDBInstance> {
  const { folder, memoryLimit = '2GB', threads, keepFiles = false } = options;
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: memoryLimit });
  const connection = await instance.connect();
  const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`;
  // DuckDB creates only the last folder of the path: without its parents no statement could spill.
  await mkdir(dirname(spillFolder(options)), { recursive: true, mode: 0o700 });
  await connection.run(`SET temp_directory = ${quoted(spillFolder(options))}`);
  await connection.run(`SET allowed_directories = [${quoted(`${folder}/`)}]`);
  await connection.run(`SET enable_external_file_cache = ${keepFiles}`);
  // Reading the metadata of a file of a million items takes 8 ms per statement. DuckDB checks whether the file is unchanged.
  await connection.run('SET parquet_metadata_cache = true');
  await connection.run('SET autoinstall_known_extensions = false');
  await connection.run('SET autoload_known_extensions = false');
  if (threads !== undefined) await connection.run(`SET threads = ${Math.max(1, Math.trunc(threads))}`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  connection.closeSync();
  return instance;
}

/** A connection to a DuckDB in this process. */
export class LocalConnection implements Connection {
  readonly isLost = false;
  private readonly instance: Calculator;
  private readonly connection: DuckDBConnection;
  private readonly onClosed: () => void;
  private readonly answering = new Set<AbortController>();
  constructor(instance: Calculator, connection: DuckDBConnection, onClosed: () => void) {
    this.instance = instance;
    this.connection = connection;
    this.onClosed = onClosed;
  }

  async *computed({ sql, values }: Statement): AsyncGenerator<DuckRow[]> {
    yield* rowsOf(await this.connection.run(sql, values.map(boundValue)));
  }

  async *stream({ sql, values }: Statement): AsyncGenerator<DuckRow[]> {
    yield* rowsOf(await this.connection.stream(sql, values.map(boundValue)));
  }

  async *streamTexts({ sql, values }: Statement): AsyncGenerator<TextRow[]> {
    for await (const { vectors, from, to } of portionsOf(await this.connection.stream(sql, values.map(boundValue))))
      yield Array.from({ length: to - from }, (_, at) => vectors.map((vector) => textOf(vector, from + at)));
  }

  async *answer(task: Task): AsyncGenerator<Uint8Array[]> {
    const gone = new AbortController();
    this.answering.add(gone);
    try {
      yield* answerHere(this.instance, task, gone.signal);
    } finally {
      this.answering.delete(gone);
    }
  }

  interrupt(): void {
    this.connection.interrupt();
    for (const gone of this.answering) gone.abort();
  }

  close(): void {
    this.connection.closeSync();
    this.onClosed();
  }
}

/** Values converted to JavaScript before other work may run. */
const VALUES_TOGETHER = 10_000;
type Portion = { readonly vectors: readonly DuckDBVector[]; readonly from: number; readonly to: number };

/** Yields a result in portions, letting other work run after each, so that thousands of wide rows do not hold up requests. */
async function* portionsOf(result: DuckDBResult): AsyncGenerator<Portion> {
  const together = Math.max(1, Math.floor(VALUES_TOGETHER / Math.max(1, result.columnCount)));
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const { rowCount, columnCount } = chunk;
    const vectors = Array.from({ length: columnCount }, (_, index) => chunk.getColumnVector(index));
    for (let from = 0; from < rowCount; from += together) {
      yield { vectors, from, to: Math.min(from + together, rowCount) };
      if (rowCount > together) await breathe();
    }
  }
}

async function* rowsOf(result: DuckDBResult): AsyncGenerator<DuckRow[]> {
  const names = result.deduplicatedColumnNames();
  for await (const { vectors, from, to } of portionsOf(result)) {
    const rows: DuckRow[] = [];
    for (let at = from; at < to; at++) {
      const row: DuckRow = {};
      for (const [index, vector] of vectors.entries())
        row[names[index] ?? ''] = JSDuckDBValueConverter(vector.getItem(at), vector.type, JSDuckDBValueConverter);
      rows.push(row);
    }
    yield rows;
  }
}

function textOf(vector: DuckDBVector, at: number): string | null {
  const value = vector.getItem(at);
  return value === null ? null : String(value);
}

/** Turns a list into DuckDB's own, which is a plain object after a message between processes. */
export function boundValue(value: BoundValue): DuckDBValue {
  return typeof value === 'object' && value !== null && 'items' in value ? listValue(value.items) : value;
}
