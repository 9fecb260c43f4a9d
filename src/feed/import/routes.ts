import { createInterface } from 'node:readline';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { rejectedRowSchema, type RejectedRow } from '#shared/import/schema.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { startImport, startUploaded } from '#feed/runs/start-runs.ts';
import type { SharedCounts } from '#platform/http/limits/shared-counts.ts';
import type { Ids } from '#platform/ids.ts';
import type { ImportDeps } from './job.ts';
import { receive } from './receive.ts';

const maxParallelUploads = 2;
/** How long others count an upload that goes on: longer than any. */
const HOUR_MS = 60 * 60 * 1000;

export type ImportRouteDeps = ImportDeps & { ids: Ids; jobs: Pick<Jobs, 'nudge'>; counts: SharedCounts };

export async function importRoutes(app: FastifyInstance, deps: ImportRouteDeps): Promise<void> {
  const { database, storagePaths, vault, ids, jobs, quotas, importLimits, counts } = deps;
  const uploading = new Map<string, number>();
  const count = (company: string, by: number) => {
    const now = (uploading.get(company) ?? 0) + by;
    uploading.set(company, now);
    counts.tell(`uploads:${company}`, now, HOUR_MS);
  };
  await app.register(multipart);

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
    if ((uploading.get(company) ?? 0) + counts.others(`uploads:${company}`) >= maxParallelUploads) {
      throw new KontorError(
        429,
        'too_many_uploads',
        'Es laufen bereits zwei Übertragungen. Bitte warten, bis eine fertig ist.',
        { retryAfter: 10 },
      );
    }
    count(company, 1);
    const runid = ids.id();
    try {
      const incoming = storagePaths.incoming(company, masterid, runid);
      const received = await receive(request, storagePaths, incoming, importLimits.uploaded);
      const { url, options, ...file } = received;
      const by = principal.name;
      const asked = { options, ...(principal.permissions.includes('prices') ? {} : { askReview: true }) };
      const ordered = await database.company(company, async (trx) => {
        if (url !== undefined)
          return startImport(trx, { vault, ids }, { company, id: masterid }, { url, ...asked }, { by });
        return startUploaded(trx, { company, id: masterid, runid }, { ...file, ...asked }, by);
      });
      // The same file waits already: nobody reads this one.
      if (ordered !== runid) await storagePaths.store.remove([incoming]);
      jobs.nudge();
      return { runid: ordered };
    } finally {
      count(company, -1);
    }
  });
}

/** A page of the rows that an import did not take, in the order of the file. */
export async function readRejected(
  { store }: StoragePaths,
  path: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: RejectedRow[]; total: number }> {
  const rows: RejectedRow[] = [];
  let total = 0;
  try {
    for await (const line of createInterface({ input: await store.stream(path), crlfDelay: Infinity })) {
      if (line === '') continue;
      if (total >= offset && rows.length < limit) rows.push(rejectedRowSchema.parse(JSON.parse(line)));
      total++;
    }
  } catch (error) {
    // No file: the run died before it read anything, or it was cancelled.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return { rows, total };
}
