import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { DifferenceSettings } from '#shared/difference/schema.ts';
import { outputKinds } from '#shared/exports/schema.ts';
import { loadDifference } from '#feed/difference/settings.ts';
import type { Places } from '#catalogue/storage-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { KontorError } from '#platform/errors.ts';
import { publish } from '#platform/storage/files.ts';
import type { Ids } from '#platform/ids.ts';
import type { Job, JobContext, JobEnd, JobHandler } from '#platform/jobs/jobs.ts';
import { failedOrAgain } from '#platform/jobs/retries.ts';
import type { Constructed } from '#feed/stages/construction/stage.ts';
import { checkedItems } from '#feed/plan/validated-items.ts';
import { deltaBase, deltaRun, type DeltaBase } from './incremental-run.ts';
import { judgeOutput, oddities, verdictOf, type JudgedOutput } from '#feed/difference/release-check.ts';
import { looksAtImages } from '#feed/diagnosis/load.ts';
import { loadPlan, type LoadedPlan } from '#feed/plan/load-plan.ts';
import { orderImages } from '#feed/images/job.ts';
import { runWarnings } from './warnings.ts';
import { quantityPriceColumns } from '#feed/stages/output/quantity-price.ts';
import { loadAccepted, stateFile, type AcceptedState } from './published-baseline.ts';
import { nextOutputNumber, publishOutput, type Companions } from '#feed/stages/output/store.ts';
import { mimeOf, writeOutput, type OutputSource } from '#feed/stages/output/write.ts';
import { writeItems } from './write-run.ts';
import { exportSubject } from '#feed/runs/runs.ts';
import { orderUpload } from '#feed/delivery/upload-job.ts';

export type ExportParts = { database: Database; duck: Duck; places: Places; ids: Ids; clock: Clock };

const Payload = z.object({
  owner: z.string(),
  scheduled: z.boolean().default(false),
  full: z.boolean().default(false),
});

/** Items become the channel's file. The last good file is served until the new one is complete (I3). */
export function exportJob(parts: ExportParts): JobHandler {
  return async (job, context) => {
    const { owner: id, scheduled, full } = Payload.parse(JSON.parse(job.payload));
    try {
      const loaded = await parts.database.company(job.company, async (trx) => {
        const asked = await loadPlan(trx, parts.places, job.company, id);
        return {
          ...asked,
          delta: await deltaBase(trx, parts, asked, full),
          before: await loadAccepted(trx, job.company, id),
          number: await nextOutputNumber(trx, job.company, id),
          difference: await loadDifference(trx, job.company, exportSubject(id)),
        };
      });
      if (loaded.delta) context.progress({ done: 0, total: loaded.plan.snapshot.items, phase: 'Änderungen suchen' });
      return (await deltaRun(parts, job, loaded, context.signal)) ?? (await build(parts, job, loaded, context));
    } catch (error) {
      if (!(error instanceof KontorError) || context.signal.aborted) throw error;
      return failedOrAgain(job, error, scheduled);
    }
  };
}

type Loaded = LoadedPlan & {
  before: AcceptedState | undefined;
  number: number;
  delta: DeltaBase | undefined;
  difference: { settings: DifferenceSettings };
};

async function build(parts: ExportParts, job: Job, loaded: Loaded, context: JobContext): Promise<JobEnd> {
  const { company } = job;
  const { record, plan, number } = loaded;
  const constructed = checkedItems(plan, record.settings.format);
  const place = (ending: string) => parts.places.output(company, record.id, number, ending);
  await mkdir(dirname(place('parquet')), { recursive: true });
  const temporary = (ending: string) => `${place(ending)}.${job.id}.tmp`;
  const made: string[] = [];
  const clear = async () => {
    for (const file of made) await rm(file, { force: true });
  };
  try {
    context.progress({ done: 0, total: plan.snapshot.items, phase: 'Regeln, Feldaufbau und Prüfung' });
    made.push(temporary('parquet'));
    const run = { constructed, temporary, made, signal: context.signal };
    const { items, omitted, found } = await writeItems(parts.duck, run, record.settings.omitInvalid);
    context.progress({ done: items, total: items, phase: 'Datei schreiben' });
    const files = { constructed, items, parquet: temporary('parquet'), temporary, made };
    const outputs = await writeFiles(parts.duck, loaded, files, context.signal);
    const judged = await judge(parts, loaded, { constructed, items, temporary }, context.signal);
    const { accepted, message, ...deviation } = verdictOf(judged);
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
        }).concat(oddities(judged)),
        revisions: loaded.revisions,
        ...(found ? { diagnosis: found.record } : {}),
        omitted,
      },
      effect: async (trx) => {
        for (const file of made) await publish(file, file.slice(0, -`.${job.id}.tmp`.length));
        await publishOutput(
          trx,
          { company, id: record.id },
          { number, runid: job.id, items, whole: true, base: null, ...outputs.output },
          accepted,
        );
        if (accepted) await orderUpload(trx, { company, id: record.id, jobid: parts.ids.id() });
        // Whoever once asked for a look at the pictures gets one after every run.
        if (accepted && found && (await looksAtImages(trx, company, record.id)))
          await orderImages(trx, { company, id: record.id, run: job.id, jobid: parts.ids.id() });
      },
      after: clear,
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

type Files = {
  constructed: Constructed;
  items: number;
  parquet: string;
  temporary: (ending: string) => string;
  made: string[];
};

async function writeFiles(duck: Duck, { record, plan }: Loaded, files: Files, signal: AbortSignal) {
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
  const main = await writeOutput(duck, source, format, files.temporary(extension), signal);
  const companions: Companions = {
    ending: extension,
    header: files.constructed.columns.map((column) => column.name),
  };
  const few = quantityPriceColumns(files.constructed.columns);
  if (few.length > 0) {
    const ending = `quantityprice.${extension}`;
    files.made.push(files.temporary(ending));
    const written = await writeOutput(duck, { ...source, columns: few }, format, files.temporary(ending), signal);
    companions.quantityprice = { bytes: written.bytes, etag: written.etag, ending };
  }
  return {
    written: main,
    output: {
      name: filename,
      bytes: main.bytes,
      etag: main.etag,
      mime: mimeOf(format),
      companions,
    },
  };
}

/** Against the state that the channel has until now; by item number, as the channel sees it. */
async function judge(
  { duck, places }: ExportParts,
  { record, before, difference }: Loaded,
  { constructed, items, temporary }: { constructed: Constructed; items: number; temporary: (ending: string) => string },
  signal: AbortSignal,
): Promise<JudgedOutput | undefined> {
  if (!before) return undefined;
  const target = temporary('stand.parquet');
  try {
    const path = await stateFile({ duck, places }, record, before, { target }, signal);
    const after = { path: temporary('parquet'), items, columns: constructed.columns };
    return await judgeOutput(duck, { record: before.output, path }, after, difference.settings, signal);
  } finally {
    await rm(target, { force: true });
  }
}
