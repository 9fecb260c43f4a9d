import { loadExport } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { snapshotAt } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Job } from '#platform/jobs/job.ts';
import { changedKinds } from '#feed/explain/file.ts';
import { savesSince } from '#feed/explain/load.ts';
import { planAt, revisionsOf, type ItemPlan } from '#feed/explain/past-plan.ts';
import { causeSentence } from '#feed/explain/file-sentences.ts';
import { outputAt } from '#feed/stages/output/store.ts';
import { exportSubject, importSubject, loadJob, runKindOf, RunResult } from '#feed/runs/runs.ts';

/** What changed between the accepted state and the one a run made, in German sentences; [] if that is no longer known. */
export async function runCauses(trx: Trx, storagePaths: StoragePaths, job: Job): Promise<string[]> {
  const { snapshot, against } = RunResult.parse(JSON.parse(job.result));
  if (runKindOf(job) === 'import') {
    const made =
      snapshot === null
        ? undefined
        : await snapshotAt(trx, job.company, job.subject.slice(importSubject('').length), snapshot);
    return made ? [`Import von „${made.source}“`] : [];
  }
  const record = await loadExport(trx, job.company, job.subject.slice(exportSubject('').length));
  const [now, file] = [
    await stateOf(trx, storagePaths, record, job),
    against === null ? undefined : await outputAt(trx, job.company, record.id, against),
  ];
  const then = file && (await stateOf(trx, storagePaths, record, await loadJob(trx, job.company, file.runid)));
  if (!now || !then) return [];
  const saves = await savesSince(trx, record, then, now);
  return changedKinds(then, now).map((kind) => `Seitdem ${causeSentence(kind, now.plan.snapshot, saves.get(kind))}`);
}

async function stateOf(
  trx: Trx,
  storagePaths: StoragePaths,
  record: Parameters<typeof planAt>[2],
  job: Job,
): Promise<ItemPlan | undefined> {
  const revisions = revisionsOf(job);
  if (!revisions) return undefined;
  const snapshot = await snapshotAt(trx, record.company, record.masterid, revisions.snapshot);
  return snapshot && (await planAt(trx, storagePaths, record, revisions));
}
