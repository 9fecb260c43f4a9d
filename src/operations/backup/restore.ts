import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilePlace } from '#operations/file-places/file-place.ts';
import { severalAtOnce } from '#operations/file-places/several.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement } from '#platform/duckdb/sql.ts';
import { oneStartAtATime } from '#platform/db/start-lock.ts';
import { holdOutgoing, saveFilesPlace } from '#platform/installation-facts.ts';
import { type NewRow, replaceRows } from '#platform/storage/stored-rows.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { holdDeletions } from './hold-deletions.ts';
import { fileEntry, type Manifest } from './manifest.ts';
import { type Backup, openBackup, storedRows } from './read-backup.ts';
import { addRows, continueNumbers, plainTexts, rowsOf, RowSum, switchTriggers, tablesOf } from './table-rows.ts';
import { damaged, type TarReader } from './tar.ts';
import { UNFINISHED } from './unfinished.ts';

export type RestoreTarget = {
  readonly dataFolder: string;
  readonly itemsFolder: string;
  readonly databaseFolder: string;
  /** The place that receives the files. */
  readonly place: FilePlace;
  /** Opens the empty database that receives the rows. */
  readonly openDatabase: () => Promise<Database>;
  /** The folder of migrations. */
  readonly migrations: string;
  readonly now: Date;
  readonly log: Log;
  /** The key of a sealed backup. */
  readonly backupKey?: Buffer | undefined;
};
export type RestoreResult = { readonly manifest: Manifest; readonly snapshots: number; readonly sealed: boolean };

/**
 * Fills an empty folder or bucket and an empty database with a backup, and verifies the result: rows by number and hash, files by
 * hash, every live snapshot opened. Outgoing messages are held back and pending deletions postponed. Files are restored first: no
 * row may refer to a file that is not there yet.
 * @throws before anything is written: 409 for a target that is not empty, 422 for a backup that is damaged or newer
 */
export async function restoreBackup(file: string, target: RestoreTarget): Promise<RestoreResult> {
  const backup = await openBackup(file, target.migrations, target.backupKey);
  try {
    await refuseUsedPlaces(target);
    await mkdir(target.itemsFolder, { recursive: true, mode: 0o700 });
    const database = await openEmpty(target);
    try {
      const mark = join(target.dataFolder, UNFINISHED);
      await writeFile(mark, file, { mode: 0o600, flag: 'wx', flush: true });
      // A program started on this database meanwhile waits.
      const snapshots = await oneStartAtATime(database, target.log, () => fill(database, backup, target));
      await rm(mark);
      return { manifest: backup.manifest, snapshots, sealed: backup.sealed };
    } finally {
      await database.close();
    }
  } finally {
    await backup.archive.close();
  }
}

async function fill(database: Database, backup: Backup, target: RestoreTarget): Promise<number> {
  const { archive, manifest } = backup;
  const rows: NewRow[] = [];
  await severalAtOnce(manifest.files, async (one) => {
    const row = await target.place.put(one, () => archive.read(fileEntry(one.path)));
    if (row !== undefined) rows.push(row);
  });
  await target.place.end();
  await loadDatabase(database, backup, target.migrations);
  await migrate(database, target.migrations);
  await database.system(async (trx) => {
    await replaceRows(trx, rows);
    await saveFilesPlace(trx, { store: target.place.name }, target.now);
    await holdOutgoing(trx, manifest.madeAt, target.now);
    await holdDeletions(trx, new Date(manifest.madeAt), target.now);
  });
  return openSnapshots(database, backup, target);
}

const used = (what: string): KontorError =>
  new KontorError(
    409,
    'target_not_empty',
    `${what} Eine Wiederherstellung überschreibt nichts. Bitte geben Sie mit --into einen leeren Ordner an oder räumen Sie den bisherigen beiseite.`,
  );

async function refuseUsedPlaces({ dataFolder, databaseFolder, place }: RestoreTarget): Promise<void> {
  if (existsSync(join(dataFolder, UNFINISHED)))
    throw used(`In ${dataFolder} liegt eine Wiederherstellung, die nicht zu Ende kam.`);
  const first = await place.firstFile();
  if (place.name !== '' && first !== undefined)
    throw new KontorError(
      409,
      'target_not_empty',
      `Der Dateispeicher ${place.name} ist nicht leer (dort liegt etwa ${first}). Eine Wiederherstellung überschreibt nichts. Bitte nennen Sie mit KONTOR_STORE einen leeren Bucket oder einen anderen Ordner darin.`,
    );
  if (existsSync(databaseFolder) || first !== undefined) throw used(`In ${dataFolder} liegen schon Daten von Kontor.`);
}

