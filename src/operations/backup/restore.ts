import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database, Trx } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement } from '#platform/duckdb/sql.ts';
import { holdOutgoing } from '#platform/installation-facts.ts';
import { syncPath } from '#platform/storage/files.ts';
import { fileEntry, type Manifest } from './manifest.ts';
import { type Backup, openBackup, storedRows } from './read-backup.ts';
import { addRows, continueNumbers, plainTexts, rowsOf, RowSum, switchTriggers, tablesOf } from './table-rows.ts';
import { damaged, type TarReader } from './tar.ts';

export type RestoreTarget = {
  readonly dataFolder: string;
  readonly itemsFolder: string;
  readonly databaseFolder: string;
  /** Opens the empty database that the rows go into. */
  readonly openDatabase: () => Promise<Database>;
  /** The folder of migrations. */
  readonly migrations: string;
  readonly now: Date;
};
export type RestoreResult = { readonly manifest: Manifest; readonly snapshots: number };

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
 * Makes an empty folder and an empty database what they were when the backup was made, and looks through what was made: rows by
 * number and hash, files by hash, every live snapshot opened. What would go out is held.
 * @throws before anything is written: 409 for a target that is not empty, 422 for a backup that is damaged or newer
 */
export async function restoreBackup(file: string, target: RestoreTarget): Promise<RestoreResult> {
  const backup = await openBackup(file, target.migrations);
  try {
    await refuseUsedFolder(target);
    await mkdir(target.itemsFolder, { recursive: true, mode: 0o700 });
    const database = await openEmpty(target);
    try {
      const mark = join(target.dataFolder, UNFINISHED);
      await writeFile(mark, file, { mode: 0o600, flag: 'wx', flush: true });
      await loadDatabase(database, backup, target.migrations);
      await extractFiles(backup, target.itemsFolder);
      const snapshots = await openSnapshots(database, target.itemsFolder);
      await migrate(database, target.migrations);
      await database.system((trx) => holdOutgoing(trx, backup.manifest.madeAt, target.now));
      await rm(mark);
      return { manifest: backup.manifest, snapshots };
    } finally {
      await database.close();
    }
  } finally {
    await backup.archive.close();
  }
}

const used = (what: string): KontorError =>
  new KontorError(
    409,
    'target_not_empty',
    `${what} Eine Wiederherstellung überschreibt nichts. Bitte geben Sie mit --into einen leeren Ordner an oder räumen Sie den bisherigen beiseite.`,
  );

async function refuseUsedFolder({ dataFolder, itemsFolder, databaseFolder }: RestoreTarget): Promise<void> {
  if (existsSync(join(dataFolder, UNFINISHED)))
    throw used(`In ${dataFolder} liegt eine Wiederherstellung, die nicht zu Ende kam.`);
  const names = await readdir(itemsFolder).catch(() => []);
  if (existsSync(databaseFolder) || names.length > 0) throw used(`In ${dataFolder} liegen schon Daten von Kontor.`);
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

async function extractFiles({ archive, manifest }: Backup, folder: string): Promise<void> {
  const folders = new Set<string>();
  for (const { path, sha256 } of manifest.files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    folders.add(dirname(target));
    const handle = await open(target, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      for await (const chunk of archive.read(fileEntry(path))) {
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      if (hash.digest('hex') !== sha256) throw damaged(`Die Datei ${path} kam anders an, als sie gesichert wurde.`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  for (const one of folders) await syncPath(one);
}

/** Opens every catalogue's state in force and counts its items. @throws 422 where one is missing or has other items */
async function openSnapshots(database: Database, itemsFolder: string): Promise<number> {
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
      .execute(),
  );
  const duckdb = await DuckDb.open({ folder: itemsFolder, memoryLimit: '512MB' });
  try {
    for (const { company, master, number, items } of live) {
      const path = join(itemsFolder, company, master, 'snapshots', `${number}.parquet`);
      const rows = existsSync(path)
        ? await duckdb.all(statement(duck`select count(*)::int as n from read_parquet(${path})`))
        : [];
      if (rows[0]?.['n'] !== items) throw damaged(`Der Stand ${number} des Katalogs ${master} ist nicht lesbar.`);
    }
  } finally {
    duckdb.close();
  }
  return live.length;
}
