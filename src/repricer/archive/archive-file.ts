import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { TextRow } from '#platform/duckdb/connection.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import {
  duck,
  join as joined,
  name,
  ownNumber,
  ownText,
  type Sql,
  statement,
  storedFile,
} from '#platform/duckdb/sql.ts';
import { KontorError } from '#platform/errors.ts';
import { useFile } from '#platform/storage/store.ts';
import { sealedColumns } from '#repricer/record/sealed-content.ts';
import type { Archive } from './archives.ts';

export type ArchiveDeps = { duckdb: DuckDb; storagePaths: Pick<StoragePaths, 'root' | 'store' | 'decisionArchives'> };

/** Error code for an archive file that is missing or altered. */
export const ARCHIVE_DAMAGED = 'decision_archive_damaged';

const damaged = ({ from_id, to_id, key }: Archive, cause?: unknown): KontorError =>
  new KontorError(
    503,
    ARCHIVE_DAMAGED,
    `Die Preisentscheidungen ${from_id + 1} bis ${to_id} liegen in einer Archivdatei, die fehlt oder nicht mehr die ist, die abgelegt wurde (${key}). Sie wird nicht verwendet. Bitte wenden Sie sich an den Betreiber: sie lässt sich nur aus einer Sicherung zurückholen.`,
    { cause },
  );

/** Rows per row group: an item is found by its name, so that little else has to be read with it. */
const ROW_GROUP = 4096;

const columnType = (column: string, kind: (typeof sealedColumns)[number][1]) =>
  kind === 'text' ? 'VARCHAR' : kind === 'time' || column === 'id' ? 'BIGINT' : 'INTEGER';
const spoolColumns = joined(
  sealedColumns.map(([column, kind]) => duck`${name(column)}: ${ownText(columnType(column, kind))}`),
  duck`, `,
);
/** An additional column that is not sealed: the outcome of the price (outcomes.ts). Files of older versions lack it. */
const OUTCOME = 'outcome';
const columnsWith = (time: (column: Sql) => Sql): Sql =>
  joined(
    sealedColumns.map(([column, kind]) => (kind === 'time' ? time(name(column)) : name(column))),
    duck`, `,
  );

/** Writes decisions (one JSON object per line, times in microseconds) as an archive file, sorted by item. */
export async function writeArchive(
  { duckdb }: ArchiveDeps,
  spool: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const columns = columnsWith((column) => duck`make_timestamp(${column}) AS ${column}`);
  const all = duck`${spoolColumns}, ${name(OUTCOME)}: ${ownText('VARCHAR')}`;
  const rows = duck`SELECT ${columns}, ${name(OUTCOME)} FROM read_json(${ownText(spool)}, format = 'newline_delimited', columns = {${all}})`;
  await duckdb.all(
    statement(
      duck`COPY (${rows} ORDER BY item, id) TO ${ownText(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ownNumber(ROW_GROUP)})`,
    ),
    signal,
  );
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/**
 * Runs `work` on an archive file, given as a SQL relation, after checking its bytes. @throws 503 if the file is missing or
 * altered
 */
async function withArchive<T>(
  { storagePaths }: ArchiveDeps,
  archive: Archive,
  work: (file: Sql) => Promise<T>,
): Promise<T> {
  const path = join(storagePaths.root, archive.key);
  try {
    return await useFile(storagePaths.store, path, async (local) => {
      if ((await sha256Of(local)) !== archive.sha256) throw damaged(archive);
      return work(duck`read_parquet(${storedFile(path)})`);
    });
  } catch (error) {
    const lost = error instanceof Error && 'code' in error && losses.has(String(error.code));
    throw lost ? damaged(archive, error) : error;
  }
}
const losses: ReadonlySet<string> = new Set(['ENOENT', 'file_lost', 'file_changed']);

const microseconds = columnsWith((column) => duck`epoch_us(${column})`);

/**
 * Passes all decisions of a file in the order of their ids to `take`, in batches; each as texts in the order of the sealed
 * columns.
 */
export const eachDecision = (
  deps: ArchiveDeps,
  archive: Archive,
  take: (rows: readonly TextRow[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> =>
  withArchive(deps, archive, async (file) => {
    const session = await deps.duckdb.session();
    try {
      const rows = statement(duck`SELECT ${microseconds} FROM ${file} ORDER BY id`);
      for await (const some of session.streamTexts(rows, signal)) await take(some);
    } finally {
      session.close();
    }
  });

/** Returns the rows of a query on a file. */
export const queryArchive = (deps: ArchiveDeps, archive: Archive, question: (file: Sql) => Sql, signal: AbortSignal) =>
  withArchive(deps, archive, (file) => deps.duckdb.all(statement(question(file)), signal));
