import { availableParallelism } from 'node:os';
import path from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { ROW_GROUP } from '#platform/duckdb/parquet.ts';
import '#platform/duckdb/whole-texts.ts';

/** Quotes text as an SQL literal; used only for our own paths, ids and CSV dialect characters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Above this number of columns DuckDB reserves far more memory than it uses: about 1.3 MB per column and thread. */
const wideFrom = 400;
const leastMegabytes = 1000;
const mostMegabytes = 2000;
/** DuckDB's Parquet writer reserves 4 MiB per column and thread, and may reserve half of the memory limit; 10 % added. */
const writerMegabytes = (columns: number, threads: number) => 2 * 4.4 * (columns + 2) * threads;
/** Processor time that polling and reporting alone does not use within minutes. */
const workMicros = 1_000_000;

/**
 * As many threads as the writer can reserve memory for, and that memory. With less, one thread of DuckDB 1.5.5 busily waits for
 * another: two threads for 60 columns in 1 GB took twice the processor time of one, and as long.
 */
function settingsFor(columns: number): { memory_limit: string; threads: string } {
  const fitting = Math.floor(mostMegabytes / writerMegabytes(columns, 1));
  const threads = Math.max(1, Math.min(availableParallelism(), fitting));
  const megabytes =
    columns > wideFrom ? 1000 + columns * 2 : Math.min(mostMegabytes, writerMegabytes(columns, threads));
  return { memory_limit: `${Math.ceil(Math.max(leastMegabytes, megabytes))}MB`, threads: String(threads) };
}

/**
 * DuckDB for one import. It can access only the work folder and the folders of the data and the result, and no statement can
 * lift that (T9). 1 GB is enough for any number of rows, more only enlarges the process; the writer's threads need up to 2 GB
 * for many columns, and very wide tables get more and smaller row groups.
 */
export class ImportSession {
  private readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  /** Rows per row group of the Parquet file. */
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
    // Without it DuckDB reports no progress, and a statement that writes for minutes would be taken for a standstill.
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
   * Returns whether a statement progressed or ended since the last call. While DuckDB processes what it spilled to disk, for
   * minutes with many rows, it reports no share; then processor time of this process counts as progress, since a stuck process
   * uses none.
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

  /** Returns all rows, values as JavaScript values in column order. Only for small results. */
  async rows(sql: string): Promise<unknown[][]> {
    const rows = (await this.connection.runAndReadAll(sql)).getRowsJS();
    this.ended += 1;
    return rows;
  }

  /** Yields the rows of a large result in chunks. */
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
