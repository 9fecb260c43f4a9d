import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { driftsBetween } from '#feed/difference/anomalies.ts';
import { compareSnapshots } from '#feed/difference/difference.ts';
import { judgeDifference } from '#feed/difference/judge.ts';
import { offeredStockAt } from '#catalogue/offered-stock.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { snapshotAt } from '#catalogue/snapshots.ts';
import type { Clock } from '#platform/clock.ts';
import type { Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Ids } from '#platform/ids.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import type { Job, JobEnd } from '#platform/jobs/job.ts';
import type { DifferenceSettings } from '#shared/difference/schema.ts';
import { type OutputFormat, outputKinds } from '#shared/exports/schema.ts';
import { validatedItems } from '#feed/plan/validated-items.ts';
import type { ExportColumn } from '#feed/stages/construction/columns.ts';
import {
  type Compared,
  isItemwise,
  isNone,
  isReadAlike,
  MANY_CHANGED,
  MOST_TOUCHED,
  stockColumn,
  touchedItems,
  writeChanges,
  writeGone,
  writeTouched,
} from './incremental-items.ts';
import {
  judgeOutput,
  anomalies,
  measuredFields,
  releaseVerdict,
  type JudgedOutput,
} from '#feed/difference/release-check.ts';
import type { LoadedPlan } from '#feed/plan/load-plan.ts';
import { revisionsOf } from '#feed/explain/past-plan.ts';
import {
  type PublishedBaseline,
  loadAccepted,
  requireBaseline,
  stateFile,
  type StateWanted,
} from './published-baseline.ts';
import { deltaName, liveOutput, publishOutput, type OutputRecord } from '#feed/stages/output/store.ts';
import { keptOf, serializationHash } from '#feed/stages/output/spelling.ts';
import { mimeOf, writeOutput } from '#feed/stages/output/write.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { encodingWarnings, goneWarnings, limitWarnings } from './warnings.ts';
import { writeItems } from './write-run.ts';
import { loadJob } from '#feed/runs/runs.ts';
import { openUploads, requestUpload } from '#feed/delivery/upload-job.ts';
import { isChannelBehind } from '#feed/delivery/upload/channel-state.ts';

type DeltaDeps = { duckdb: DuckDb; storagePaths: StoragePaths; ids: Ids; clock: Clock };
type Loaded = LoadedPlan & {
  number: number;
  difference: { settings: DifferenceSettings };
  delta: DeltaBase | undefined;
};

/** The state that an incremental run is based on; `plan`: the plan of that time, if only the catalogue or its stock changed. */
export type DeltaBase = {
  readonly state: PublishedBaseline;
  readonly output: OutputRecord;
  readonly plan: ExportPlan | undefined;
};

/** Loads the base of a run that is to deliver only changes; undefined: the whole file is due. */
export async function deltaBase(
  trx: Trx,
  { storagePaths, clock }: Pick<DeltaDeps, 'storagePaths' | 'clock'>,
  { record, plan, revisions }: LoadedPlan,
  full: boolean,
): Promise<DeltaBase | undefined> {
  const { company, id, masterid, settings } = record;
  const [state, live] = [await loadAccepted(trx, company, id), await liveOutput(trx, company, id)];
  if (full || !settings.delta.active || !state || !live) return undefined;
  const { output } = state;
  if (clock.now().getTime() - live.createdAt.getTime() >= settings.delta.fullHours * 3_600_000) return undefined;
  // Changes on top of a file that the channel never received would leave it in a state that was never computed.
  if (await isChannelBehind(trx, { company, id }, await openUploads(trx, { company, id }))) return undefined;
  const then = revisionsOf(await loadJob(trx, company, output.runid));
  // With another name, format or kind of delivery the channel gets the whole file again.
  if (!then || then.settings !== revisions['settings']) return undefined;
  const sameRevisions = Object.entries(revisions).every(
    ([document, revision]) =>
      document === 'snapshot' ||
      document === 'stock' ||
      Object.entries(then).some((one) => one[0] === document && one[1] === revision),
  );
  const snapshot = sameRevisions ? await snapshotAt(trx, company, masterid, then.snapshot) : undefined;
  const stock = then.stock === undefined ? undefined : await offeredStockAt(trx, storagePaths, record, then.stock);
  // The stock that was read then is gone: no one can tell which items it changed.
  if (snapshot === undefined || stock?.revision !== then.stock) return { state, output, plan: undefined };
  const path = storagePaths.snapshot(company, masterid, snapshot.number);
  return { state, output, plan: { ...plan, snapshot, path, offered: stock } };
}

