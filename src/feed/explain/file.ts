import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import { exportTableNames } from '#shared/assignments/schema.ts';
import { causeKinds, type CauseKind, type ExplainedFile } from '#shared/explain/schema.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { followItem, type ItemTrace } from './explain.ts';
import { textOf } from './item-values.ts';
import { omittingErrors } from './omission.ts';
import type { ItemPlan } from './past-plan.ts';
import { shownText } from '#feed/stages/output/formats/json.ts';
import type { OutputRecord } from '#feed/stages/output/store.ts';
import { demand } from '#feed/plan/demand.ts';
import { build } from '#feed/plan/build.ts';

export type FileDeps = { duckdb: DuckDb; storagePaths: StoragePaths };

/** A finished output with the plan that its run used; `state` is undefined if that is no longer known. */
export type PastFile = { readonly output: OutputRecord; readonly state: ItemPlan | undefined };

/** The item's fields as serialized in a file. A name may occur twice. */
type Cells = readonly { readonly name: string; readonly value: string | null }[];

/** `reasons`: the changes that alone put the item into only one of the two; [] if it is in both or in neither. */
export type Compared = Omit<ExplainedFile, 'causes'> & {
  readonly changed: readonly CauseKind[];
  readonly reasons: readonly CauseKind[];
};

/** Runs older than mappings and tables do not record them: these were empty, revision 0. */
const revisionOf: Record<CauseKind, (plan: ItemPlan) => string | number> = {
  import: ({ revisions }) => revisions.snapshot,
  masterRules: ({ revisions }) => revisions.masterRules,
  mappings: ({ revisions }) => revisions.mappings ?? 0,
  stock: ({ revisions }) => revisions.stock ?? 0,
  exportRules: ({ revisions }) => revisions.exportRules,
  tables: ({ revisions }) =>
    exportTableNames.map((table) => `${revisions[table] ?? 0}/${revisions[`${table}Targets`] ?? 0}`).join(' '),
  construction: ({ revisions }) => revisions.construction,
  attributes: ({ revisions }) => revisions.attributes ?? 0,
  settings: ({ revisions }) => revisions.settings,
};

/** The kinds of cause whose revision differs between the file and now. */
export function changedKinds(then: ItemPlan, now: ItemPlan): CauseKind[] {
  return causeKinds.filter((kind) => revisionOf[kind](then) !== revisionOf[kind](now));
}

/**
 * Compares the item in a finished file with what is computed for it: whether the file has it, which fields differ, and which
 * changes cause that. Without a `way` it is not exported. undefined: the file is no longer stored, or its columns are unknown.
 */
export async function compareWithFile(
  { duckdb, storagePaths }: FileDeps,
  { output, state: then }: PastFile,
  { now, way }: { now: ItemPlan; way: ItemTrace | undefined },
  item: { company: string; exportId: string; itemId: string },
  signal?: AbortSignal,
): Promise<Compared | undefined> {
  const path = storagePaths.output(item.company, item.exportId, output.number, 'parquet');
  if (!then || !(await storagePaths.store.has(path))) return undefined;
  const format = then.settings?.format;
  if (!format) return undefined;
  const filed = await cellsInFile(duckdb, path, then, format, item.itemId, signal);
  const computed = cellsOf(way);
  const differing = filed && computed ? differencesOf(filed, computed) : [];
  const changed = changedKinds(then, now);
  const presenceDiffers = Boolean(filed) !== Boolean(computed);
  const unclear = (differing.length > 0 || presenceDiffers) && changed.length > 1;
  const replays = unclear
    ? await replay({ duckdb, storagePaths }, then, now, changed, item.itemId, signal)
    : new Map<CauseKind, undefined>();
  // A single change needs no replay; if no replay was possible, no change is blamed.
  const makes = (differs: (cells: Cells | undefined) => boolean) =>
    changed.filter((kind) => (changed.length === 1 ? true : replays.has(kind) && differs(replays.get(kind))));
  return {
    number: output.number,
    runid: output.runid,
    createdAt: output.createdAt.toISOString(),
    present: filed !== undefined,
    differences: differing.map(({ at, ...difference }) => ({
      ...difference,
      causes: makes((cells) => cellAt(cells, difference.name, at) !== difference.file),
    })),
    changed,
    reasons: presenceDiffers ? makes((cells) => Boolean(cells) !== Boolean(filed)) : [],
  };
}

