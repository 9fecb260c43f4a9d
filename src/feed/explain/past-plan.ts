import { z } from 'zod';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { loadExport, type ExportRecord } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import { offeredStock, offeredStockAt } from '#catalogue/offered-stock.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { liveSnapshot, snapshotAt, type SnapshotRecord } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';
import { ExportSettings } from '#shared/exports/schema.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { loadMappings, loadTables } from '#feed/stages/assignments/store.ts';
import { loadAttributes } from '#feed/stages/attributes/store.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { stockRevision } from '#feed/plan/load-plan.ts';
import { loadRules } from '#feed/stages/rules/store.ts';
import { exportSubject, loadJob, runKindOf } from '#feed/runs/runs.ts';

/** The revision of every document a run used, and the number of its snapshot; as `loadPlan` recorded them. */
export const Revisions = z.object({
  snapshot: z.number().int(),
  masterRules: z.number().int(),
  exportRules: z.number().int(),
  construction: z.number().int(),
  settings: z.number().int(),
  // Runs older than mappings, tables and attributes have no revisions of them.
  attributes: z.number().int().optional(),
  /** Only of runs that read the stock the channel is offered. */
  stock: z.number().int().optional(),
  mappings: z.number().int().optional(),
  categories: z.number().int().optional(),
  brands: z.number().int().optional(),
  colors: z.number().int().optional(),
  categoriesTargets: z.number().int().optional(),
  brandsTargets: z.number().int().optional(),
  colorsTargets: z.number().int().optional(),
});
export type Revisions = z.infer<typeof Revisions>;

/** Everything that determines an item's values in an export, now or at a run; without an export only the master's part. */
export type ItemPlan = {
  readonly plan: ExportPlan;
  readonly revisions: Revisions;
  /** The settings at that time; undefined without an export. */
  readonly settings: ExportSettings | undefined;
};

const Result = z.object({ revisions: Revisions });

/** Returns the revisions that a finished export run used; undefined if it did not finish. */
export function revisionsOf(job: Job): Revisions | undefined {
  return Result.safeParse(JSON.parse(job.result)).data?.revisions;
}

/** Loads an export of this master. An export of another master gives 404, like one of another company. */
export async function exportOfMaster(trx: Trx, company: string, masterid: string, id: string): Promise<ExportRecord> {
  const record = await loadExport(trx, company, id);
  if (record.masterid !== masterid) throw notFound('Diesen Export');
  return record;
}

/** Loads a finished run of this export. @throws 404 for another export's run, 409 for a run that produced no file */
export async function finishedRun(trx: Trx, company: string, id: string, runid: string): Promise<Job> {
  const job = await loadJob(trx, company, runid);
  if (runKindOf(job) !== 'export' || job.subject !== exportSubject(id)) throw notFound('Diesen Lauf');
  if (job.state !== 'done' || revisionsOf(job) === undefined) {
    throw new KontorError(
      409,
      'run_unfinished',
      'Dieser Lauf wurde nicht fertig und hat keine Datei erzeugt. Erklären lässt sich nur ein fertiger Lauf.',
    );
  }
  return job;
}

/** The current plan: the live snapshot and the newest revisions. @throws 404 if the master never had items */
export async function planNow(
  trx: Trx,
  storagePaths: StoragePaths,
  company: string,
  masterid: string,
  record: ExportRecord | undefined,
): Promise<ItemPlan> {
  await loadMaster(trx, company, masterid);
  const snapshot = await liveSnapshot(trx, company, masterid);
  if (!snapshot) throw notFound('Diesen Artikel');
  return planOf(trx, storagePaths, snapshot, record, undefined);
}

/** The plan of a past run. @throws 410 if the snapshot is no longer recorded; whether its file exists: `neededFile` */
export async function planAt(
  trx: Trx,
  storagePaths: StoragePaths,
  record: ExportRecord,
  revisions: Revisions,
): Promise<ItemPlan> {
  const snapshot = await snapshotAt(trx, record.company, record.masterid, revisions.snapshot);
  if (!snapshot) throw gone(revisions.snapshot);
  return planOf(trx, storagePaths, snapshot, record, revisions);
}

async function planOf(
  trx: Trx,
  storagePaths: StoragePaths,
  snapshot: SnapshotRecord,
  record: ExportRecord | undefined,
  at: Revisions | undefined,
): Promise<ItemPlan> {
  const { company, masterid } = snapshot;
  const master = await loadRules(trx, company, `master:${masterid}`, at?.masterRules);
  const none = { rules: [], rows: [], values: [], revision: 0 };
  const own = record ? await loadRules(trx, company, `export:${record.id}`, at?.exportRules) : none;
  const mappings = await loadMappings(trx, company, masterid, at && (at.mappings ?? 0));
  const tables = record ? await loadTables(trx, company, record.id, at) : { tables: noTables, revisions: {} };
  const construction = record ? await loadConstruction(trx, company, record.id, at?.construction) : none;
  const attributes = record ? await loadAttributes(trx, company, record.id, at && (at.attributes ?? 0)) : none;
  const settings = record && (at ? await settingsAt(trx, record, at.settings) : record.settings);
  const plan: ExportPlan = {
    snapshot,
    path: storagePaths.snapshot(company, masterid, snapshot.number),
    masterRules: master.rules,
    mappings: mappings.mappings,
    exportRules: own.rules,
    tables: tables.tables,
    construction: construction.rows,
    attributes: attributes.values,
    template: settings && templateOf(settings.channel),
    offered: record && (await stockOf(trx, storagePaths, record, at)),
  };
  return {
    plan,
    revisions: {
      snapshot: snapshot.number,
      masterRules: master.revision,
      mappings: mappings.revision,
      exportRules: own.revision,
      ...tables.revisions,
      construction: construction.revision,
      attributes: attributes.revision,
      ...(at ? { stock: at.stock } : stockRevision(plan)),
      settings: at?.settings ?? record?.revision ?? 0,
    },
    settings,
  };
}

async function stockOf(trx: Trx, storagePaths: StoragePaths, record: ExportRecord, at: Revisions | undefined) {
  if (at === undefined) return offeredStock(trx, storagePaths, record);
  return at.stock === undefined ? undefined : offeredStockAt(trx, storagePaths, record, at.stock);
}

async function settingsAt(
  trx: Trx,
  { company, id, settings }: ExportRecord,
  revision: number,
): Promise<ExportSettings> {
  const { body } = await loadDocument(trx, company, 'settings', `export:${id}`, revision);
  return body === undefined ? settings : ExportSettings.parse(JSON.parse(body));
}

/** Checks that the files a plan reads exist. @throws 410 if that of the snapshot, or of the stock it read, was removed */
export async function neededFile({ store }: Pick<StoragePaths, 'store'>, { plan, revisions }: ItemPlan): Promise<void> {
  if (revisions.stock !== plan.offered?.revision && revisions.stock !== undefined) throw goneStock();
  if (!(await store.has(plan.path))) throw gone(plan.snapshot.number);
}

const goneStock = () =>
  new KontorError(
    410,
    'stock_gone',
    'Der Bestand, mit dem dieser Lauf rechnete, wird nicht mehr aufbewahrt. Der aktuelle Stand lässt sich weiterhin erklären.',
  );
const gone = (number: number) =>
  new KontorError(
    410,
    'snapshot_gone',
    `Der Artikelstand ${number} wird nicht mehr aufbewahrt. Was damals galt, lässt sich deshalb nicht mehr nachrechnen; der aktuelle Stand lässt sich weiterhin erklären.`,
  );