type Work = {
  readonly base: DeltaBase;
  readonly temporary: (ending: string) => string;
  readonly made: string[];
  readonly signal: AbortSignal;
};
/** The result of a run: the files to compare, and the judgement of the whole state. `keep`: endings of files to keep. */
type Found = Compared & {
  readonly items: number;
  readonly judged: JudgedOutput;
  readonly narrow: boolean;
  readonly keep: readonly string[];
};

/** Computes and writes only what changed; undefined if that is not possible, so that the whole file is due. */
export async function deltaRun(
  deps: DeltaDeps,
  job: Pick<Job, 'company' | 'id' | 'fence'>,
  loaded: Loaded,
  signal: AbortSignal,
): Promise<JobEnd | undefined> {
  const { record, plan, number, delta: base } = loaded;
  if (!base) return undefined;
  const pathOf = (ending: string) => deps.storagePaths.output(job.company, record.id, number, ending);
  const temporary = (ending: string) => temporaryName(job, pathOf(ending));
  await mkdir(dirname(pathOf('x')), { recursive: true });
  const made: string[] = [];
  const removeFiles = async () => {
    for (const file of made) await rm(file, { force: true });
  };
  const requireBase = (trx: Trx) => requireBaseline(trx, { company: job.company, id: record.id }, base.output.number);
  try {
    const work = { base, temporary, made, signal };
    const { columns, gone } = validatedItems(plan, record.settings.format);
    if (!isWrittenAlike(base.output, columns, record.settings.format)) return await nothing(removeFiles);
    const changes = (await narrowChanges(deps, loaded, work)) ?? (await wideChanges(deps, loaded, work));
    if (!changes) return await nothing(removeFiles);
    const counts = { rowsIn: plan.snapshot.items, accepted: 0, rejected: 0, snapshot: plan.snapshot.number };
    if (isNone(changes.judged.difference)) {
      const message = `Keine Änderungen seit Datei ${base.output.number}; es wurde nichts übergeben.`;
      const result = { ...counts, against: base.output.number };
      return { state: 'done', message, result, effect: requireBase, after: removeFiles };
    }
    const written = await writeDelta(deps.duckdb, loaded, changes, columns, work);
    const { accepted, message, ...deviation } = releaseVerdict(changes.judged);
    const result = {
      ...counts,
      accepted: written.items,
      rejected: plan.snapshot.items - changes.items,
      output: number,
      ...deviation,
      warnings: [
        ...goneWarnings(gone),
        ...written.warnings,
        ...limitWarnings(plan.template, { items: written.items, bytes: written.output.bytes }),
        ...anomalies(changes.judged),
      ],
      revisions: loaded.revisions,
    };
    const endings = [...changes.keep, written.output.sidecars.ending];
    const files = endings.map((ending) => ({ temporary: temporary(ending), final: pathOf(ending) }));
    const effect = async (trx: Trx) => {
      await requireBase(trx);
      const output = { number, runid: job.id, items: changes.items, whole: false, base: base.output.number };
      await publishOutput(trx, { company: job.company, id: record.id }, { ...output, ...written.output }, accepted);
      const upload = { company: job.company, id: record.id, jobid: deps.ids.id(), delta: number };
      if (accepted) await requestUpload(trx, upload);
    };
    const summary = message ?? `Nur Änderungen seit Datei ${base.output.number}.`;
    return { state: accepted ? 'done' : 'blocked', message: summary, result, files, effect, after: removeFiles };
  } catch (error) {
    await removeFiles();
    throw error;
  }
}

async function nothing(removeFiles: () => Promise<void>): Promise<undefined> {
  await removeFiles();
}

/** Whether unchanged values are serialized as in the last file; if not, the channel gets the whole file. */
const isWrittenAlike = ({ sidecars }: OutputRecord, columns: readonly ExportColumn[], format: OutputFormat): boolean =>
  JSON.stringify(sidecars.header) === JSON.stringify(columns.map((column) => column.name)) &&
  sidecars.spelling === serializationHash(columns, format);

/**
 * For runs in which only the catalogue changed and each item stands alone: computes only the items that differ and compares them
 * with what the channel has. All other items are unchanged, so this difference is that of the whole.
 */
