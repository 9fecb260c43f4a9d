import { mkdir, rm } from 'node:fs/promises';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { Revisions } from '#feed/explain/past-plan.ts';
import type { LoadedPlan } from '#feed/plan/load-plan.ts';
import { recordStatements, wholeCatalogueAsked, type RowRange } from '#feed/plan/whole-catalogue.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { JoinedParquet } from '#platform/duckdb/joined-parquet.ts';
import { ROW_GROUP } from '#platform/duckdb/parquet.ts';
import type { Ids } from '#platform/ids.ts';
import { payloadOf } from '#platform/jobs/job-definition.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import type { Job, JobContext } from '#platform/jobs/job.ts';
import {
  addParts,
  allParts,
  callOffParts,
  giveUpParts,
  type PartedJob,
  partResults,
  type PartRow,
  partsOf,
} from '#platform/jobs/part-jobs.ts';
import { useFile } from '#platform/storage/store.ts';
import { countText } from '#shared/values/integer-text.ts';
import { partJob, PartResult } from './part-job.ts';

export type PartsDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  ids: Ids;
  /** Runs over more items than this are computed in parts. */
  partsAbove: number;
};

/** The most items of a part: half a minute of work, long compared with its start, short if it must be repeated. */
const MOST_ITEMS = 1_000_000;

/** Returns the rows of each part: whole row groups, because a row group is always read completely. */
export function partRanges(items: number, partsAbove: number): RowRange[] {
  const wanted = Math.max(1, Math.min(MOST_ITEMS, partsAbove));
  const size = Math.ceil(wanted / ROW_GROUP) * ROW_GROUP;
  return Array.from({ length: Math.ceil(items / size) }, (_, part) => ({
    from: part * size,
    to: Math.min(items, (part + 1) * size),
  }));
}

type Run = { readonly job: Pick<Job, 'company' | 'id' | 'fence'>; readonly loaded: LoadedPlan };

/**
 * Computes the items of a run in parts on any free workers, and joins them in order in `target`. Values that depend on all items
 * are computed here first. A run taken over from a dead worker reuses finished parts if nothing was saved since.
 * @throws KontorError with the cause of the first part that failed; the others are cancelled
 */
export async function writeInParts(deps: PartsDeps, run: Run, target: string, context: JobContext): Promise<number> {
  const { job, loaded } = run;
  const { database, storagePaths } = deps;
  const files = storagePaths.exportParts(job.company, loaded.record.id, job.id);
  const ranges = partRanges(loaded.plan.snapshot.items, deps.partsAbove);
  if ((await partsAt(database, run, ranges)) === undefined) await order(deps, run, ranges, context);
  const items = await ended(database, run, ranges, context);
  await JoinedParquet.write(target, async (joined) => {
    for (const part of ranges.keys())
      await useFile(storagePaths.store, files.part(part), (local) => joined.add(local, context.signal));
  });
  return items;
}

/** After a failure: see `giveUpParts`. Files that cannot be removed now are removed by the nightly maintenance. */
export const abandonParts = ({ database, storagePaths }: PartsDeps, run: Run, signal: AbortSignal): Promise<void> =>
  giveUpParts(database, partedOf(run), signal, () => clearParts(storagePaths, run));

/** Removes the files of a run's parts after the run has ended. */
export const clearParts = (storagePaths: StoragePaths, { job, loaded }: Run): Promise<void> =>
  storagePaths.store.removeBelow(storagePaths.exportParts(job.company, loaded.record.id, job.id).folder);

const partedOf = ({ job: { company, id: run } }: Run): PartedJob => ({ company, run, kind: partJob.kind });

/** The jobs of the parts at the run's revisions, in order; undefined if one is missing or was cancelled. */
function partsAt(database: Database, run: Run, ranges: readonly RowRange[]): Promise<PartRow[] | undefined> {
  const wanted = JSON.stringify(Revisions.parse(run.loaded.revisions));
  const fits = ({ payload }: PartRow) => JSON.stringify(payloadOf(partJob, payload).revisions) === wanted;
  return partsOf(database, partedOf(run), ranges.length, fits);
}

/** Computes the values that depend on all items, and orders the parts. */
async function order(deps: PartsDeps, run: Run, ranges: readonly RowRange[], context: JobContext) {
  const { database, duckdb, storagePaths, ids } = deps;
  const { job, loaded } = run;
  const { company, id } = job;
  await callOffParts(database, partedOf(run));
  const files = storagePaths.exportParts(company, loaded.record.id, id);
  const keys = wholeCatalogueAsked(loaded.plan);
  if (keys.length > 0) {
    context.progress({ done: 0, total: loaded.plan.snapshot.items, phase: 'Ränge und Gruppen über alle Artikel' });
    await mkdir(files.folder, { recursive: true });
    const temporary = temporaryName(job, files.answers);
    try {
      await duckdb.last(recordStatements(loaded.plan, keys, temporary), context.signal);
      await storagePaths.store.keep(temporary, files.answers);
    } finally {
      await rm(temporary, { force: true });
    }
  }
  const revisions = Revisions.parse(loaded.revisions);
  const payloads = ranges.map((range, part) => ({
    export: loaded.record.id,
    run: id,
    part,
    ...range,
    revisions,
    keys,
  }));
  await database.company(company, (trx) => addParts(trx, ids, partJob, partedOf(run), payloads));
}

/** Progress of the parts, for display. */
export const partsPhase = (done: number, of: number): string =>
  `Regeln, Feldaufbau und Prüfung: ${done} von ${countText(of, 'Teil', 'Teilen')}`;

/** Waits for the parts; returns the number of their items. */
async function ended(database: Database, run: Run, ranges: readonly RowRange[], context: JobContext): Promise<number> {
  const { items } = run.loaded.plan.snapshot;
  const itemsOf = (part: number) => (ranges[part]?.to ?? 0) - (ranges[part]?.from ?? 0);
  const onDone = (done: readonly number[]) =>
    context.progress({
      done: done.reduce((sum, part) => sum + itemsOf(part), 0),
      total: items,
      phase: partsPhase(done.length, ranges.length),
    });
  const parts = await allParts(() => partsAt(database, run, ranges), onDone, context.signal);
  const results = await partResults(database, run.job.company, parts);
  return results.reduce((sum, result) => sum + PartResult.parse(JSON.parse(result)).items, 0);
}
