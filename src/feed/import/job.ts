import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type DetectedFormat, importOptionsSchema, type ImportResult } from '#shared/import/schema.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Quotas } from '#catalogue/quotas.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { knownFields, liveSnapshot, nextSnapshotNumber } from '#catalogue/snapshots.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError } from '#platform/errors.ts';
import { defineJob, jobRunner, type JobRunner, type RunningJob } from '#platform/jobs/job-definition.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { JobContext, JobEnd } from '#platform/jobs/job.ts';
import { useFile } from '#platform/storage/store.ts';
import { retryScheduled } from '#platform/jobs/retries.ts';
import { loadDifference } from '#feed/difference/settings.ts';
import { decide, type Target } from './decide.ts';
import { download } from './download.ts';
import { rowCounter } from './import-metrics.ts';
import { joinedFile, removePieces } from './pieces/joined.ts';
import { endsOpen } from './open-end.ts';
import { abandonImportParts, clearImportParts, type ImportPartsDeps, readInParts } from './parts/read-in-parts.ts';
import type { ImportRequest } from './reader/request.ts';
import { type ReaderHooks, runImport } from './run-import.ts';

export type ImportDeps = ImportPartsDeps & {
  duckdb: DuckDb;
  egress: Egress;
  vault: Vault;
  quotas: Quotas;
  metrics: Metrics;
};
type Importing = ImportDeps & { countRows: ReturnType<typeof rowCounter> };

/** Temporary faults of the installation: the uploaded file stays until the nightly cleanup, so the import can be retried. */
const passing: ReadonlySet<string> = new Set(['store_away', 'disk_full', 'cache_full']);

/** The payload of an import job. `sealedUrl`: the whole address, sealed because it may hold a password. */
const ImportPayload = z.object({
  owner: z.string(),
  source: z.string(),
  contentType: z.string().optional(),
  sealedUrl: z.string().optional(),
  /** SHA-256 of an uploaded file: uploading the same file again gives the same run. */
  digest: z.string().optional(),
  /** The file was uploaded in pieces (pieces/). */
  inPieces: z.boolean().optional(),
  /** Name of the person who started it. A scheduled import is retried after temporary faults. */
  by: z.string().optional(),
  scheduled: z.boolean().optional(),
  /** Ordered by a user without the right to set prices: if the import changes price limits, a review is requested. */
  askReview: z.boolean().optional(),
  options: importOptionsSchema,
});
type ImportPayload = z.output<typeof ImportPayload>;

export const importJob = defineJob({ kind: 'import', payload: ImportPayload, pool: 'import', retry: retryScheduled });

