import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { FileLimits } from '#feed/import/file-limits.ts';
import type { ImportRequest } from '#feed/import/reader/request.ts';
import { planParts, type ReaderHooks, runJoin } from '#feed/import/run-import.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { payloadOf } from '#platform/jobs/job-definition.ts';
import type { JobContext } from '#platform/jobs/job.ts';
import {
  addParts,
  allParts,
  callOffParts,
  giveUpParts,
  isLostPart,
  type PartedJob,
  partResults,
  type PartRow,
  partsOf,
} from '#platform/jobs/part-jobs.ts';
import { requireRoom } from '#platform/storage/disk-room.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { ImportResult } from '#shared/import/schema.ts';
import { countText } from '#shared/values/integer-text.ts';
import { importPartJob, ImportPartResult, storedPieces } from './part-job.ts';
import { bordersOf, bytesBetween, type StoredPiece } from './piece-ranges.ts';

export type ImportPartsDeps = {
  database: Database;
  storagePaths: StoragePaths;
  log: Log;
  ids: Ids;
  importLimits: FileLimits;
};

/** The most bytes of a part: ten seconds of work, long compared with its start, short if it must be repeated. */
const MOST_BYTES = 1024 ** 3;
/** Bytes from which the format is detected, and those after a border among which the next record is searched. */
const HEAD_BYTES = 8 * 1024 ** 2;
const BORDER_BYTES = 4 * 1024 ** 2;

/** An upload in pieces; `id` is that of its run as well. */
type Ref = { readonly company: string; readonly masterid: string; readonly id: string };
type Request = Omit<ImportRequest, 'file'>;
/** Where a part's bytes begin and end, and what each part needs to know. */
type Split = { ranges: { from: number; to: number }[]; head: number; delimiter: string; quote: string };

/**
 * Imports a large CSV file in parts, on any free workers, and joins them. Returns undefined if it is not large or cannot be
 * split: compressed, no UTF-8, no CSV, without a chosen item number, or with one that occurs in several parts. It is then read
 * as a whole. An import taken over from a dead worker reuses finished parts.
 */
export async function readInParts(
  deps: ImportPartsDeps,
  ref: Ref,
  request: Request,
  context: JobContext,
): Promise<ImportResult | undefined> {
  const pieces = await storedPieces(deps, ref);
  const total = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  const key = request.options.key === undefined ? request.key : request.options.key;
  if (total <= deps.importLimits.whole || typeof key !== 'string') return undefined;
  const hooks = hooksOf(deps, ref, context);
  const split = await splitOf(deps, pieces, { ...request, key }, hooks);
  if (split === undefined) {
    deps.log.info({ runid: ref.id }, 'a large import cannot be split');
    return undefined;
  }
  try {
    const joined = await joinParts(deps, ref, split, { ...request, key }, context, hooks);
    if (joined === null) deps.log.info({ runid: ref.id }, 'the parts of a large import do not belong together');
    return joined ?? undefined;
  } catch (error) {
    // The file as a whole may be read by this worker, such as after a part went to one of an older version.
    if (!(error instanceof KontorError) || !isLostPart(error)) throw error;
    deps.log.warn({ runid: ref.id, err: error }, 'a part of a large import failed: it is read as a whole');
    await callOffParts(deps.database, partedOf(ref));
    return undefined;
  }
}

const partedOf = ({ company, id: run }: Ref): PartedJob => ({ company, run, kind: importPartJob.kind });

const hooksOf = ({ log }: ImportPartsDeps, { id: runid }: Ref, context: JobContext): ReaderHooks => ({
  onProgress: ({ bytesDone, bytesTotal, phase }) =>
    context.progress({
      done: bytesDone,
      total: bytesTotal,
      phase: phase === 'reading' ? 'Aufteilen' : 'Teile zusammenfügen',
    }),
  signal: context.signal,
  onFault: (fault) => log.error({ runid, fault }, 'import process failed'),
});

