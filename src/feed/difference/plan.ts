import { titleField } from '#catalogue/titles/title-field.ts';
import type { FieldPair } from './details.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { snapshotAt, type SnapshotRecord } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';
import { stateOf, type PublishedBaseline, type StateWanted } from '#feed/export/published-baseline.ts';
import { outputAt, type OutputRecord } from '#feed/stages/output/store.ts';
import { exportSubject, importSubject, runKindOf, RunResult } from '#feed/runs/runs.ts';

/** Two states of the same import or export: their files, their fields, and the number of items in each. */
export type ComparedStates = {
  readonly before: { readonly path: string; readonly items: number };
  readonly after: { readonly path: string; readonly items: number };
  readonly fields: readonly FieldPair[];
  /** Set if the file `before` must be built first (published-baseline.ts) and removed afterwards. */
  readonly narrow?: {
    readonly state: PublishedBaseline;
    readonly ref: { company: string; id: string };
  } & StateWanted;
  readonly title: { readonly before: string | null; readonly after: string | null };
};

/**
 * Returns the state that a run made and the one it was compared with. `mark`: names a file that must be built, so that two
 * requests do not write into or remove each other's.
 * @throws 409 if it made none or there was none before
 */
export async function comparedStates(
  trx: Trx,
  storagePaths: StoragePaths,
  job: Job,
  mark: string,
): Promise<ComparedStates> {
  const { company } = job;
  const { snapshot, against, output } = RunResult.parse(JSON.parse(job.result));
  if (runKindOf(job) === 'import') {
    const masterid = job.subject.slice(importSubject('').length);
    const [before, after] = [
      await snapshotNumbered(trx, company, masterid, against),
      await snapshotNumbered(trx, company, masterid, snapshot),
    ];
    if (!before || !after) throw nothingToCompare();
    return ofSnapshots(storagePaths, before, after);
  }
  const id = job.subject.slice(exportSubject('').length);
  const [before, after] = [
    await outputNumbered(trx, company, id, against),
    await outputNumbered(trx, company, id, output),
  ];
  if (!before || !after) throw nothingToCompare();
  const narrow = after.sidecars.delta?.narrow === true;
  const state = narrow ? await stateOf(trx, { company, id }, before) : undefined;
  return ofOutputs(storagePaths, { company, id, mark }, { before, after, state });
}

const snapshotNumbered = async (trx: Trx, company: string, masterid: string, number: number | null) =>
  number === null ? undefined : snapshotAt(trx, company, masterid, number);
const outputNumbered = async (trx: Trx, company: string, id: string, number: number | null) =>
  number === null ? undefined : outputAt(trx, company, id, number);

function ofSnapshots(storagePaths: StoragePaths, before: SnapshotRecord, after: SnapshotRecord): ComparedStates {
  const now = new Map(after.fields.map(({ name, id }) => [name, id]));
  const then = new Set(before.fields.map(({ name }) => name));
  const titleOf = ({ fields }: SnapshotRecord) => fields.find(({ name }) => name === titleField(fields))?.id ?? null;
  const path = ({ company, masterid, number }: SnapshotRecord) => storagePaths.snapshot(company, masterid, number);
  return {
    before: { path: path(before), items: before.items },
    after: { path: path(after), items: after.items },
    fields: [
      ...before.fields.map(({ name, id }) => ({ field: name, before: id, after: now.get(name) ?? null })),
      ...after.fields
        .filter(({ name }) => !then.has(name))
        .map(({ name, id }) => ({ field: name, before: null, after: id })),
    ],
    title: { before: titleOf(before), after: titleOf(after) },
  };
}

/** Columns of a run's file are numbered in the order of its header. */
function ofOutputs(
  storagePaths: StoragePaths,
  { company, id, mark }: { company: string; id: string; mark: string },
  { before, after, state }: { before: OutputRecord; after: OutputRecord; state: PublishedBaseline | undefined },
): ComparedStates {
  const [then, now] = [headerOf(before), headerOf(after)];
  const titleOf = (names: readonly string[]) => {
    const index = names.findIndex((name) => name === titleField(names.map((one) => ({ name: one }))));
    return index < 0 ? null : `x${index}`;
  };
  const path = ({ number }: OutputRecord) => storagePaths.output(company, id, number, 'parquet');
  // An incremental run stored only the changed items as they are now; their previous values are collected from earlier files.
  const outputPath = (ending: string) => storagePaths.output(company, id, after.number, ending);
  const narrow = state && { state, only: outputPath('alt.parquet'), target: outputPath(`vergleich.${mark}.tmp`) };
  return {
    before: { path: narrow?.target ?? path(before), items: before.items },
    after: { path: narrow ? outputPath('neu.parquet') : path(after), items: after.items },
    ...(narrow ? { narrow: { ...narrow, ref: { company, id } } } : {}),
    fields: pairedColumns(then, now),
    title: { before: titleOf(then), after: titleOf(now) },
  };
}

/** Pairs columns by name and occurrence: the second of a name with the second of that name. No stored header, no pairs. */
function pairedColumns(then: readonly string[], now: readonly string[]): FieldPair[] {
  if (then.length === 0 || now.length === 0) return [];
  const placed = (header: readonly string[]) =>
    header.map((field, index) => ({
      field,
      occurrence: header.slice(0, index).filter((one) => one === field).length,
      index,
    }));
  const [old, current] = [placed(then), placed(now)];
  const partner = ({ field, occurrence }: { field: string; occurrence: number }, among: typeof old) => {
    const match = among.find((one) => one.field === field && one.occurrence === occurrence);
    return match === undefined ? null : `x${match.index}`;
  };
  return [
    ...old.map((one) => ({ field: one.field, before: `x${one.index}`, after: partner(one, current) })),
    ...current
      .filter((one) => partner(one, old) === null)
      .map(({ field, index }) => ({ field, before: null, after: `x${index}` })),
  ];
}

const headerOf = ({ sidecars }: OutputRecord): readonly string[] => sidecars.header ?? [];

const nothingToCompare = () =>
  new KontorError(
    409,
    'nothing_to_compare',
    'Zu diesem Lauf gibt es keinen früheren Stand, mit dem er verglichen werden könnte.',
  );
