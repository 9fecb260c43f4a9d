import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { exportTableNames, type ExportTable } from '#shared/assignments/schema.ts';
import type { TargetUpload } from '#shared/targets/schema.ts';
import { holdExport, loadExport } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { saveDocument } from '#platform/db/documents.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { unprocessable } from '#platform/errors.ts';
import { readUploadedTable, type WorkbookDeps } from '#platform/http/bodies/workbook-upload.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import { loadTargets, targetSubject } from '#feed/stages/assignments/store.ts';
import { listUpload } from './list-upload.ts';
import type { ReadList } from './read-list.ts';
import { receiveList } from './receive.ts';
import { vanishedTargets } from './vanished.ts';

export type TargetDeps = WorkbookDeps & { database: Database; storagePaths: StoragePaths; egress: Egress; ids: Ids };

/** CAT-11, BRA-02, COL-01: a channel's lists as data; each upload is a new revision of the document. */
export function targetRoutes(app: FastifyInstance, deps: TargetDeps): void {
  const { database, storagePaths, egress, ids } = deps;
  route(app, api.targetLists, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      const infos = [];
      for (const table of exportTableNames) {
        const { entries, revision, source, author, createdAt } = await loadTargets(
          trx,
          principal.company,
          params.id,
          table,
        );
        infos.push({
          table,
          revision,
          source,
          author,
          createdAt: createdAt?.toISOString() ?? null,
          entries: entries.length,
        });
      }
      return infos;
    }),
  );

  route(app, api.targets, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      return (await loadTargets(trx, principal.company, params.id, params.table)).entries;
    }),
  );

  route(app, api.uploadTargets, async ({ principal, params, request, signal }) => {
    await database.company(principal.company, (trx) => loadExport(trx, principal.company, params.id));
    const received = await receiveList(request, egress, storagePaths.work(principal.company, params.id, ids.id()));
    const list = 'from' in received ? received : await readReceived(deps, received, principal, signal);
    return database.company(principal.company, (trx) => takeList(trx, principal, params, list));
  });
}

async function readReceived(
  deps: WorkbookDeps,
  { bytes, source }: { bytes: Uint8Array; source: string },
  principal: Principal,
  signal: AbortSignal,
): Promise<NewList> {
  const table = await readUploadedTable(deps, listUpload, bytes, principal, signal);
  const { entries, warnings } = table.read;
  return { entries, warnings: [...table.notes, ...warnings], source };
}

type Place = { id: string; table: ExportTable };
type NewList = ReadList & { source: string };

async function takeList(
  trx: Trx,
  principal: Principal,
  { id, table }: Place,
  list: NewList | { from: string },
): Promise<TargetUpload> {
  const { company } = principal;
  // It may have been deleted while the list arrived.
  await holdExport(trx, company, id);
  const before = await loadTargets(trx, company, id, table);
  const { entries, warnings, source } = 'from' in list ? await listOf(trx, company, table, list.from) : list;
  const revision = await saveDocument(
    trx,
    { company, subject: targetSubject(table), scope: `export:${id}` },
    { body: JSON.stringify({ source, entries }), author: principal.name, expected: before.revision },
  );
  const was = new Set(before.entries.map((entry) => entry.id));
  const is = new Set(entries.map((entry) => entry.id));
  return {
    revision,
    entries: entries.length,
    added: entries.filter((entry) => !was.has(entry.id)).length,
    removed: before.entries.filter((entry) => !is.has(entry.id)).length,
    warnings,
    vanished: await vanishedTargets(trx, company, { id, table }, before.entries, is),
  };
}

/** Returns the list of another export. @throws KontorError if it has none */
async function listOf(trx: Trx, company: string, table: ExportTable, from: string): Promise<NewList> {
  const { settings } = await loadExport(trx, company, from);
  const { entries } = await loadTargets(trx, company, from, table);
  if (entries.length === 0)
    throw unprocessable(
      'list_empty',
      `Der Export „${settings.name}“ hat selbst noch keine solche Liste. Es wurde nichts geändert.`,
    );
  return { entries, warnings: [], source: `Export ‚${settings.name}‘` };
}
