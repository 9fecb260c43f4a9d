import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { importOptionsSchema, type ImportResult } from '#shared/import/schema.ts';
import { askLimitsReview } from '#catalogue/limits-review.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Quotas } from '#catalogue/quotas.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import {
  addSnapshot,
  knownFields,
  liveSnapshot,
  makeLive,
  nextSnapshotNumber,
  type SnapshotRecord,
} from '#catalogue/snapshots.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError } from '#platform/errors.ts';
import { defineJob, jobRunner, type JobRunner, type RunningJob } from '#platform/jobs/job-definition.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { JobContext, JobEnd } from '#platform/jobs/job.ts';
import { useFile } from '#platform/storage/store.ts';
import { retryScheduled } from '#platform/jobs/retries.ts';
import type { DifferenceSettings, FieldDrift } from '#shared/difference/schema.ts';
import { movesLimits } from '#feed/limit-guard/moved-values.ts';
import { loadDifference } from '#feed/difference/settings.ts';
import type { Judgement } from '#feed/difference/judge.ts';
import { detectedText } from './detected-text.ts';
import { download, type Incoming } from './download.ts';
import type { FileLimits } from './file-limits.ts';
import { rowCounter } from './import-metrics.ts';
import { judgeAgainstStored, unreadableText } from './judge.ts';
import { joinedFile, removePieces } from './pieces/joined.ts';
import { endsOpen, openEndText, unknownEndText } from './open-end.ts';
import { runImport } from './run-import.ts';

export type ImportDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  egress: Egress;
  vault: Vault;
  log: Log;
  quotas: Quotas;
  metrics: Metrics;
  importLimits: FileLimits;
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
        const fetched = await download(deps, order, wanted, context);
        return await readInto(deps, { ...order, ...fetched }, context);
      }
      const { contentType } = payload;
      const read = (file: string) => readInto(deps, { ...order, file, contentType, endKnown: true }, context);
      const end =
        pieces === undefined
          ? await useFile(store, incoming, read)
          : await read(await joinedFile(deps, pieces, work, context));
      // The file is removed only after the job ended: a worker that takes the job over after a crash needs it.
      const after = async (ended: boolean) => {
        await end.after?.(ended);
        if (ended) await forget();
      };
      return { ...end, after };
    } catch (error) {
      // The failure is permanent, and its message is shown to the user.
      const isFinal = error instanceof KontorError && !passing.has(error.code);
      if (isFinal && !context.signal.aborted) await forget();
      throw error;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

type Order = Incoming & {
  job: RunningJob<ImportPayload>;
  company: string;
  masterid: string;
  runid: string;
  work: string;
  payload: ImportPayload;
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
    runImport(
      {
        file: order.file,
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
        open: !order.endKnown && (await endsOpen(order.file, result.format)),
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

type Target = { final: string; output: string; rejected: string; rejectedOutput: string };

function targetOf(storagePaths: StoragePaths, { job, company, masterid, runid }: Order, number: number): Target {
  const final = storagePaths.snapshot(company, masterid, number);
  const rejected = storagePaths.rejected(company, masterid, runid);
  return { final, output: temporaryName(job, final), rejected, rejectedOutput: temporaryName(job, rejected) };
}

async function clear({ output, rejectedOutput }: Target): Promise<void> {
  for (const file of [output, rejectedOutput]) await rm(file, { force: true });
}

type Read = Extract<ImportResult, { ok: true }> & {
  number: number;
  live: SnapshotRecord | undefined;
  lostKey: string | null;
  /** The key field that a user chose, for this import or the catalogue; null: the import proposed one. */
  chosenKey: string | null;
  /** The last row may be cut, and rows after it may be missing. */
  open: boolean;
  settings: DifferenceSettings;
};

const isNewKey = ({ key, live, chosenKey }: Read): boolean => key !== live?.key && key === chosenKey;
/** Compares the new snapshot with the live one; it becomes live, or waits for a user's approval (DIF-03). */
async function decide(deps: ImportDeps, read: Read, order: Order, target: Target): Promise<JobEnd> {
  const { company, masterid, runid, payload } = order;
  const { duckdb, storagePaths } = deps;
  const { live } = read;
  const after = { path: target.output, items: read.accepted, fields: read.fields, newKey: isNewKey(read) };
  const before = live && { ...live, path: storagePaths.snapshot(company, masterid, live.number) };
  const judged = before && (await judgeAgainstStored({ duckdb, ...storagePaths }, before, after, read.settings));
  const unreadable = before !== undefined && judged === undefined;
  const review =
    payload.askReview === true && before && (unreadable || (await movesLimits(deps, order, before, after)));
  const { number, key, accepted: items, fields } = read;
  const snapshot = { company, masterid, number, items, fields, key, runid, source: payload.source };
  const reasons = judged?.judgement.reasons ?? [];
  const result = {
    rowsIn: read.rowsIn,
    accepted: read.accepted,
    rejected: read.rejected,
    duplicates: read.duplicates,
    snapshot: read.number,
    difference: judged?.difference ?? null,
    against: judged === undefined ? null : (live?.number ?? null),
    drifts: judged?.drifts ?? [],
    deviation: judged?.judgement.action === 'notify' ? reasons : [],
    warnings: [
      ...read.warnings.map((warning) => warning.message),
      ...(order.endKnown || read.open || read.format.archive !== undefined ? [] : [unknownEndText]),
      ...(review ? [reviewText] : []),
      ...warningsOf(judged),
    ],
    detected: detectedText(read.format),
  };
  const files = [
    { temporary: target.rejectedOutput, final: target.rejected },
    { temporary: target.output, final: target.final },
  ];
  const keep = async (trx: Trx) => {
    await addSnapshot(trx, snapshot);
    if (review) await askLimitsReview(trx, snapshot, reviewReason(payload));
  };
  const block = [
    ...(read.open ? [openEndText] : []),
    ...(unreadable ? [unreadableText] : []),
    ...(read.lostKey === null
      ? []
      : [`Das Schlüsselfeld „${read.lostKey}“ fehlt in der Datei; die Artikel bekämen neue Nummern.`]),
    ...(read.lostKey === null && judged?.judgement.action === 'block' ? reasons : []),
  ].join(' ');
  if (block !== '') return { state: 'blocked', message: `${block} ${untilReleased}`, result, files, effect: keep };
  return {
    state: 'done',
    result,
    files,
    effect: async (trx) => {
      await keep(trx);
      await makeLive(trx, snapshot);
    },
  };
}

const reviewText =
  'Es sind Werte anders, aus denen Preisgrenzen kommen. Preise, deren Grenzen sich dadurch ändern, warten, bis jemand mit dem Recht „Preise“ sie bestätigt.';

const reviewReason = ({ by = '', source }: ImportPayload): string =>
  `„${source}“, importiert von ${by === '' ? 'jemandem' : by} ohne das Recht „Preise“, hat Werte geändert, aus denen Preisgrenzen kommen.`;

const untilReleased = 'Der bisherige Stand bleibt, bis Sie den neuen freigeben.';

/** Findings that did not block the snapshot, as warnings; those that blocked it are in its message instead. */
function warningsOf(
  judged: { judgement: Judgement; drifts: readonly FieldDrift[]; hints: readonly string[] } | undefined,
): string[] {
  if (!judged) return [];
  if (judged.judgement.action === 'block') return [...judged.hints];
  const drifts = judged.drifts.map(({ sentence }) => sentence);
  return [...judged.hints, ...drifts, ...judged.judgement.reasons.filter((reason) => !drifts.includes(reason))];
}