async function narrowChanges(
  { duckdb, storagePaths }: DeltaDeps,
  loaded: Loaded,
  work: Work,
): Promise<Found | undefined> {
  const { base, temporary, made, signal } = work;
  const { plan, record, difference } = loaded;
  const { format, omitInvalid } = record.settings;
  const now = validatedItems(plan, format);
  if (!base.plan || !isReadAlike(base.plan, plan) || !isItemwise(plan, now, omitInvalid)) return undefined;
  if (!(await storagePaths.store.has(base.plan.path))) return undefined;
  const touched = temporary('touched.parquet');
  made.push(touched);
  const count = await writeTouched(duckdb, { before: base.plan, after: plan }, touched, signal);
  if (count > plan.snapshot.items * MOST_TOUCHED) return undefined;
  const pathFor = (ending: string) => temporary(`neu.${ending}`);
  const [before, after, ids, removed] = [
    temporary('alt.parquet'),
    pathFor('parquet'),
    temporary('weg.parquet'),
    temporary('entfallen.parquet'),
  ];
  made.push(before, after, ids, removed);
  const constructed = touchedItems(plan, touched, format);
  await writeItems(duckdb, { constructed, temporary: pathFor, made, signal }, omitInvalid);
  const baselineFile = (selection: StateWanted) =>
    stateFile({ duckdb, storagePaths }, record, base.state, selection, signal);
  await baselineFile({ target: before, only: touched, columns: [] });
  await writeGone(duckdb, { before, after }, ids, signal);
  await baselineFile({ target: removed, only: ids });
  const counted = await compareSnapshots(duckdb, before, after, signal);
  const items = base.output.items + counted.added - counted.removed;
  // A few items of the catalogue may be many of the file, or all that have stock: only a full run can judge that.
  if (counted.changed > base.output.items * MOST_TOUCHED) return undefined;
  if (counted.changed > base.output.items * MANY_CHANGED) {
    const values = temporary('werte.parquet');
    made.push(values);
    const fields = measuredFields(base.output, { columns: constructed.columns, format });
    // Columns with the same name are compared with the first of them.
    const columns = [...new Set(fields.map((field) => field.before))];
    await baselineFile({ target: values, only: touched, columns });
    const drifts = await driftsBetween(duckdb, { before: values, after }, fields, signal);
    if (drifts.some(({ grave }) => grave)) return undefined;
  }
  const facts = { before: base.output.items, after: items, difference: counted, drifts: [] };
  const judgement = judgeDifference(difference.settings, facts);
  const judged = { against: base.output.number, difference: counted, drifts: [], judgement };
  return { before, after, removed, items, judged, narrow: true, keep: ['alt.parquet', 'neu.parquet'] };
}

/** Computes everything and compares it with the whole previous state. */
async function wideChanges(
  { duckdb, storagePaths }: DeltaDeps,
  loaded: Loaded,
  work: Work,
): Promise<Found | undefined> {
  const { base, temporary, made, signal } = work;
  const { plan, record, difference } = loaded;
  const { format, omitInvalid } = record.settings;
  const baselinePath = temporary('stand.parquet');
  made.push(baselinePath);
  const before = await stateFile({ duckdb, storagePaths }, record, base.state, { target: baselinePath }, signal);
  const constructed = validatedItems(plan, format);
  const after = temporary('parquet');
  made.push(after);
  const { items } = await writeItems(duckdb, { constructed, temporary, made, signal }, omitInvalid);
  const files = { path: after, items, columns: constructed.columns, format };
  const judged = await judgeOutput(duckdb, { record: base.output, path: before }, files, difference.settings, signal);
  return judged && { before, after, removed: before, items, judged, narrow: false, keep: ['parquet'] };
}

async function writeDelta(
  duckdb: DuckDb,
  { record, plan }: Loaded,
  { judged, narrow, ...compared }: Found,
  columns: readonly ExportColumn[],
  { temporary, made, signal }: Work,
) {
  const { format, name: title, filename, delta } = record.settings;
  const { extension } = outputKinds[format.kind];
  const ending = `aenderungen.${extension}`;
  const parquet = temporary('aenderungen.parquet');
  made.push(parquet, temporary(ending));
  const zero = delta.removed === 'zero' ? stockColumn(columns) : undefined;
  const items = await writeChanges(duckdb, compared, { columns, zero, target: parquet }, signal);
  const source = { parquet, items, columns, title, id: record.id, updated: plan.snapshot.createdAt };
  const { bytes, etag, warnings, ...encoded } = await writeOutput(duckdb, source, format, temporary(ending), signal);
  const missing = delta.removed === 'zero' && !zero && judged.difference.removed > 0;
  const sidecars = { ending, ...keptOf(columns, format), delta: { items, narrow } };
  return {
    items,
    warnings: [...encodingWarnings(encoded), ...warnings, ...(missing ? [noStock] : [])],
    output: { name: deltaName(filename), bytes, etag, mime: mimeOf(format), sidecars },
  };
}

const noStock =
  'Entfallene Artikel konnten nicht mit Bestand 0 übergeben werden: der Export hat kein Feld für den Bestand. Sie verschwinden mit der nächsten ganzen Datei.';
