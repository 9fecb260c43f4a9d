import { z } from 'zod';
import { notFoundOrTrashed, showTrash } from '#catalogue/trash.ts';
import { loadDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { revokeJobs } from '#platform/jobs/revoke-jobs.ts';
import { TRASH_DAYS, type TrashEntry } from '#shared/operations/trash.ts';
import { UploadSettings } from '#shared/upload/schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Owned = { readonly company: string; readonly id: string };
/** A request to delete: by whom, when, and the name typed to confirm it. */
export type TrashRequest = { readonly typed: string; readonly by: string; readonly now: Date };

/** Returns the subjects whose jobs are suspended with a catalogue or an export. */
export const jobSubjects = (id: string): string[] =>
  ['master', 'export', 'stock', 'upload', 'images'].map((kind) => `${kind}:${id}`);

/**
 * Puts a catalogue with its exports into the trash. Returns the ids of the cancelled jobs. @throws 404, 409 if an account sells
 * from it, 422 if the typed name differs
 */
export async function trashMaster(trx: Trx, { company, id }: Owned, request: TrashRequest): Promise<string[]> {
  const found = await trx
    .selectFrom('masters')
    .select('name')
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw await notFoundOrTrashed(trx, 'masters', company, id);
  requireName(request.typed, found.name);
  const account = await trx
    .selectFrom('marketplace_accounts')
    .select('name')
    .where((eb) => eb.and({ company, master: id }))
    .limit(1)
    .executeTakeFirst();
  if (account)
    throw new KontorError(
      409,
      'account_sells',
      `Über das Konto „${account.name}“ werden Artikel dieses Katalogs verkauft, und seine Bestellungen kommen weiter. Es wurde nichts gelöscht. Entfernen Sie das Konto zuerst unter „Einstellungen“, „Kanäle“.`,
    );
  await showTrash(trx);
  const mark = { trashed_at: request.now, trashed_by: request.by };
  const exports = await trx
    .updateTable('exports')
    .set({ ...mark, trashed_with_master: true })
    .where((eb) => eb.and({ company, master: id, trashed_at: null }))
    .returning('id')
    .execute();
  await trx
    .updateTable('masters')
    .set(mark)
    .where((eb) => eb.and({ company, id }))
    .execute();
  return endJobs(trx, company, [id, ...exports.map((one) => one.id)]);
}

/** Puts an export into the trash. Returns the ids of the cancelled jobs. @throws 404, 422 if the typed name differs */
export async function trashExport(trx: Trx, { company, id }: Owned, request: TrashRequest): Promise<string[]> {
  const found = await trx
    .selectFrom('exports')
    .select('id')
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw await notFoundOrTrashed(trx, 'exports', company, id);
  requireName(request.typed, await exportName(trx, { company, id }));
  await showTrash(trx);
  await trx
    .updateTable('exports')
    .set({ trashed_at: request.now, trashed_by: request.by, trashed_with_master: false })
    .where((eb) => eb.and({ company, id }))
    .execute();
  return endJobs(trx, company, [id]);
}

/**
 * Restores an entry of the trash, a catalogue with the exports that were deleted with it. Returns its name and the restored
 * exports.
 * @throws 404, 409 for an export whose catalogue is in the trash too
 */
export async function restoreTrashed(
  trx: Trx,
  { company, id }: Owned,
  now: Date,
): Promise<{ name: string; exports: string[] }> {
  // What is due may have lost its files already.
  const since = new Date(now.getTime() - TRASH_DAYS * DAY_MS);
  const back = { trashed_at: null, trashed_by: null };
  await showTrash(trx);
  const master = await trx
    .updateTable('masters')
    .set(back)
    .where((eb) => eb.and({ company, id, purge_at: null }))
    .where('trashed_at', '>', since)
    .returning('name')
    .executeTakeFirst();
  if (master) {
    const exports = await trx
      .updateTable('exports')
      .set({ ...back, trashed_with_master: false })
      .where((eb) => eb.and({ company, master: id, trashed_with_master: true }))
      .returning('id')
      .execute();
    return { name: master.name, exports: exports.map((one) => one.id) };
  }
  const found = (await trashedExports(trx, company)).find(
    (one) => one.id === id && one.purge_at === null && one.trashed_at !== null && one.trashed_at > since,
  );
  if (!found) throw notFound('Diesen Eintrag im Papierkorb');
  if (found.masterTrashed)
    throw new KontorError(
      409,
      'catalogue_in_trash',
      `Auch der Katalog „${found.catalogue}“ liegt im Papierkorb. Bitte stellen Sie zuerst ihn wieder her.`,
    );
  // Meanwhile someone else may have restored it, or ordered its deletion.
  const { numUpdatedRows } = await trx
    .updateTable('exports')
    .set(back)
    .where((eb) => eb.and({ company, id, purge_at: null }))
    .where('trashed_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw notFound('Diesen Eintrag im Papierkorb');
  return { name: await exportName(trx, { company, id }), exports: [id] };
}

/** Whether files of one of these exports are uploaded to a server of the channel. */
export async function anySent(trx: Trx, company: string, exports: readonly string[]): Promise<boolean> {
  for (const id of exports) {
    const { body } = await loadDocument(trx, company, 'upload', `export:${id}`);
    if (body !== undefined && UploadSettings.parse(JSON.parse(body)).active) return true;
  }
  return false;
}

/**
 * Makes an entry of the trash due for permanent deletion now, a catalogue with all its exports. It cannot be restored afterwards.
 * @throws 404 for an id that is not in the trash or is being deleted already, 422 if the typed name differs
 */
export async function requestPurge(trx: Trx, company: string, request: { id: string; typed: string; now: Date }) {
  const { id, typed, now } = request;
  const entry = (await listTrash(trx, company, now)).find((one) => one.id === id);
  if (entry === undefined || Date.parse(entry.goesAt) <= now.getTime()) throw notFound('Diesen Eintrag im Papierkorb');
  requireName(typed, entry.name);
  // Of two simultaneous requests the second is told that the deletion has begun. What was restored meanwhile must not keep the
  // mark: it would be deleted at once when it comes into the trash again.
  const { numUpdatedRows } = await trx
    .updateTable(entry.kind === 'catalogue' ? 'masters' : 'exports')
    .set({ purge_at: now })
    .where((eb) => eb.and({ company, id, purge_at: null }))
    .where('trashed_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw notFound('Diesen Eintrag im Papierkorb');
}

/** Returns the entries of the trash, newest first. */
export async function listTrash(trx: Trx, company: string, now: Date): Promise<TrashEntry[]> {
  await showTrash(trx);
  const exports = await trashedExports(trx, company);
  const names = new Map<string, string>();
  for (const { id } of exports) names.set(id, await exportName(trx, { company, id }));
  const nameOf = (id: string) => names.get(id) ?? '';
  const masters = await trx
    .selectFrom('masters')
    .select(['id', 'name', 'trashed_at', 'trashed_by', 'purge_at'])
    .where('company', '=', company)
    .where('trashed_at', 'is not', null)
    .execute();
  const entries = [
    ...masters.map(({ id, name, ...row }) => ({
      ...timesOf(row, now),
      id,
      kind: 'catalogue' as const,
      name,
      catalogue: null,
      exports: exports.filter((one) => one.master === id && one.trashed_with_master).map((one) => nameOf(one.id)),
      waitsForCatalogue: false,
    })),
    ...exports
      .filter((one) => !one.trashed_with_master)
      .map(({ id, catalogue, masterTrashed, ...row }) => ({
        ...timesOf(row, now),
        id,
        kind: 'export' as const,
        name: nameOf(id),
        catalogue,
        exports: [],
        waitsForCatalogue: masterTrashed,
      })),
  ];
  return entries.toSorted((one, other) => other.trashedAt.localeCompare(one.trashedAt));
}

/** Returns the entries that are due: exports before the catalogues that they may belong to. */
export async function expired(trx: Trx, company: string, now: Date): Promise<TrashEntry[]> {
  const entries = await listTrash(trx, company, now);
  const due = entries.filter(({ goesAt }) => Date.parse(goesAt) <= now.getTime());
  return [...due.filter(({ kind }) => kind === 'export'), ...due.filter(({ kind }) => kind === 'catalogue')];
}

/** Returns the exports of a catalogue in the trash, whenever they were deleted. */
export async function exportsOf(trx: Trx, { company, id }: Owned): Promise<string[]> {
  await showTrash(trx);
  const rows = await trx
    .selectFrom('exports')
    .select('id')
    .where((eb) => eb.and({ company, master: id }))
    .execute();
  return rows.map((row) => row.id);
}

type TrashTimes = { trashed_at: Date | null; trashed_by: string | null; purge_at: Date | null };
function timesOf({ trashed_at: at, trashed_by: by, purge_at: purgeAt }: TrashTimes, now: Date) {
  const trashedAt = at ?? now;
  // A requested deletion is due even if this process's clock is behind.
  const ordered = purgeAt === null ? undefined : new Date(Math.min(purgeAt.getTime(), now.getTime()));
  const goesAt = ordered ?? new Date(trashedAt.getTime() + TRASH_DAYS * DAY_MS);
  const daysLeft = Math.max(0, Math.ceil((goesAt.getTime() - now.getTime()) / DAY_MS));
  return { trashedAt: trashedAt.toISOString(), trashedBy: by ?? '', goesAt: goesAt.toISOString(), daysLeft };
}

async function trashedExports(trx: Trx, company: string) {
  const rows = await trx
    .selectFrom('exports as e')
    .innerJoin('masters as m', (join) => join.onRef('m.company', '=', 'e.company').onRef('m.id', '=', 'e.master'))
    .select(['e.id', 'e.master', 'e.trashed_at', 'e.trashed_by', 'e.trashed_with_master', 'e.purge_at'])
    .select(['m.name as catalogue', 'm.trashed_at as master_trashed_at'])
    .where('e.company', '=', company)
    .where('e.trashed_at', 'is not', null)
    .execute();
  return rows.map(({ master_trashed_at: at, ...row }) => ({ ...row, masterTrashed: at !== null }));
}

const Named = z.object({ name: z.string() });

async function exportName(trx: Trx, { company, id }: Owned): Promise<string> {
  const { body } = await loadDocument(trx, company, 'settings', `export:${id}`);
  return Named.parse(JSON.parse(body ?? '{"name":""}')).name;
}

function requireName(typed: string, name: string): void {
  if (typed.trim() === name.trim()) return;
  throw unprocessable(
    'name_differs',
    `Zur Bestätigung wird der Name gebraucht, wie er hier steht: ${name}. Es wurde nichts gelöscht.`,
    [{ field: 'name', message: 'Das ist nicht der Name.' }],
  );
}

const endJobs = (trx: Trx, company: string, ids: readonly string[]): Promise<string[]> =>
  revokeJobs(trx, company, ids.flatMap(jobSubjects));
