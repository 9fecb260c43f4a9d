import { countText, integerText } from '#shared/values/integer-text.ts';
import { createHash } from 'node:crypto';
import { basename, join, relative } from 'node:path';
import { showTrash } from '#catalogue/trash.ts';
import { DECISIONS_FOLDER, type StoragePaths } from '#catalogue/storage-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { ListedFile } from '#platform/storage/store.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { EXPORT_DAYS } from '#shared/operations/company-data.ts';

const HOUR_MS = 60 * 60 * 1000;

type Notice = { id: string; event: 'failed'; title: string; text: string; path: string };
export type OrphanDeps = {
  database: Pick<Database, 'company'>;
  storagePaths: StoragePaths;
  clock: Clock;
  log: Log;
  addNotification: (trx: Trx, company: string, notice: Notice) => Promise<unknown>;
};

/**
 * Removes uploads that no import needs and archives that have expired, and compares rows with files. Differences are reported to
 * users and never repaired automatically: a file that seems superfluous may be all that remains of something.
 */
export async function checkOrphans(deps: OrphanDeps, company: string): Promise<void> {
  const { database } = deps;
  const known = await database.company(company, (trx) => knownOf(trx, company));
  const { store, company: folderOf } = deps.storagePaths;
  const files = await store.list(folderOf(company));
  await removeUploads(deps, company, files, known.openRuns);
  await removeArchives(deps, company, files);
  const tidied = await store.tidy(company, new Date(deps.clock.now().getTime() - 24 * HOUR_MS));
  if (tidied.removed > 0) deps.log.info({ company, ...tidied }, 'objects without a row removed');
  const lost = [...(await lostTwice(deps, company, files)), ...tidied.lost];
  const unknownFolders = strangeFolders(deps, company, files, known.owners);
  if (lost.length + unknownFolders.length === 0) return;
  const text = [
    lost.length === 0
      ? ''
      : `${lost.length === 1 ? 'Es fehlt 1 Datei, von der' : `Es fehlen ${integerText(lost.length)} Dateien, von denen`} die Datenbank weiß: ${some(lost)}.`,
    unknownFolders.length === 0
      ? ''
      : `${countText(unknownFolders.length, 'Ordner gehört', 'Ordner gehören')} zu nichts mehr: ${some(unknownFolders)}.`,
    'Es wurde nichts gelöscht. Bitte vergleichen Sie mit einer Sicherung.',
  ];
  const hash = createHash('sha256')
    .update([...lost, ...unknownFolders].join('\n'))
    .digest('hex')
    .slice(0, 16);
  await database.company(company, (trx) =>
    deps.addNotification(trx, company, {
      // The same finding gets the same id and is reported once.
      id: `orphans-${hash}`,
      event: 'failed',
      title: 'Dateien und Datenbank passen nicht zusammen',
      text: text.filter((one) => one !== '').join(' '),
      path: '/benachrichtigungen',
    }),
  );
}

const some = (paths: readonly string[]): string =>
  paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` und ${integerText(paths.length - 5)} weitere` : '');

async function knownOf(trx: Trx, company: string) {
  await showTrash(trx);
  const idsOf = async (table: 'masters' | 'exports') =>
    (await trx.selectFrom(table).select('id').where('company', '=', company).execute()).map(({ id }) => id);
  // Read before the jobs: an upload that is finished between the two queries is found by the second one.
  const unfinished = await trx
    .selectFrom('import_uploads')
    .select('id')
    .where('company', '=', company)
    .where('runid', 'is', null)
    .execute();
  const open = await trx
    .selectFrom('jobs')
    .select('id')
    .where('company', '=', company)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return {
    owners: new Set([...(await idsOf('masters')), ...(await idsOf('exports'))]),
    openRuns: new Set([...open, ...unfinished].map(({ id }) => id)),
  };
}

/**
 * M2: removes uploads left by cancelled imports and by abandoned uploads in pieces. A recent one may belong to an import that is
 * just being created.
 */
