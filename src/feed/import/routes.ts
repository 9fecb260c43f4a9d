import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { rejectedRowSchema, type RejectedRow } from '#shared/import/schema.ts';
import { holdMaster, loadMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { linesOf } from '#platform/text/lines-of.ts';
import { startImport, startUploaded } from '#feed/runs/start-runs.ts';
import type { WorkbookDeps } from '#platform/http/bodies/workbook-upload.ts';
import type { SharedCounts } from '#platform/http/limits/shared-counts.ts';
import { type PieceDeps, pieceRoutes } from './pieces/routes.ts';
import { receive } from './receive.ts';
import { Senders } from './senders.ts';
import { workbookRoutes } from './workbook/routes.ts';

export type ImportRouteDeps = Omit<PieceDeps, 'senders'> & WorkbookDeps & { counts: SharedCounts };

export async function importRoutes(app: FastifyInstance, deps: ImportRouteDeps): Promise<void> {
  const { database, storagePaths, vault, ids, jobs, quotas, importLimits, counts } = deps;
  const senders = new Senders(counts);
  await app.register(multipart);
  workbookRoutes(app, deps);

  route(app, api.importLimits, async () => ({
    uploadBytes: importLimits.uploaded,
    fetchBytes: importLimits.fetched,
  }));
  route(app, api.import, async ({ principal, params, request }) => {
    const { company } = principal;
    const { masterid } = params;
    await database.company(company, async (trx) => {
      await loadMaster(trx, company, masterid);
      await quotas.requireOneMore(trx, company, 'jobs');
    });
    await quotas.requireSpace(company);
    return senders.during(company, async () => {
      const runid = ids.id();
      const incoming = storagePaths.incoming(company, masterid, runid);
      const received = await receive(request, storagePaths, incoming, importLimits.uploaded);
      const { url, options, ...file } = received;
      const by = principal.name;
      const importOptions = { options, ...(principal.permissions.includes('prices') ? {} : { askReview: true }) };
      const order = async (trx: Trx) => {
        if (url !== undefined)
          return startImport(trx, { vault, ids }, { company, id: masterid }, { url, ...importOptions }, { by });
        // The catalogue or its company may have been deleted during the upload; then no job would ever remove the file.
        await holdMaster(trx, company, masterid);
        return startUploaded(trx, { company, id: masterid, runid }, { ...file, ...importOptions }, by);
      };
      const ordered = await database.company(company, order).catch(async (error: unknown) => {
        if (error instanceof KontorError) await storagePaths.store.remove([incoming]);
        throw error;
      });
      // The same file is already queued in another run: this one will not be read.
      if (ordered !== runid) await storagePaths.store.remove([incoming]);
      jobs.nudge();
      return { runid: ordered };
    });
  });
  await pieceRoutes(app, { ...deps, senders });
}

/** Returns a page of the rows that an import rejected, in file order, and their total. */
export async function readRejected(
  { store }: Pick<StoragePaths, 'store'>,
  path: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: RejectedRow[]; total: number }> {
  const rows: RejectedRow[] = [];
  let total = 0;
  try {
    for await (const line of linesOf(await store.stream(path))) {
      if (line === '') continue;
      if (total >= offset && rows.length < limit) rows.push(rejectedRowSchema.parse(JSON.parse(line)));
      total++;
    }
  } catch (error) {
    // No file: the run failed or was cancelled before it read anything.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return { rows, total };
}