/** Computes the item's cells with each change alone applied to the file's state: what then differs was caused by that change. */
async function replay(
  { duckdb, storagePaths: { store } }: FileDeps,
  then: ItemPlan,
  now: ItemPlan,
  changed: readonly CauseKind[],
  itemId: string,
  signal: AbortSignal | undefined,
): Promise<Map<CauseKind, Cells | undefined>> {
  const cells = new Map<CauseKind, Cells | undefined>();
  if (!(await store.has(then.plan.path))) return cells;
  for (const kind of changed) {
    const { plan, settings } = mixed(then, now, kind);
    const way = await followItem(duckdb, plan, itemId, settings?.format, signal);
    const omitted = way !== undefined && (await omittingErrors(duckdb, { plan, settings }, way, signal)).length > 0;
    cells.set(kind, omitted ? undefined : cellsOf(way));
  }
  return cells;
}

function mixed(then: ItemPlan, now: ItemPlan, kind: CauseKind): Pick<ItemPlan, 'plan' | 'settings'> {
  const { plan, settings } = then;
  switch (kind) {
    case 'import':
      return { plan: { ...plan, snapshot: now.plan.snapshot, path: now.plan.path }, settings };
    case 'masterRules':
      return { plan: { ...plan, masterRules: now.plan.masterRules }, settings };
    case 'mappings':
      return { plan: { ...plan, mappings: now.plan.mappings }, settings };
    case 'stock':
      return { plan: { ...plan, offered: now.plan.offered }, settings };
    case 'tables':
      return { plan: { ...plan, tables: now.plan.tables }, settings };
    case 'exportRules':
      return { plan: { ...plan, exportRules: now.plan.exportRules }, settings };
    case 'construction':
      return { plan: { ...plan, construction: now.plan.construction }, settings };
    case 'attributes':
      return { plan: { ...plan, attributes: now.plan.attributes }, settings };
    case 'settings':
      return { plan: { ...plan, template: now.plan.template }, settings: now.settings };
  }
}

function cellsOf(way: ItemTrace | undefined): Cells | undefined {
  return way?.construction?.map(({ name, written }) => ({ name, value: written }));
}

/** Fields with the same name are identified by their position among them. */
function cellAt(cells: Cells | undefined, name: string, at: number): string | null {
  return cells?.filter((cell) => cell.name === name)[at]?.value ?? null;
}

function differencesOf(filed: Cells, computed: Cells) {
  const names = [...new Set([...computed, ...filed].map(({ name }) => name))];
  const count = (cells: Cells, name: string) => cells.filter((cell) => cell.name === name).length;
  return names.flatMap((name) =>
    Array.from({ length: Math.max(count(filed, name), count(computed, name)) }, (_, at) => ({
      name,
      at,
      file: cellAt(filed, name, at),
      now: cellAt(computed, name, at),
    })).filter((difference) => difference.file !== difference.now),
  );
}

/** The item's cells in a run's file; undefined if the file does not contain it. */
async function cellsInFile(
  duckdb: DuckDb,
  path: string,
  { plan }: ItemPlan,
  format: OutputFormat,
  itemId: string,
  signal: AbortSignal | undefined,
): Promise<Cells | undefined> {
  const { columns } = build(plan, demand(plan));
  const serialized = columns.map((column) => shownText(column, format));
  const list = columns.length === 0 ? duck`CAST([] AS VARCHAR[])` : duck`[${join(serialized, duck`, `)}]`;
  const [row] = await duckdb.all(
    statement(duck`SELECT ${list} AS cells FROM read_parquet(${storedFile(path)}) WHERE _id = ${itemId}`),
    signal,
  );
  if (!row) return undefined;
  const cells: readonly unknown[] = Array.isArray(row['cells']) ? row['cells'] : [];
  return columns.map(({ name }, index) => ({ name, value: textOf(cells[index]) }));
}
