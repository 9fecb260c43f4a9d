import { integerText } from '#shared/values/integer-text.ts';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { showTrash } from '#catalogue/trash.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { EXPORT_DAYS } from '#shared/operations/company-data.ts';

const HOUR_MS = 60 * 60 * 1000;

type Notice = { id: string; event: 'failed'; title: string; text: string; path: string };
export type OrphanDeps = {
  database: Database;
  storagePaths: StoragePaths;
  clock: Clock;
  log: Log;
  addNotification: (trx: Trx, company: string, notice: Notice) => Promise<unknown>;
};

/**
 * Removes uploads that no import waits for and archives whose days are over, and looks where rows and files do not fit together. That is
 * told to people and never mended by itself: what looks superfluous may be all that is left of something.
 */
export async function lookForOrphans(deps: OrphanDeps, company: string): Promise<void> {
  const { database } = deps;
  const known = await database.company(company, (trx) => knownOf(trx, company));
  await removeUploads(deps, company, known.openRuns);
  await removeArchives(deps, company);
  const lost = await lostFiles(deps, company);
  const strange = await strangeFolders(deps, company, known.owners);
  if (lost.length + strange.length === 0) return;
  const text = [
    lost.length === 0
      ? ''
      : `Es fehlen ${integerText(lost.length)} Dateien, von denen die Datenbank weiß: ${some(lost)}.`,
    strange.length === 0 ? '' : `${integerText(strange.length)} Ordner gehören zu nichts mehr: ${some(strange)}.`,
    'Es wurde nichts gelöscht. Bitte vergleichen Sie mit einer Sicherung.',
  ];
  const hash = createHash('sha256')
    .update([...lost, ...strange].join('\n'))
    .digest('hex')
    .slice(0, 16);
  await database.company(company, (trx) =>
    deps.addNotification(trx, company, {
      // The same finding is told once.
      id: `orphans-${hash}`,
      event: 'failed',
      title: 'Dateien und Datenbank passen nicht zusammen',
      text: text.filter((one) => one !== '').join(' '),
      path: '/benachrichtigungen',
    }),
  );
}

const some = (paths: readonly string[]): string =>
  paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` und ${paths.length - 5} weitere` : '');

async function knownOf(trx: Trx, company: string) {
  await showTrash(trx);
  const idsOf = async (table: 'masters' | 'exports') =>
    (await trx.selectFrom(table).select('id').where('company', '=', company).execute()).map(({ id }) => id);
  const open = await trx
    .selectFrom('jobs')
    .select('id')
    .where('company', '=', company)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return {
    owners: new Set([...(await idsOf('masters')), ...(await idsOf('exports'))]),
    openRuns: new Set(open.map(({ id }) => id)),
  };
}

/** M2: a cancelled import leaves its upload. A young one may belong to an import that is just being ordered. */
async function removeUploads({ storagePaths, clock, log }: OrphanDeps, company: string, open: ReadonlySet<string>) {
  const root = storagePaths.company(company);
  let removed = 0;
  for (const owner of await namesIn(root)) {
    const folder = join(root, owner, 'incoming');
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      const info = await stat(path).catch(() => undefined);
      const run = name.split('.')[0] ?? name;
      if (info === undefined || open.has(run) || clock.now().getTime() - info.mtimeMs < HOUR_MS) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    }
  }
  if (removed > 0) log.info({ company, removed }, 'uploads without an import removed');
}

async function removeArchives({ storagePaths, clock }: OrphanDeps, company: string): Promise<void> {
  const folder = join(storagePaths.company(company), 'work');
  for (const name of await namesIn(folder)) {
    const info = await stat(join(folder, name)).catch(() => undefined);
    const age = info === undefined ? 0 : clock.now().getTime() - info.mtimeMs;
    if (name.endsWith('.tar') && age > EXPORT_DAYS * 24 * HOUR_MS) await rm(join(folder, name), { force: true });
  }
}

/** Files of states and runs that rows name as kept. */
async function lostFiles({ database, storagePaths }: OrphanDeps, company: string): Promise<string[]> {
  const { snapshots, outputs } = await database.company(company, async (trx) => ({
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
  }));
  const lost = snapshots.flatMap(({ master, number }) =>
    existsSync(storagePaths.snapshot(company, master, number)) ? [] : [`${master}/snapshots/${number}.parquet`],
  );
  for (const id of new Set(outputs.map((one) => one.export))) {
    const names = await namesIn(storagePaths.runFolder(company, id));
    const there = new Set(names.map((name) => Number(name.split('.')[0])));
    for (const one of outputs) if (one.export === id && !there.has(one.number)) lost.push(`${id}/runs/${one.number}`);
  }
  return lost;
}

/** Folders of catalogues and exports that there are not, not even in the trash. */
async function strangeFolders({ storagePaths, clock }: OrphanDeps, company: string, owners: ReadonlySet<string>) {
  const root = storagePaths.company(company);
  const strange: string[] = [];
  for (const name of await namesIn(root)) {
    if (owners.has(name) || name === 'work' || name.endsWith('.tmp')) continue;
    const info = await stat(join(root, name)).catch(() => undefined);
    if (info !== undefined && clock.now().getTime() - info.mtimeMs > HOUR_MS) strange.push(name);
  }
  return strange;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
