import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { loadExport } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { planAt, Revisions } from '#feed/explain/past-plan.ts';
import { validatedItems } from '#feed/plan/validated-items.ts';
import { planOfPart } from '#feed/plan/whole-catalogue.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import { isWanted } from '#platform/jobs/part-jobs.ts';
import { writeRun } from '#feed/export/write-run.ts';

/** Job for one part of a large run: some rows of the snapshot, at the run's revisions, with values that depend on all items. */
export const partJob = defineJob({
  kind: 'export-part',
  payload: z.object({
    export: z.string(),
    run: z.string(),
    part: z.number().int(),
    from: z.number().int(),
    to: z.number().int(),
    revisions: Revisions,
    /** The names under which items hold values that rules need of the whole catalogue. */
    keys: z.array(z.string()),
  }),
  pool: 'parts',
});
export const PartResult = z.object({ items: z.number().int() });

type PartDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** Writes the items of a part. If its worker dies, another takes over as for any job. */
export function partRunner({ database, duckdb, storagePaths }: PartDeps): JobRunner {
  return jobRunner(partJob, async (job, { signal }) => {
    const { company, payload } = job;
    const loaded = await database.company(company, async (trx) => {
      if (!(await isWanted(trx, company, payload.run))) return undefined;
      const record = await loadExport(trx, company, payload.export);
      return planAt(trx, storagePaths, record, payload.revisions);
    });
    // The run no longer waits for this part.
    if (loaded?.settings === undefined) return { state: 'cancelled' };
    const files = storagePaths.exportParts(company, payload.export, payload.run);
    const plan = planOfPart(loaded.plan, payload, { keys: payload.keys, answers: files.answers });
    const final = files.part(payload.part);
    const temporary = temporaryName(job, final);
    const clear = () => rm(temporary, { force: true });
    try {
      await mkdir(dirname(final), { recursive: true });
      const items = await writeRun(duckdb, validatedItems(plan, loaded.settings.format), temporary, signal);
      return { state: 'done', result: { items }, files: [{ temporary, final }], after: clear };
    } catch (error) {
      await clear();
      throw error;
    }
  });
}
