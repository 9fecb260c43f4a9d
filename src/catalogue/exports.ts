import type { InferResult } from 'kysely';
import { ExportSettings } from '#shared/exports/schema.ts';
import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadMaster } from './masters.ts';
import { notFoundOrTrashed, showTrash } from './trash.ts';

/** One output of a master to one channel. Its settings are a document; the row holds values that users do not edit. */
export type ExportRecord = {
  company: string;
  id: string;
  masterid: string;
  feedToken: string;
  liveFile: number | null;
  settings: ExportSettings;
  revision: number;
};

const exportRows = (trx: Trx) =>
  trx.selectFrom('exports').select(['company', 'id', 'master', 'feed_token', 'live_file']);
type ExportRow = InferResult<ReturnType<typeof exportRows>>[number];

async function withSettings(trx: Trx, row: ExportRow): Promise<ExportRecord> {
  const { body, revision } = await loadDocument(trx, row.company, 'settings', `export:${row.id}`);
  return {
    company: row.company,
    id: row.id,
    masterid: row.master,
    feedToken: row.feed_token,
    liveFile: row.live_file,
    settings: ExportSettings.parse(JSON.parse(body ?? '{}')),
    revision,
  };
}

/** Returns one export of the company. @throws 404 if there is none with this id */
export async function loadExport(trx: Trx, company: string, id: string): Promise<ExportRecord> {
  const row = await exportRows(trx).where('company', '=', company).where('id', '=', id).executeTakeFirst();
  if (!row) throw await notFoundOrTrashed(trx, 'exports', company, id);
  return withSettings(trx, row);
}

/** Locks the export until the transaction ends, so that it cannot go into the trash. @throws 404 */
export async function holdExport(trx: Trx, company: string, id: string): Promise<void> {
  const row = await trx
    .selectFrom('exports')
    .select('id')
    .where((eb) => eb.and({ company, id }))
    .forShare()
    .executeTakeFirst();
  if (!row) throw await notFoundOrTrashed(trx, 'exports', company, id);
}

/** Returns the export of a valid feed token, of any company; needs a system transaction. */
export async function exportOfToken(trx: Trx, token: string, now: Date): Promise<ExportRecord | undefined> {
  const row =
    (await exportRows(trx).where('feed_token', '=', token).executeTakeFirst()) ??
    (await exportRows(trx)
      .where('id', '=', (eb) =>
        eb.selectFrom('old_feed_addresses').select('export').where('token', '=', token).where('until', '>', now),
      )
      .executeTakeFirst());
  return row && withSettings(trx, row);
}

/** Whether a feed token belongs to an export in the trash. */
export async function isTrashedToken(trx: Trx, token: string, now: Date): Promise<boolean> {
  await showTrash(trx);
  return (await exportOfToken(trx, token, now)) !== undefined;
}

/**
 * Gives an export a new feed token. The present one stays valid until `until`; undefined: it and all earlier ones become invalid
 * at once, because a user who renews without grace assumes that someone else knows them.
 */
export async function renewFeedToken(
  trx: Trx,
  { company, id, feedToken: token }: ExportRecord,
  { feedToken, until }: { feedToken: string; until: Date | undefined },
): Promise<void> {
  if (until === undefined)
    await trx
      .deleteFrom('old_feed_addresses')
      .where((eb) => eb.and({ company, export: id }))
      .execute();
  else await trx.insertInto('old_feed_addresses').values({ company, token, export: id, until }).execute();
  await trx
    .updateTable('exports')
    .set({ feed_token: feedToken })
    .where((eb) => eb.and({ company, id }))
    .execute();
}

export async function listExports(trx: Trx, company: string, masterid: string): Promise<ExportRecord[]> {
  const rows = await exportRows(trx)
    .where('company', '=', company)
    .where('master', '=', masterid)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const records: ExportRecord[] = [];
  for (const row of rows) records.push(await withSettings(trx, row));
  return records;
}

export async function createExport(
  trx: Trx,
  made: { company: string; masterid: string; id: string; feedToken: string; settings: ExportSettings; author: string },
): Promise<void> {
  await loadMaster(trx, made.company, made.masterid);
  await trx
    .insertInto('exports')
    .values({ company: made.company, id: made.id, master: made.masterid, feed_token: made.feedToken })
    .execute();
  await saveSettings(trx, { company: made.company, id: made.id }, made.settings, made.author, undefined);
}

export function saveSettings(
  trx: Trx,
  ref: { company: string; id: string },
  settings: ExportSettings,
  author: string,
  expected: number | undefined,
): Promise<number> {
  return saveDocument(
    trx,
    { company: ref.company, subject: 'settings', scope: `export:${ref.id}` },
    { body: JSON.stringify(settings), author, expected },
  );
}

/** A master or one of its exports: rules and similar documents exist once for the master and once for each export. */
export type Scope =
  | { kind: 'master'; masterid: string; name: string }
  | { kind: 'export'; masterid: string; id: string; name: string };

/**
 * Resolves an id in a path to a master or an export; both kinds come from one generator and never collide. @throws 404 for
 * neither
 */
export async function resolveScope(trx: Trx, company: string, id: string): Promise<Scope> {
  const found = await trx
    .selectFrom('exports')
    .select('master')
    .where('company', '=', company)
    .where('id', '=', id)
    .executeTakeFirst();
  if (found) return { kind: 'export', id, masterid: found.master, name: `export:${id}` };
  const master = await loadMaster(trx, company, id).catch(async (missing: unknown) => {
    const trashed = await notFoundOrTrashed(trx, 'exports', company, id);
    throw trashed.code === 'in_trash' ? trashed : missing;
  });
  return { kind: 'master', masterid: master.masterid, name: `master:${master.masterid}` };
}