async function openEmpty({ openDatabase }: RestoreTarget): Promise<Database> {
  const database = await openDatabase();
  const tables =
    await pg`select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') limit 1`.execute(
      database.kysely,
    );
  if (tables.rows.length === 0) return database;
  await database.close();
  throw used('Die Datenbank (DATABASE_URL) enthält schon Tabellen.');
}

/** Loads all rows in one transaction, into the schema that they were saved in, and reads them again. */
async function loadDatabase(database: Database, { archive, manifest }: Backup, folder: string): Promise<void> {
  await migrate(database, folder, new Set(manifest.migrations.map(({ number }) => number)));
  await database.kysely.transaction().execute(async (trx) => {
    await plainTexts(trx);
    const tables = await tablesOf(trx);
    const shapeOf = new Map(tables.map(({ name, columns }) => [name, columns.join()]));
    if (manifest.tables.some(({ name, columns }) => shapeOf.get(name) !== columns.join()))
      throw damaged('Ihre Tabellen passen nicht zu ihrer Fassung.');
    await switchTriggers(trx, tables, false);
    // Some migrations insert rows of their own.
    await pg`truncate ${pg.join(tables.map(({ name }) => pg.table(name)))} cascade`.execute(trx);
    for (const table of manifest.tables) await loadTable(trx, archive, table);
    await switchTriggers(trx, tables, true);
    await continueNumbers(trx);
  });
}

async function loadTable(trx: Trx, archive: TarReader, table: Manifest['tables'][number]): Promise<void> {
  for await (const rows of storedRows(archive, table.name)) await addRows(trx, table, rows);
  const sum = new RowSum();
  for await (const rows of rowsOf(trx, table)) sum.add(rows);
  if (sum.rows !== table.rows || sum.digest() !== table.rowsSha256)
    throw damaged(`Die Tabelle ${table.name} kam anders an, als sie gesichert wurde.`);
}

/** Opens every catalogue's live snapshot and counts its items. @throws 422 if one is missing or has another number of items */
async function openSnapshots(
  database: Database,
  { archive, manifest }: Backup,
  { itemsFolder, place }: RestoreTarget,
): Promise<number> {
  const missing = new Set(manifest.missing.map(({ path }) => path));
  const live = await database.system((trx) =>
    trx
      .selectFrom('masters as m')
      .innerJoin('snapshots as s', (join) =>
        join
          .onRef('s.company', '=', 'm.company')
          .onRef('s.master', '=', 'm.id')
          .onRef('s.number', '=', 'm.live_snapshot'),
      )
      .select(['s.company', 's.master', 's.number', 's.items'])
      // Files of a company that was being deleted are deleted before its rows, so they may be missing.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('company_deletions as d')
              .select('d.id')
              .whereRef('d.company', '=', 's.company')
              .where('d.due_at', '<=', new Date(manifest.madeAt)),
          ),
        ),
      )
      .execute(),
  );
  const scratch = join(itemsFolder, 'restore-check.tmp');
  let opened = 0;
  const duckdb = await DuckDb.open({ folder: itemsFolder, memoryLimit: '512MB' });
  try {
    for (const { company, master, number, items } of live) {
      const path = `${company}/${master}/snapshots/${number}.parquet`;
      if (missing.has(path)) continue;
      const local = place.name === '' ? join(itemsFolder, path) : scratch;
      // The object in the bucket has the same hash.
      if (local === scratch) await writeFile(scratch, archive.read(fileEntry(path)), { mode: 0o600 });
      const rows = existsSync(local)
        ? await duckdb.all(statement(duck`select count(*)::int as n from read_parquet(${local})`))
        : [];
      if (rows[0]?.['n'] !== items) throw damaged(`Der Stand ${number} des Katalogs ${master} ist nicht lesbar.`);
      opened++;
    }
  } finally {
    duckdb.close();
    await rm(scratch, { force: true });
  }
  return opened;
}