/** Creates the runner that turns a file or address into the next snapshot; if it fails, the live snapshot stays (I2). */
export function importRunner(given: ImportDeps): JobRunner {
  const deps: Importing = { ...given, countRows: rowCounter(given.metrics) };
  return jobRunner(importJob, async (job, context) => {
    const { company, id: runid, payload } = job;
    const masterid = payload.owner;
    const { store } = deps.storagePaths;
    const incoming = deps.storagePaths.incoming(company, masterid, runid);
    const work = deps.storagePaths.work(company, masterid, runid);
    const pieces = payload.inPieces === true ? { company, masterid, id: runid } : undefined;
    const forget = () => (pieces === undefined ? store.remove([incoming]) : removePieces(deps, pieces));
    try {
      // Checked here as well: a scheduled import had no request that could have been refused.
      await deps.quotas.requireSpace(company);
      await mkdir(work, { recursive: true });
      const order = { job, company, masterid, runid, work, payload };
      if (payload.sealedUrl !== undefined) {
        const wanted = { sealedUrl: payload.sealedUrl, most: deps.importLimits.fetched };
        const { file, contentType, endKnown } = await download(deps, order, wanted, context);
        return await readInto(deps, { ...order, contentType, endKnown, ...reading(file) }, context);
      }
      const uploaded = { ...order, contentType: payload.contentType, endKnown: true };
      const end =
        pieces === undefined
          ? await useFile(store, incoming, (file) => readInto(deps, { ...uploaded, ...reading(file) }, context))
          : await readInto(deps, { ...uploaded, ...readingPieces(deps, pieces, work, context) }, context);
      // The file is removed only after the job ended: a worker that takes the job over after a crash needs it.
      const after = async (ended: boolean) => {
        await end.after?.(ended);
        if (ended && pieces !== undefined) await clearImportParts(deps, pieces);
        if (ended) await forget();
      };
      return { ...end, after };
    } catch (error) {
      if (pieces !== undefined) await abandonImportParts(deps, pieces, context.signal);
      // The failure is permanent, and its message is shown to the user.
      const isFinal = error instanceof KontorError && !passing.has(error.code);
      if (isFinal && !context.signal.aborted) await forget();
      throw error;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

/** How a file is read, and whether its last row may be cut. */
type Reading = {
  read: (request: Omit<ImportRequest, 'file'>, hooks: ReaderHooks) => Promise<ImportResult>;
  endsOpen: (format: DetectedFormat) => Promise<boolean>;
};

const reading = (file: string): Reading => ({
  read: (request, hooks) => runImport({ ...request, file }, hooks),
  endsOpen: (format) => endsOpen(file, format),
});

/** A file in pieces is read in parts if it is very large; else its pieces are joined first. */
function readingPieces(deps: ImportDeps, ref: PiecesRef, work: string, context: JobContext): Reading {
  let joined: Promise<string> | undefined;
  const file = () => (joined ??= joinedFile(deps, ref, work, context));
  return {
    read: async (request, hooks) =>
      (await readInParts(deps, ref, request, context)) ?? runImport({ ...request, file: await file() }, hooks),
    endsOpen: async (format) => endsOpen(await file(), format),
  };
}
type PiecesRef = { company: string; masterid: string; id: string };

type Order = Reading & {
  job: RunningJob<ImportPayload>;
  company: string;
  masterid: string;
  runid: string;
  work: string;
  payload: ImportPayload;
  contentType: string | undefined;
  /** The transfer itself proved that the file is complete. */
  endKnown: boolean;
};

async function readInto(deps: Importing, order: Order, context: JobContext): Promise<JobEnd> {
  const { company, masterid, payload } = order;
  const { database, storagePaths } = deps;
  const state = await database.company(company, async (trx) => ({
    master: await loadMaster(trx, company, masterid),
    live: await liveSnapshot(trx, company, masterid),
    known: await knownFields(trx, company, masterid),
    number: await nextSnapshotNumber(trx, company, masterid),
    difference: await loadDifference(trx, company, `master:${masterid}`),
  }));
  const target = targetOf(storagePaths, order, state.number);
  await mkdir(dirname(target.final), { recursive: true });
  await mkdir(dirname(target.rejected), { recursive: true });
  const read = (key: string | null) =>
    order.read(
      {
        originalName: payload.source.split('/').pop() ?? '',
        ...(order.contentType === undefined ? {} : { contentType: order.contentType }),
        options: payload.options,
        knownFields: state.known,
        ...(key === null ? {} : { key }),
        output: target.output,
        rejectedOutput: target.rejectedOutput,
        workFolder: order.work,
        limits: { archiveBytes: deps.importLimits.unpacked },
      },
      watching(deps, order, context),
    );
  try {
    let result = await read(state.master.key);
    // If the key that the merchant chose for this import is missing, the import fails. If the key of earlier imports is missing,
    // another key is proposed, and the snapshot waits for approval.
    const keyGone = !result.ok && result.code === 'key_missing' && payload.options.key === undefined;
    if (keyGone) result = await read(null);
    if (!result.ok) {
      await clear(target);
      return { state: 'failed', message: result.message };
    }
    deps.countRows(result);
    const end = await decide(
      deps,
      {
        ...result,
        number: state.number,
        live: state.live,
        lostKey: keyGone ? state.master.key : null,
        chosenKey: payload.options.key ?? state.master.key,
        open: !order.endKnown && (await order.endsOpen(result.format)),
        settings: state.difference.settings,
      },
      order,
      target,
    );
    return { ...end, after: () => clear(target) };
  } catch (error) {
    await clear(target);
    throw error;
  }
}

const watching = ({ log }: ImportDeps, { runid }: Order, context: JobContext): Parameters<typeof runImport>[1] => ({
  onProgress: ({ bytesDone, bytesTotal, phase }) =>
    context.progress({ done: bytesDone, total: bytesTotal, phase: phase === 'reading' ? 'Lesen' : 'Schreiben' }),
  signal: context.signal,
  onFault: (text) => log.error({ runid, fault: text }, 'import process failed'),
});

function targetOf(storagePaths: StoragePaths, { job, company, masterid, runid }: Order, number: number): Target {
  const final = storagePaths.snapshot(company, masterid, number);
  const rejected = storagePaths.rejected(company, masterid, runid);
  return { final, output: temporaryName(job, final), rejected, rejectedOutput: temporaryName(job, rejected) };
}

async function clear({ output, rejectedOutput }: Target): Promise<void> {
  for (const file of [output, rejectedOutput]) await rm(file, { force: true });
}
