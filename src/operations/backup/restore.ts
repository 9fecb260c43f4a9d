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

export type RestoreTarget = {
  readonly dataFolder: string;
  readonly itemsFolder: string;
  readonly databaseFolder: string;
  /** Where the files go. */
  readonly place: FilePlace;
  /** Opens the empty database that the rows go into. */
  readonly openDatabase: () => Promise<Database>;
  /** The folder of migrations. */
  readonly migrations: string;
  readonly now: Date;
  readonly log: Log;
  /** What a sealed backup is opened with. */
  readonly backupKey?: Buffer | undefined;
};
export type RestoreResult = { readonly manifest: Manifest; readonly snapshots: number; readonly sealed: boolean };

/** Stands in the data folder while a restore is at work: a start refuses such a folder. */
const UNFINISHED = 'restore-unfinished';

/** To be called before a start: half a restore must not be taken for the whole. */
export function refuseUnfinished(dataFolder: string): void {
  if (existsSync(join(dataFolder, UNFINISHED)))
    throw new Error(
      `In ${dataFolder} liegt eine Wiederherstellung, die nicht zu Ende kam. Bitte räumen Sie den Ordner beiseite und stellen Sie erneut wieder her.`,
    );
}

/**
 * Makes an empty folder or bucket and an empty database what they were when the backup was made, and looks through what was made: rows by
 * number and hash, files by hash, every live snapshot opened. What would go out is held, and what was to be deleted. Files come first: until
 * all of them are there, no row names one.
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
      // A program that is started on this database meanwhile waits.
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

/** All rows in one transaction, in the schema that they were saved in, and read again. */
async function loadDatabase(database: Database, { archive, manifest }: Backup, folder: string): Promise<void> {
  await migrate(database, folder, new Set(manifest.migrations.map(({ number }) => number)));
  await database.kysely.transaction().execute(async (trx) => {
    await plainTexts(trx);
    const tables = await tablesOf(trx);
    const shapeOf = new Map(tables.map(({ name, columns }) => [name, columns.join()]));
    if (manifest.tables.some(({ name, columns }) => shapeOf.get(name) !== columns.join()))
      throw damaged('Ihre Tabellen passen nicht zu ihrer Fassung.');
    await switchTriggers(trx, tables, false);
    // Some migrations write rows of their own.
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

/** Opens every catalogue's state in force and counts its items. @throws 422 where one is missing or has other items */
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
      // Of a company that was being deleted the files go first.
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
      // What lies in the bucket has the same hash.
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
