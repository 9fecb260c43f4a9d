import { type ExportRecord } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { listSnapshots } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import { listRevisions } from '#platform/db/documents.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';
import { exportTableNames } from '#shared/assignments/schema.ts';
import type { CauseKind } from '#shared/explain/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import { changedKinds, type PastFile } from './file.ts';
import type { Save } from './file-sentences.ts';
import { exportOfMaster, finishedRun, planAt, planNow, revisionsOf, type ItemPlan } from './past-plan.ts';
import { targetSubject } from '#feed/stages/assignments/store.ts';
import { liveOutput, outputOfRun } from '#feed/stages/output/store.ts';
import { exportSubject, lastRun, loadJob } from '#feed/runs/runs.ts';

/** The request with all data from the database that the answer needs; read in one transaction. */
export type ExplainRequest = {
  readonly company: string;
  readonly masterid: string;
  readonly itemId: string;
  /** The plan to explain: the current one, or that of the run. */
  readonly now: ItemPlan;
  readonly record: ExportRecord | undefined;
  readonly run: Job | undefined;
  /** The number of the live snapshot. */
  readonly live: number | null;
  readonly past: PastFile | undefined;
  readonly lastRun: Run | null;
  /** The last save of each document that changed since the file. */
  readonly saves: ReadonlyMap<CauseKind, Save>;
  /** Stored snapshots, newest first. */
  readonly snapshots: readonly { readonly number: number; readonly createdAt: Date; readonly path: string }[];
};

export type Ids = { company: string; masterid: string; itemId: string; exportId?: string; runid?: string };

/** @throws 404 for ids of another company or master, 409 for an unfinished run, 410 if the run's state was removed */
export async function loadQuestion(trx: Trx, storagePaths: StoragePaths, ids: Ids): Promise<ExplainRequest> {
  const { company, masterid, itemId, runid } = ids;
  const master = await loadMaster(trx, company, masterid);
  const exportId = ids.exportId ?? (runid === undefined ? undefined : await exportOfRun(trx, company, runid));
  const record = exportId === undefined ? undefined : await exportOfMaster(trx, company, masterid, exportId);
  const run = record && runid !== undefined ? await finishedRun(trx, company, record.id, runid) : undefined;
  const revisions = run && revisionsOf(run);
  const now =
    record && revisions
      ? await planAt(trx, storagePaths, record, revisions)
      : await planNow(trx, storagePaths, company, masterid, record);
  const past = record && (await pastFile(trx, storagePaths, record, run && { run, now }));
  const snapshots = await listSnapshots(trx, company, masterid);
  return {
    company,
    masterid,
    itemId,
    now,
    record,
    run,
    live: master.live,
    past,
    lastRun: record ? await lastRun(trx, company, exportSubject(record.id)) : null,
    saves: record && past?.state ? await savesSince(trx, record, past.state, now) : new Map(),
    snapshots: snapshots.map(({ number, createdAt }) => ({
      number,
      createdAt,
      path: storagePaths.snapshot(company, masterid, number),
    })),
  };
}

async function exportOfRun(trx: Trx, company: string, runid: string): Promise<string> {
  const { kind, subject } = await loadJob(trx, company, runid);
  if (kind !== 'export') throw notFound('Diesen Lauf');
  return subject.slice(exportSubject('').length);
}

/** The file of the requested run, else the one that is served now, with the plan that its run used. */
export async function pastFile(
  trx: Trx,
  storagePaths: StoragePaths,
  record: ExportRecord,
  at: { run: Job; now: ItemPlan } | undefined,
): Promise<PastFile | undefined> {
  if (at) {
    const output = await outputOfRun(trx, record.company, record.id, at.run.id);
    return output && { output, state: at.now };
  }
  const output = await liveOutput(trx, record.company, record.id);
  return output && { output, state: await planOfFile(trx, storagePaths, record, output.runid) };
}

/** undefined if the run or its snapshot is no longer recorded. */
async function planOfFile(
  trx: Trx,
  storagePaths: StoragePaths,
  record: ExportRecord,
  runid: string,
): Promise<ItemPlan | undefined> {
  try {
    const revisions = revisionsOf(await loadJob(trx, record.company, runid));
    return revisions && (await planAt(trx, storagePaths, record, revisions));
  } catch (error) {
    if (error instanceof KontorError) return undefined;
    throw error;
  }
}

/** The last save of each document that changed between two plans. */
export async function savesSince(
  trx: Trx,
  { company, id, masterid }: ExportRecord,
  then: ItemPlan,
  now: ItemPlan,
): Promise<Map<CauseKind, Save>> {
  const documents = {
    masterRules: [{ subject: 'rules', scope: `master:${masterid}` }],
    mappings: [{ subject: 'mappings', scope: `master:${masterid}` }],
    exportRules: [{ subject: 'rules', scope: `export:${id}` }],
    tables: exportTableNames.flatMap((table) => [
      { subject: table, scope: `export:${id}` },
      { subject: targetSubject(table), scope: `export:${id}` },
    ]),
    construction: [{ subject: 'construction', scope: `export:${id}` }],
    attributes: [{ subject: 'attributes', scope: `export:${id}` }],
    settings: [{ subject: 'settings', scope: `export:${id}` }],
  };
  const saves = new Map<CauseKind, Save>();
  for (const kind of changedKinds(then, now)) {
    if (kind === 'import' || kind === 'stock') continue;
    for (const document of documents[kind]) {
      const [last] = await listRevisions(trx, { company, ...document }, { limit: 1 });
      const known = saves.get(kind);
      if (last && (!known || known.createdAt < last.createdAt)) {
        saves.set(kind, { author: last.author, createdAt: last.createdAt });
      }
    }
  }
  return saves;
}
