import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { DifferenceSettings } from '#shared/difference/schema.ts';
import { outputKinds } from '#shared/exports/schema.ts';
import { loadDifference } from '#feed/difference/settings.ts';
import type { Quotas } from '#catalogue/quotas.ts';
import type { Clock } from '#platform/clock.ts';
import type { Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { finalName, temporaryName } from '#platform/jobs/job-files.ts';
import type { Job, JobContext, JobEnd } from '#platform/jobs/job.ts';
import { retryScheduled } from '#platform/jobs/retries.ts';
import type { Constructed } from '#feed/stages/construction/columns.ts';
import { validatedItems } from '#feed/plan/validated-items.ts';
import { deltaBase, deltaRun, type DeltaBase } from './incremental-run.ts';
import { judgeOutput, anomalies, releaseVerdict, type JudgedOutput } from '#feed/difference/release-check.ts';
import { hasImageChecks } from '#feed/diagnosis/load.ts';
import { loadPlan, type LoadedPlan } from '#feed/plan/load-plan.ts';
import { requestImages } from '#feed/images/job.ts';
import { runWarnings } from './warnings.ts';
import { quantityPriceColumns } from '#feed/stages/output/quantity-price.ts';
import { loadAccepted, stateFile, type PublishedBaseline } from './published-baseline.ts';
import { nextOutputNumber, publishOutput, type Sidecars } from '#feed/stages/output/store.ts';
import { keptOf } from '#feed/stages/output/spelling.ts';
import { mimeOf, writeOutput, type OutputSource } from '#feed/stages/output/write.ts';
import { abandonParts, clearParts, writeInParts, type PartsDeps } from './parts/run-in-parts.ts';
import { releasedPlan } from './released-plan.ts';
import { writeItems } from './write-run.ts';
import { exportSubject } from '#feed/runs/runs.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { itemCounter } from './export-metrics.ts';
import { requestUpload } from '#feed/delivery/upload-job.ts';

export type ExportDeps = PartsDeps & { clock: Clock; quotas: Quotas; metrics: Metrics };

export const exportJob = defineJob({
  kind: 'export',
  payload: z.object({
    owner: z.string(),
    by: z.string().optional(),
    scheduled: z.boolean().default(false),
    /** Whether to write the whole file even if normally only changes are delivered. */
    full: z.boolean().default(false),
  }),
  pool: 'export',
  retry: retryScheduled,
});

/** Turns items into the channel's file. The last good file is served until the new one is complete (I3). */
export function exportRunner(deps: ExportDeps): JobRunner {
  const countItems = itemCounter(deps.metrics);
  return jobRunner(exportJob, async (job, context) => {
    const { owner: id, full } = job.payload;
    await deps.quotas.requireSpace(job.company);
    const load = async (trx: Trx) => {
      const loaded = await loadPlan(trx, deps.storagePaths, job.company, id);
      return {
        ...loaded,
        delta: await deltaBase(trx, deps, loaded, full),
        before: await loadAccepted(trx, job.company, id),
        number: await nextOutputNumber(trx, job.company, id),
        difference: await loadDifference(trx, job.company, exportSubject(id)),
      };
    };
    const loaded = await releasedPlan(() => deps.database.company(job.company, load), context.signal);
    if (loaded.delta) context.progress({ done: 0, total: loaded.plan.snapshot.items, phase: 'Änderungen suchen' });
    const end = (await deltaRun(deps, job, loaded, context.signal)) ?? (await build(deps, job, loaded, context));
    countItems(end);
    return end;
  });
}

type Attempted = Pick<Job, 'company' | 'id' | 'fence'>;
type Loaded = LoadedPlan & {
  before: PublishedBaseline | undefined;
  number: number;
  delta: DeltaBase | undefined;
  difference: { settings: DifferenceSettings };
};

async function build(deps: ExportDeps, job: Attempted, loaded: Loaded, context: JobContext): Promise<JobEnd> {
  const { company } = job;
  const { record, plan, number } = loaded;
  const constructed = validatedItems(plan, record.settings.format);
  const pathOf = (ending: string) => deps.storagePaths.output(company, record.id, number, ending);
  await mkdir(dirname(pathOf('parquet')), { recursive: true });
  const temporary = (ending: string) => temporaryName(job, pathOf(ending));
  const made: string[] = [];
  const parted = plan.snapshot.items > deps.partsAbove ? { job, loaded } : undefined;
  const removeFiles = () => Promise.all(made.map((file) => rm(file, { force: true })));
  try {
    context.progress({ done: 0, total: plan.snapshot.items, phase: 'Regeln, Feldaufbau und Prüfung' });
    made.push(temporary('parquet'));
    const run = { constructed, temporary, made, signal: context.signal };
    const write = parted ? (target: string) => writeInParts(deps, parted, target, context) : undefined;
    const { items, omitted, found } = await writeItems(deps.duckdb, run, record.settings.omitInvalid, write);
    context.progress({ done: items, total: items, phase: 'Datei schreiben' });
    const files = { constructed, items, parquet: temporary('parquet'), temporary, made };
    const outputs = await writeFiles(deps.duckdb, loaded, files, context.signal);
    const judged = await judge(deps, loaded, { constructed, items, temporary }, context.signal);
    const { accepted, message, ...deviation } = releaseVerdict(judged);
    return {
      state: accepted ? 'done' : 'blocked',
      ...(message === undefined ? {} : { message }),
      result: {
        rowsIn: plan.snapshot.items,
        accepted: items,
        rejected: plan.snapshot.items - items,
        snapshot: plan.snapshot.number,
        output: number,
        ...deviation,
        warnings: runWarnings({ ...loaded, before: loaded.before?.output }, constructed, {
          written: outputs.written,
          items,
          omitted,
          found: found?.record,
        }).concat(anomalies(judged)),
        revisions: loaded.revisions,
        ...(found ? { diagnosis: found.record } : {}),
        omitted,
      },
      files: made.map((file) => ({ temporary: file, final: finalName(job, file) })),
      effect: (trx) =>
        publishRun(trx, deps, {
          output: { number, runid: job.id, items, whole: true, base: null, ...outputs.output },
          ref: { company, id: record.id },
          checked: found !== undefined,
          accepted,
        }),
      after: async (ended) => {
        await removeFiles();
        if (parted && ended) await clearParts(deps.storagePaths, parted);
      },
    };
  } catch (error) {
    await removeFiles();
    if (parted) await abandonParts(deps, parted, context.signal);
    throw error;
  }
}

type Published = {
  ref: { company: string; id: string };
  output: Parameters<typeof publishOutput>[2];
  checked: boolean;
  accepted: boolean;
};

async function publishRun(trx: Trx, { ids }: ExportDeps, { ref, output, checked, accepted }: Published): Promise<void> {
  await publishOutput(trx, ref, output, accepted);
  if (!accepted) return;
  await requestUpload(trx, { ...ref, jobid: ids.id() });
  // Once a user has had the pictures checked, they are checked after every run.
  if (checked && (await hasImageChecks(trx, ref.company, ref.id)))
    await requestImages(trx, { ...ref, run: output.runid, jobid: ids.id() });
}

type Files = {
  constructed: Constructed;
  items: number;
  parquet: string;
  temporary: (ending: string) => string;
  made: string[];
};

async function writeFiles(duckdb: DuckDb, { record, plan }: Loaded, files: Files, signal: AbortSignal) {
  const { format, name: title, filename } = record.settings;
  const { extension } = outputKinds[format.kind];
  const source: OutputSource = {
    parquet: files.parquet,
    items: files.items,
    columns: files.constructed.columns,
    title,
    id: record.id,
    updated: plan.snapshot.createdAt,
  };
  files.made.push(files.temporary(extension));
  const main = await writeOutput(duckdb, source, format, files.temporary(extension), signal);
  const sidecars: Sidecars = {
    ending: extension,
    ...keptOf(files.constructed.columns, format),
  };
  const few = quantityPriceColumns(files.constructed.columns, record.settings.stockFields);
  if (few.length > 0) {
    const ending = `quantityprice.${extension}`;
    files.made.push(files.temporary(ending));
    const written = await writeOutput(duckdb, { ...source, columns: few }, format, files.temporary(ending), signal);
    sidecars.quantityprice = { bytes: written.bytes, etag: written.etag, ending };
  }
  return {
    written: main,
    output: {
      name: filename,
      bytes: main.bytes,
      etag: main.etag,
      mime: mimeOf(format),
      sidecars,
    },
  };
}

/** Compares with the state that the channel has so far; by item number, as the channel does. */
async function judge(
  { duckdb, storagePaths }: ExportDeps,
  { record, before, difference }: Loaded,
  { constructed, items, temporary }: { constructed: Constructed; items: number; temporary: (ending: string) => string },
  signal: AbortSignal,
): Promise<JudgedOutput | undefined> {
  if (!before) return undefined;
  const target = temporary('stand.parquet');
  try {
    const path = await stateFile({ duckdb, storagePaths }, record, before, { target }, signal);
    const { format } = record.settings;
    const after = { path: temporary('parquet'), items, columns: constructed.columns, format };
    return await judgeOutput(duckdb, { record: before.output, path }, after, difference.settings, signal);
  } finally {
    await rm(target, { force: true });
  }
}
