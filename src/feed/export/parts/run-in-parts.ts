import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { Revisions } from '#feed/explain/past-plan.ts';
import type { LoadedPlan } from '#feed/plan/load-plan.ts';
import { recordStatements, wholeCatalogueAsked, type RowRange } from '#feed/plan/whole-catalogue.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { JoinedParquet } from '#platform/duckdb/joined-parquet.ts';
import { ROW_GROUP } from '#platform/duckdb/parquet.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { cancelJob } from '#platform/jobs/cancel-job.ts';
import { addJob, payloadOf } from '#platform/jobs/job-definition.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import type { Job, JobContext } from '#platform/jobs/job.ts';
import { useFile } from '#platform/storage/store.ts';
import { countText } from '#shared/values/integer-text.ts';
import { isWanted, partJob, PartResult } from './part-job.ts';

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
const LOOK_EVERY_MS = 1000;

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
  if ((await partsOf(database, run, ranges)) === undefined) await order(deps, run, ranges, context);
  const items = await ended(database, run, ranges, context);
  await JoinedParquet.write(target, async (joined) => {
    for (const part of ranges.keys())
      await useFile(storagePaths.store, files.part(part), (local) => joined.add(local, context.signal));
  });
  return items;
}

/**
 * After a failure: cancels the parts and removes their files. If only this worker gives up the run (it stops or lost its lease),
 * another continues with the parts, so they are kept. Files that cannot be removed now are removed by the nightly maintenance.
 */
export async function abandonParts(deps: PartsDeps, run: Run, signal: AbortSignal): Promise<void> {
  const { company, id } = run.job;
  const { database, storagePaths } = deps;
  try {
    if (signal.aborted && (await database.company(company, (trx) => isWanted(trx, company, id)))) return;
    await callOff(database, run);
    await clearParts(storagePaths, run);
  } catch {
    // Ignored: the original failure is the one to report.
  }
}

/** Removes the files of a run's parts after the run has ended. */
export const clearParts = (storagePaths: StoragePaths, { job, loaded }: Run): Promise<void> =>
  storagePaths.store.removeBelow(storagePaths.exportParts(job.company, loaded.record.id, job.id).folder);

const subjectOf = (run: string, part: number): string => `part:${run}:${part}`;

/** The jobs of the parts at the run's revisions, in order; undefined if one is missing or was cancelled. */
async function partsOf(
  database: Database,
  { job, loaded }: Run,
  ranges: readonly RowRange[],
): Promise<Job[] | undefined> {
  const { company, id } = job;
  const subjects = ranges.map((_, part) => subjectOf(id, part));
  const rows = await database.company(company, (trx) =>
    trx
      .selectFrom('jobs')
      .selectAll()
      .where((eb) => eb.and({ company, kind: partJob.kind }))
      .where('subject', 'in', subjects)
      .where('state', '<>', 'cancelled')
      .execute(),
  );
  const wanted = JSON.stringify(Revisions.parse(loaded.revisions));
  const found = new Map(
    rows
      .filter(({ payload }) => JSON.stringify(payloadOf(partJob, payload).revisions) === wanted)
      .map((row) => [row.subject, row]),
  );
  const parts = subjects.flatMap((subject) => found.get(subject) ?? []);
  return parts.length === subjects.length ? parts : undefined;
}

/** Computes the values that depend on all items, and orders the parts. */
async function order(deps: PartsDeps, run: Run, ranges: readonly RowRange[], context: JobContext) {
  const { database, duckdb, storagePaths, ids } = deps;
  const { job, loaded } = run;
  const { company, id } = job;
  await callOff(database, run);
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
  await database.company(company, async (trx) => {
    for (const [part, range] of ranges.entries())
      await addJob(trx, partJob, {
        company,
        id: ids.id(),
        subject: subjectOf(id, part),
        payload: {
          export: loaded.record.id,
          run: id,
          part,
          ...range,
          revisions: Revisions.parse(loaded.revisions),
          keys,
        },
      });
  });
}

/** Progress of the parts, for display. */
export const partsPhase = (done: number, of: number): string =>
  `Regeln, Feldaufbau und Prüfung: ${done} von ${countText(of, 'Teil', 'Teilen')}`;

/** Waits for the parts; returns the number of their items. */
async function ended(database: Database, run: Run, ranges: readonly RowRange[], context: JobContext): Promise<number> {
  const { snapshot } = run.loaded.plan;
  for (;;) {
    const parts = await partsOf(database, run, ranges);
    if (parts === undefined) throw lostPart();
    const failed = parts.findIndex(({ state }) => state === 'failed');
    if (failed !== -1) throw failedPart(failed + 1, ranges.length, parts[failed]?.message ?? '');
    const isDone = ({ state }: Job) => state === 'done';
    if (parts.every(isDone))
      return parts.reduce((sum, { result }) => sum + PartResult.parse(JSON.parse(result)).items, 0);
    const done = ranges.filter((_, part) => parts[part]?.state === 'done');
    context.progress({
      done: done.reduce((sum, { from, to }) => sum + to - from, 0),
      total: snapshot.items,
      phase: partsPhase(done.length, ranges.length),
    });
    await wait(LOOK_EVERY_MS, undefined, { signal: context.signal });
  }
}

async function callOff(database: Database, { job: { company, id } }: Run): Promise<void> {
  const cancel = async (trx: Trx) => {
    const open = await trx
      .selectFrom('jobs')
      .select('id')
      .where((eb) => eb.and({ company, kind: partJob.kind }))
      .where('subject', 'like', `part:${id}:%`)
      .where('state', 'in', ['queued', 'running'])
      .execute();
    for (const part of open) await cancelJob(trx, company, part.id);
  };
  await database.company(company, cancel);
}

const failedPart = (part: number, of: number, cause: string) =>
  new KontorError(
    422,
    'part_failed',
    `Teil ${part} von ${of} dieses Laufs ist gescheitert, deshalb wurde keine neue Datei veröffentlicht; die bisherige gilt weiter. ${cause}`,
  );
const lostPart = () =>
  new KontorError(
    409,
    'part_cancelled',
    'Ein Teil dieses Laufs wurde abgebrochen, deshalb wurde keine neue Datei veröffentlicht; die bisherige gilt weiter. Bitte erneut starten.',
  );
