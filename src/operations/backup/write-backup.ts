import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createGzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '#platform/clock.ts';
import { secretFingerprint } from '#platform/crypto/install-secret.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { saveLastBackup } from '#platform/installation-facts.ts';
import { syncPath } from '#platform/storage/files.ts';
import { prefetch } from '#operations/file-places/several.ts';
import { withRemovalsHeld } from '#platform/storage/removal-hold.ts';
import type { Bucket } from '#platform/storage/s3/bucket.ts';
import { bucketSource, type FileSource, folderSource, type HeldFile } from './file-source.ts';
import { fileEntry, type Manifest, MANIFEST, MANIFEST_HASH, type MissingFile, tableEntry } from './manifest.ts';
import { plainTexts, rowsOf, RowSum, tablesOf, type TableShape } from './table-rows.ts';
import { SealedWriter } from './sealed-file.ts';
import { giveName, refuseExisting, removeUnfinished, temporaryName } from './target-file.ts';
import { TarWriter } from './tar.ts';

export type BackupDeps = {
  readonly database: Database;
  readonly itemsFolder: string;
  /** The bucket that holds the files; absent: they are in the folder. */
  readonly bucket?: Bucket | undefined;
  /** Leaves out lost files instead of failing. */
  readonly skipLost?: boolean | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secret: string;
  /** Version of the running program. */
  readonly program: string;
  /** The key that encrypts the backup; without one, anyone with the file can read it. */
  readonly key?: Buffer | undefined;
};
export type BackupResult = {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  readonly files: number;
  readonly missing: readonly MissingFile[];
  readonly sealed: boolean;
};

/**
 * Writes a backup of the database and the files of one moment into `file`, while the program runs. The file gets its final name
 * only once everything is on the disk. @throws 409 if it exists already
 */
export async function writeBackup(deps: BackupDeps, file: string, signal?: AbortSignal): Promise<BackupResult> {
  refuseExisting(file);
  const { itemsFolder, ids, database, clock, bucket } = deps;
  const id = ids.id();
  // Next to the files, because hard links need the same disk; a start removes what a killed backup left (`.tmp`).
  const work = join(itemsFolder, `backup-${id}.tmp`);
  const temporary = temporaryName(file, id);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await removeUnfinished(file, clock.now());
  await mkdir(work, { recursive: true, mode: 0o700 });
  try {
    const madeAt = clock.now();
    const source =
      bucket === undefined ? folderSource(itemsFolder, join(work, 'files')) : bucketSource(database, bucket);
    const write = async () => {
      const held = await holdMoment(deps, source, work, signal);
      const heading = { format: 2 as const, program: deps.program, madeAt: madeAt.toISOString() };
      return writeArchive(
        temporary,
        { work, source, skipLost: deps.skipLost ?? false, key: deps.key },
        { ...heading, ...held },
        signal,
      );
    };
    const manifest = await (bucket === undefined ? write() : withRemovalsHeld(database, ids.id(), write));
    await giveName(temporary, file);
    await syncPath(dirname(file));
    const { size: bytes } = await stat(file);
    await database.system((trx) => saveLastBackup(trx, { file, bytes }, madeAt));
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      file,
      bytes,
      rows,
      files: manifest.files.length,
      missing: manifest.missing,
      sealed: deps.key !== undefined,
    };
  } finally {
    await rm(work, { recursive: true, force: true });
    await rm(temporary, { force: true });
  }
}

type Held = Pick<Manifest, 'keyMark' | 'migrations'> & {
  tables: Omit<Manifest['tables'][number], 'sha256'>[];
  files: HeldFile[];
};

/**
 * Returns the rows of one moment, and holds the files that they refer to. A file is given its name in the transaction that
 * inserts its row, and is deleted only after that row says so. So ending runs and clearing files must wait while the files are
 * held; then every file of the moment exists. The embedded database has one connection, so nothing else runs meanwhile.
 */