/** Decides where to split; undefined if the file must be read as a whole. */
async function splitOf(
  { storagePaths: { store }, importLimits }: ImportPartsDeps,
  pieces: readonly StoredPiece[],
  request: Request,
  hooks: ReaderHooks,
): Promise<Split | undefined> {
  const total = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  const borders = bordersOf(pieces, Math.min(MOST_BYTES, importLimits.whole));
  if (borders.length === 0) return undefined;
  const folder = join(request.workFolder, 'borders');
  await mkdir(folder, { recursive: true });
  await requireRoom(folder, HEAD_BYTES + borders.length * BORDER_BYTES);
  const cut = async (name: string, from: number, length: number) => {
    const file = join(folder, name);
    const bytes = bytesBetween(store, pieces, from, Math.min(total, from + length));
    await pipeline(bytes, createWriteStream(file), hooks.signal === undefined ? {} : { signal: hooks.signal });
    return file;
  };
  const file = await cut('head', 0, HEAD_BYTES);
  const around: string[] = [];
  for (const border of borders) around.push(await cut(String(border), border, BORDER_BYTES));
  const plan = await planParts({ ...request, file, borders: around }, hooks);
  if (plan === null || 'ok' in plan) return undefined;
  const starts = [plan.head, ...borders.map((border, index) => border + (plan.starts[index] ?? 0))];
  const { head, delimiter, quote } = plan;
  return { ranges: starts.map((from, index) => ({ from, to: starts[index + 1] ?? total })), head, delimiter, quote };
}

async function joinParts(
  { database, storagePaths, ids }: ImportPartsDeps,
  ref: Ref,
  { ranges, head, delimiter, quote }: Split,
  { key, ...request }: Request & { key: string },
  context: JobContext,
  hooks: ReaderHooks,
): Promise<ImportResult | null> {
  const { company, masterid, id: run } = ref;
  const { store } = storagePaths;
  const files = storagePaths.importParts(company, masterid, run);
  const options = { ...request.options, format: 'csv' as const, delimiter, quote };
  const { originalName: source, contentType } = request;
  const shared = { master: masterid, run, source, contentType, head, key, options };
  const payloads = ranges.map((range, part) => ({ ...shared, ...range, part }));
  // Parts with other borders, ordered before a restart with other settings, are of no use.
  const wanted = new Set(payloads.map((payload) => JSON.stringify(importPartJob.payload.parse(payload))));
  const fits = ({ payload }: PartRow) => wanted.has(JSON.stringify(payloadOf(importPartJob, payload)));
  const look = () => partsOf(database, partedOf(ref), ranges.length, fits);
  if ((await look()) === undefined) {
    await callOffParts(database, partedOf(ref));
    await database.company(company, (trx) => addParts(trx, ids, importPartJob, partedOf(ref), payloads));
  }
  const parts = await allParts(
    look,
    (done) =>
      context.progress({ done: done.length, total: ranges.length, phase: partsPhase(done.length, ranges.length) }),
    context.signal,
  );
  const results = await partResults(database, company, parts);
  const read = results.map((result) => ImportPartResult.parse(JSON.parse(result)));
  const good = read.flatMap(({ lines, result }, part) =>
    result.ok ? [{ lines, result, file: files.part(part), rejected: files.rejected(part) }] : [],
  );
  if (good.length < read.length) return null;
  const held = await store.hold(good.flatMap(({ file, rejected }) => [file, rejected]));
  try {
    const local = good.map((part) => ({
      ...part,
      file: held.localOf(part.file),
      rejected: held.localOf(part.rejected),
    }));
    const { output, rejectedOutput, workFolder } = request;
    return await runJoin({ parts: local, output, rejectedOutput, workFolder }, hooks);
  } finally {
    held.release();
  }
}

/** Progress of the parts, for display. */
const partsPhase = (done: number, of: number): string => `Lesen: ${done} von ${countText(of, 'Teil', 'Teilen')}`;

/** Removes the files of an import's parts after it has ended. */
export const clearImportParts = ({ storagePaths }: Pick<ImportPartsDeps, 'storagePaths'>, ref: Ref): Promise<void> =>
  storagePaths.store.removeBelow(storagePaths.importParts(ref.company, ref.masterid, ref.id).folder);

/** After a failure: see `giveUpParts`. */
export const abandonImportParts = (deps: ImportPartsDeps, ref: Ref, signal: AbortSignal): Promise<void> =>
  giveUpParts(deps.database, partedOf(ref), signal, () => clearImportParts(deps, ref));
