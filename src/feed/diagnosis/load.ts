import { z } from 'zod';
import { channelName, templateOf } from '#catalogue/channels/channel-templates.ts';
import { loadExport, type ExportRecord } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { defineJob, payloadOf } from '#platform/jobs/job-definition.ts';
import type { Job } from '#platform/jobs/job.ts';
import type { Mapping } from '#shared/assignments/schema.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import type { ImagesState } from '#shared/diagnosis/schema.ts';
import type { Readiness } from '#shared/diagnosis/readiness.ts';
import { loadMappings } from '#feed/stages/assignments/store.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import { finishedRun, planAt, revisionsOf, type ItemPlan } from '#feed/explain/past-plan.ts';
import { liveOutput, outputOfRun, type OutputRecord } from '#feed/stages/output/store.ts';
import { loadJob } from '#feed/runs/runs.ts';
import { DiagnosisRecord } from '#feed/stages/validation/record.ts';

const Result = z.object({
  diagnosis: DiagnosisRecord.optional(),
  omitted: z.number().int().default(0),
  images: z
    .object({ addresses: z.number().int(), open: z.number().int(), unchecked: z.array(z.string()).default([]) })
    .optional(),
});

/** The findings of a finished run. `record` undefined: nothing was checked, or the run is older than the checks. */
export type PastDiagnosis = {
  readonly run: Job;
  readonly output: OutputRecord;
  readonly record: DiagnosisRecord | undefined;
  /** The run's own record, without the findings of a later check of its pictures. */
  readonly own: DiagnosisRecord | undefined;
  readonly omitted: number;
  readonly images: ImagesState | null;
};

export type LoadedDiagnosis = {
  readonly export: ExportRecord;
  /** The channel's name in sentences; '' if the channel has no requirements of its own. */
  readonly channel: string;
  readonly construction: readonly ConstructionRow[];
  readonly mappings: readonly Mapping[];
  /** undefined before the first finished run. */
  readonly past: PastDiagnosis | undefined;
};

/** Loads the diagnosis of the given run, else that of the file that is served. @throws 404, 409 as `finishedRun` */
export async function loadDiagnosis(trx: Trx, company: string, id: string, runid?: string): Promise<LoadedDiagnosis> {
  const record = await loadExport(trx, company, id);
  await loadMaster(trx, company, record.masterid);
  const { mappings } = await loadMappings(trx, company, record.masterid);
  const { rows } = await loadConstruction(trx, company, id);
  return {
    export: record,
    channel: channelName(templateOf(record.settings.channel)),
    construction: rows,
    mappings,
    past: await pastDiagnosis(trx, record, runid),
  };
}

async function pastDiagnosis(
  trx: Trx,
  record: ExportRecord,
  runid: string | undefined,
): Promise<PastDiagnosis | undefined> {
  const { company, id } = record;
  if (runid !== undefined) await finishedRun(trx, company, id, runid);
  const output = runid === undefined ? await liveOutput(trx, company, id) : await outputOfRun(trx, company, id, runid);
  if (!output) return undefined;
  const run = await loadJob(trx, company, output.runid);
  const { data } = Result.safeParse(JSON.parse(run.result));
  const images = await checkedImages(trx, record, run.id);
  return {
    run,
    output,
    record: images.record ?? data?.diagnosis,
    own: data?.diagnosis,
    omitted: data?.omitted ?? 0,
    images: data?.diagnosis && templateOf(record.settings.channel)?.images ? images.state : null,
  };
}

/** The findings of the last check of the run's pictures, and whether one is in progress. */
async function checkedImages(
  trx: Trx,
  { company, id }: ExportRecord,
  runid: string,
): Promise<{ record: DiagnosisRecord | undefined; state: ImagesState }> {
  const rows = await trx
    .selectFrom('jobs')
    .select(['id', 'state', 'payload', 'result'])
    .where((eb) => eb.and({ company, subject: imagesSubject(id) }))
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute();
  const running = rows.find(({ state }) => state === 'queued' || state === 'running')?.id ?? null;
  const last = rows.find(({ state, payload }) => state === 'done' && payloadOf(imagesJob, payload).run === runid);
  const data = last && Result.safeParse(JSON.parse(last.result)).data;
  const unknown = { addresses: null, open: null, unchecked: [] };
  return { record: data?.diagnosis, state: { ...unknown, ...data?.images, running } };
}

/** Job that checks the pictures of one run. */
export const imagesJob = defineJob({
  kind: 'images',
  payload: z.object({ owner: z.string(), run: z.string() }),
  pool: 'images',
});
export const imagesSubject = (id: string) => `images:${id}`;

/** Loads the plan that the run used, so that values are shown as they were written; undefined if it is no longer known. */
export async function stateOfRun(
  trx: Trx,
  storagePaths: StoragePaths,
  { export: record }: LoadedDiagnosis,
  { run }: PastDiagnosis,
): Promise<ItemPlan | undefined> {
  const revisions = revisionsOf(run);
  try {
    return revisions && (await planAt(trx, storagePaths, record, revisions));
  } catch (error) {
    if (error instanceof KontorError) return undefined;
    throw error;
  }
}

/** The readiness of the items of the served file; null if unknown. */
export async function readinessOf(trx: Trx, record: ExportRecord): Promise<Readiness | null> {
  return (await pastDiagnosis(trx, record, undefined))?.record?.readiness ?? null;
}

/** Whether the export's pictures were ever checked, and the latest such check is not still queued. */
export async function hasImageChecks(trx: Trx, company: string, id: string): Promise<boolean> {
  const last = await trx
    .selectFrom('jobs')
    .select('state')
    .where((eb) => eb.and({ company, subject: imagesSubject(id) }))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last !== undefined && last.state !== 'queued';
}