async function holdMoment(
  { database, secret }: BackupDeps,
  source: FileSource,
  work: string,
  signal?: AbortSignal,
): Promise<Held> {
  const begin = <T>(run: (trx: Trx) => Promise<T>) =>
    database.kysely.transaction().setIsolationLevel('repeatable read').execute(run);
  return begin(async (trx) => {
    const hold = async () => {
      await plainTexts(trx);
      const migrations = await trx
        .selectFrom('migrations')
        .select(['number', 'name', 'checksum'])
        .orderBy('number')
        .execute();
      return { migrations, files: await source.hold(trx) };
    };
    const { migrations, files } =
      database.embedded || !source.blocks
        ? await hold()
        : await begin(async (blocker) => {
            await pg`set local lock_timeout = '20s'`.execute(blocker);
            await pg`lock table jobs, export_files, snapshots in exclusive mode`.execute(blocker);
            return hold();
          });
    const tables = [];
    for (const table of await tablesOf(trx)) {
      signal?.throwIfAborted();
      tables.push({ ...table, ...(await spoolTable(trx, table, join(work, `${table.name}.gz`))) });
    }
    return { keyMark: secretFingerprint(secret), migrations, tables, files };
  });
}

/** Writes the rows of a table into a gzip file, one JSON text per line. */
async function spoolTable(trx: Trx, table: TableShape, file: string): Promise<{ rows: number; rowsSha256: string }> {
  const sum = new RowSum();
  async function* lines() {
    for await (const rows of rowsOf(trx, table)) {
      sum.add(rows);
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  }
  await pipeline(lines, createGzip({ level: 1 }), createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  return { rows: sum.rows, rowsSha256: sum.digest() };
}

/** Writes the archive; returns its manifest. */
async function writeArchive(
  temporary: string,
  { work, source, skipLost, key }: { work: string; source: FileSource; skipLost: boolean; key: Buffer | undefined },
  held: Omit<Manifest, 'tables' | 'files' | 'missing'> & Pick<Held, 'tables' | 'files'>,
  signal?: AbortSignal,
): Promise<Manifest> {
  const handle = await open(temporary, 'w', 0o600);
  try {
    const sealed = key === undefined ? undefined : await SealedWriter.begin(handle, key);
    const archive = new TarWriter(sealed ?? handle, new Date(held.madeAt));
    const manifest: Manifest = { ...held, tables: [], files: [], missing: [] };
    for (const table of held.tables) {
      const path = join(work, `${table.name}.gz`);
      const { size } = await stat(path);
      const sha256 = await archive.add(tableEntry(table.name), size, createReadStream(path));
      manifest.tables.push({ ...table, sha256 });
    }
    const opening = prefetch(
      held.files,
      (file) => source.open(file),
      async (opened) => ('why' in opened ? undefined : opened.close()),
    );
    for await (const [{ path, stored }, opened] of opening) {
      signal?.throwIfAborted();
      if ('why' in opened) {
        if (opened.why === 'lost' && !skipLost) throw lost(path);
        manifest.missing.push({ path, why: opened.why });
        continue;
      }
      const sha256 = await archive.add(fileEntry(path), opened.bytes, opened.content);
      manifest.files.push({ path, bytes: opened.bytes, sha256, ...(stored ? { object: stored.object } : {}) });
    }
    const text = Buffer.from(JSON.stringify(manifest));
    await archive.add(MANIFEST, text.length, single(text));
    const hash = Buffer.from(createHash('sha256').update(text).digest('hex'));
    await archive.add(MANIFEST_HASH, hash.length, single(hash));
    await archive.end();
    await sealed?.end();
    await handle.sync();
    return manifest;
  } finally {
    await handle.close();
  }
}

const lost = (path: string): KontorError =>
  new KontorError(
    409,
    'file_lost',
    `Die Datei ${path} fehlt im Dateispeicher, obwohl die Datenbank sie nennt. Es wurde keine Sicherung angelegt. Bitte holen Sie sie aus einer Fassung oder Kopie des Buckets zurück, oder sichern Sie mit --skip-lost ohne sie.`,
  );

async function* single(text: Uint8Array): AsyncGenerator<Uint8Array> {
  yield text;
}