async function removeUploads(
  { storagePaths, clock, log }: OrphanDeps,
  company: string,
  files: readonly ListedFile[],
  open: ReadonlySet<string>,
): Promise<void> {
  const left = files.filter(({ path, at }) => {
    const [, folder, name = ''] = relative(storagePaths.company(company), path).split('/');
    const run = name.split('.')[0] ?? name;
    return folder === 'incoming' && !open.has(run) && clock.now().getTime() - at.getTime() >= HOUR_MS;
  });
  await storagePaths.store.remove(left.map(({ path }) => path));
  if (left.length > 0) log.info({ company, removed: left.length }, 'uploads without an import removed');
}

async function removeArchives({ storagePaths, clock }: OrphanDeps, company: string, files: readonly ListedFile[]) {
  const folder = join(storagePaths.company(company), 'work');
  const old = files.filter(
    ({ path, at }) =>
      path === join(folder, basename(path)) &&
      path.endsWith('.tar') &&
      clock.now().getTime() - at.getTime() > EXPORT_DAYS * 24 * HOUR_MS,
  );
  await storagePaths.store.remove(old.map(({ path }) => path));
}

/** Returns files that are missing from `files` and from a second listing: the first one lacks the files of runs that ended since. */
async function lostTwice(deps: OrphanDeps, company: string, files: readonly ListedFile[]): Promise<string[]> {
  const lost = new Set(await lostFiles(deps, company, files));
  if (lost.size === 0) return [];
  const { store, company: folderOf } = deps.storagePaths;
  return (await lostFiles(deps, company, await store.list(folderOf(company)))).filter((one) => lost.has(one));
}

/** Returns files of snapshots, runs and old decisions that rows name but that are missing. */
async function lostFiles(
  { database, storagePaths }: OrphanDeps,
  company: string,
  files: readonly ListedFile[],
): Promise<string[]> {
  const { snapshots, outputs, archives } = await database.company(company, async (trx) => ({
    snapshots: await trx
      .selectFrom('snapshots')
      .select(['master', 'number'])
      .where((eb) => eb.and({ company, gone_at: null }))
      .execute(),
    outputs: await trx
      .selectFrom('export_files')
      .select(['export', 'number'])
      .where((eb) => eb.and({ company, gone_at: null }))
      .execute(),
    archives: await trx.selectFrom('decision_archives').select('key').where('company', '=', company).execute(),
  }));
  const paths = new Set(files.map(({ path }) => path));
  // A run has files with several endings; any of them will do.
  const runs = new Set(files.map(({ path }) => path.slice(0, path.length - basename(path).length) + firstWord(path)));
  const lost: string[] = [];
  for (const { master, number } of snapshots)
    if (!paths.has(storagePaths.snapshot(company, master, number))) lost.push(`${master}/snapshots/${number}.parquet`);
  for (const one of outputs)
    if (!runs.has(join(storagePaths.runFolder(company, one.export), String(one.number))))
      lost.push(`${one.export}/runs/${one.number}`);
  for (const { key } of archives) if (!paths.has(join(storagePaths.root, key))) lost.push(relative(company, key));
  return lost;
}

const firstWord = (path: string): string => basename(path).split('.')[0] ?? '';

/** Folders that belong to the company itself, not to a catalogue or an export. */
const ofCompany: ReadonlySet<string> = new Set(['work', DECISIONS_FOLDER]);

/** Returns folders of catalogues and exports that do not exist, not even in the trash. */
function strangeFolders(
  { storagePaths, clock }: OrphanDeps,
  company: string,
  files: readonly ListedFile[],
  owners: ReadonlySet<string>,
): string[] {
  const newest = new Map<string, number>();
  for (const { path, at } of files) {
    const name = relative(storagePaths.company(company), path).split('/')[0] ?? '';
    if (!owners.has(name) && !ofCompany.has(name)) newest.set(name, Math.max(newest.get(name) ?? 0, at.getTime()));
  }
  return [...newest].filter(([, at]) => clock.now().getTime() - at > HOUR_MS).map(([name]) => name);
}
