import { availableParallelism } from 'node:os';
import path from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { ROW_GROUP } from '#platform/duckdb/parquet.ts';
import '#platform/duckdb/whole-texts.ts';

/** Text as an SQL literal; only our own paths, ids and dialect marks are written this way. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Past this many columns DuckDB books far more memory than it touches: about 1.3 MB a column and thread. */
const wideFrom = 400;
const leastMegabytes = 1000;
const mostMegabytes = 2000;
/** DuckDB's writer books 4 MiB for each column and thread, and may book half of the memory; with a little above. */
const writerMegabytes = (columns: number, threads: number) => 2 * 4.4 * (columns + 2) * threads;
/** Processor time that asking and telling alone does not take in minutes. */
const workMicros = 1_000_000;

/**
 * So many threads as the writer can book memory for, and the memory for them. With less, DuckDB 1.5.5 lets one thread wait for the other by asking
 * again and again: two threads for 60 columns in 1 GB took twice the processor time of one, and as long.
 */
function settingsFor(columns: number): { memory_limit: string; threads: string } {
  const fitting = Math.floor(mostMegabytes / writerMegabytes(columns, 1));
  const threads = Math.max(1, Math.min(availableParallelism(), fitting));
  const megabytes =
    columns > wideFrom ? 1000 + columns * 2 : Math.min(mostMegabytes, writerMegabytes(columns, threads));
  return { memory_limit: `${Math.ceil(Math.max(leastMegabytes, megabytes))}MB`, threads: String(threads) };
}

/**
 * DuckDB for one import: sees the work folder and the folders of the data and the result, nothing else, and cannot be
 * unlocked by any statement (T9). 1 GB is enough for any number of rows, more only makes the process bigger; the writer's
 * threads need up to 2 GB where there are many columns, and very wide tables get more and smaller row groups.
 */
export class ImportSession {
  private readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  /** Rows of a row group of the Parquet file. */
  readonly rowGroup: number;
  private percentage = -1;
  private ended = 0;
  private worked = 0;
  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, rowGroup: number) {
    this.instance = instance;
    this.connection = connection;
    this.rowGroup = rowGroup;
  }

  static async open(workFolder: string, others: readonly string[], columns: number): Promise<ImportSession> {
    const wide = columns > wideFrom;
    const instance = await DuckDBInstance.create(':memory:', settingsFor(columns));
    const connection = await instance.connect();
    const folders = [workFolder, ...others].map((folder) => literal(`${folder}/`)).join(', ');
    await connection.run(`SET temp_directory = ${literal(path.join(workFolder, 'duckdb-tmp'))}`);
    await connection.run(`SET allowed_directories = [${folders}]`);
    // Without it DuckDB does not say how far a statement is, and one that writes for minutes would be taken for a standstill.
    await connection.run('SET enable_progress_bar = true');
    await connection.run('SET enable_progress_bar_print = false');
    await connection.run('SET autoinstall_known_extensions = false');
    await connection.run('SET autoload_known_extensions = false');
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    const fitting = Math.floor((ROW_GROUP * wideFrom) / Math.max(1, columns) / 2048) * 2048;
    return new ImportSession(instance, connection, wide ? Math.max(2048, fitting) : ROW_GROUP);
  }

  /**
   * Whether a statement has got on, or has ended, since this was asked last. What DuckDB computes from what it has put on the disk it
   * gives no share of, for minutes with many rows: then it counts that this process works, which one that stands still does not.
   */
  gotOn(): boolean {
    const { percentage } = this.connection.progress;
    const { user, system } = process.cpuUsage();
    const did = this.ended > 0 || percentage !== this.percentage || user + system - this.worked > workMicros;
    this.ended = 0;
    this.percentage = percentage;
    if (did) this.worked = user + system;
    return did;
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql);
    this.ended += 1;
  }

  /** All rows, values as JavaScript values in column order. Only for small answers. */
  async rows(sql: string): Promise<unknown[][]> {
    const rows = (await this.connection.runAndReadAll(sql)).getRowsJS();
    this.ended += 1;
    return rows;
  }

  /** Rows of a large answer in pieces. */
  async *pieces(sql: string): AsyncGenerator<unknown[][]> {
    const result = await this.connection.stream(sql);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      this.ended += 1;
      yield chunk.getRows();
    }
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}
