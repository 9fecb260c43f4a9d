import { column, query, ROW, snapshotRelation } from '#engine/duckdb/relation.ts';
import type { Live } from '#engine/duckdb/rule-batches.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { name, ownNumber, duck, statement } from '#platform/duckdb/sql.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import type { ExplainedRow } from '#shared/explain/schema.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { explainedMappings, askedTables, followTables, type MetTable } from '#feed/stages/assignments/explain.ts';
import { runningMappings } from '#feed/stages/assignments/tables.ts';
import { explainConstruction } from '#feed/stages/construction/explain.ts';
import { rowForItem } from '#feed/stages/construction/fields.ts';
import { followRules, valuesBehind, type Followed } from './follow-rules.ts';
import { findItem, itemRelation, textOf, type ItemValues } from './item-values.ts';
import { shownText } from '#feed/stages/output/formats/json.ts';
import { buildItems, buildMaster, construct } from '#feed/plan/build.ts';
import { INDEX, OFFERED, demand, masterDemand } from '#feed/plan/demand.ts';
import { offeredRows } from '#feed/plan/offered-rows.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { namedInRules } from '#feed/stages/rules/demand.ts';

/** The way of one item through the pipeline, stage by stage. Stages it did not reach are undefined. */
export type ItemTrace = {
  readonly raw: ItemValues;
  readonly master: Followed;
  /** The mappings whose results are read; without an export, all that run. */
  readonly mappings: readonly MetTable[];
  /** The stock that the channel is offered; undefined if it is not read or not computed. */
  readonly offered: { readonly value: string | null } | undefined;
  readonly own: Followed | undefined;
  /** Categories, brands, colours: those whose results the construction reads. */
  readonly tables: readonly MetTable[];
  readonly construction: readonly Omit<ExplainedRow, 'concerns'>[] | undefined;
  /** The rows that the export's fields are made from; [] without an export or if the item does not reach them. */
  readonly rows: readonly ConstructionRow[];
  /** The item's values after the last rule that it met, even if that rule excluded it. */
  readonly values: ReadonlyMap<string, string | null>;
  /** What a mark before three digits means in these values. */
  readonly groups: ItemValues['groups'];
};

/**
 * Runs the pipeline for one item and records the values before and after every stage. `format` is that of the export; without it
 * the way ends after the master's rules and mappings. undefined: the snapshot does not contain the item.
 */
export async function followItem(
  duckdb: DuckDb,
  plan: ExportPlan,
  itemId: string,
  format: OutputFormat | undefined,
  signal?: AbortSignal,
): Promise<ItemTrace | undefined> {
  const raw = await findItem(duckdb, plan, itemId, signal);
  if (!raw) return undefined;
  const master = await followMaster(duckdb, plan, raw, signal);
  return format
    ? followExport(duckdb, plan, { raw, master }, format, signal)
    : followCatalogue(duckdb, plan, { raw, master }, signal);
}

/** Runs the item through the master's rules, with which every export begins. */
export function followMaster(
  duckdb: DuckDb,
  plan: ExportPlan,
  raw: ItemValues,
  signal?: AbortSignal,
): Promise<Followed> {
  return followRules(
    duckdb,
    { item: raw, rules: plan.masterRules, whole: () => ({ statements: [], relation: catalogueOf(plan) }) },
    signal,
  );
}

/** Runs the item through the stages of one export, after the master's rules. */
export async function followExport(
  duckdb: DuckDb,
  plan: ExportPlan,
  { raw, master }: Pick<ItemTrace, 'raw' | 'master'>,
  format: OutputFormat,
  signal?: AbortSignal,
): Promise<ItemTrace> {
  if (!master.item) return { ...nowhere, raw, master, values: valuesBehind(raw, master.met), groups: raw.groups };
  const { tables: wanted, master: behindMaster, numbered } = demand(plan);
  const inRules = new Set(namedInRules(plan.exportRules));
  const mapped = await followTables(
    duckdb,
    master.item,
    explainedMappings(behindMaster.mappings),
    itemRelation,
    signal,
  );
  const offered = behindMaster.offered ? await offeredOf(duckdb, plan, raw.id, signal) : undefined;
  const stocked = offered === undefined ? mapped.item : withValue(mapped.item, OFFERED, offered.value);
  const whole = (live: Live) => buildMaster(plan, masterDemand(plan, { live, reads: inRules }));
  const own = await followRules(duckdb, { item: stocked, rules: plan.exportRules, whole }, signal);
  const way = { raw, master, mappings: mapped.met, offered, own };
  if (!own.item) return { ...nowhere, ...way, values: valuesBehind(stocked, own.met), groups: stocked.groups };
  const ownItem = numbered ? await withIndex(duckdb, plan, own.item, signal) : own.item;
  const tabled = await followTables(duckdb, ownItem, askedTables(plan.tables, wanted), itemRelation, signal);
  const { values, groups } = tabled.item;
  const { constructed, fields } = construct(plan, itemRelation(tabled.item));
  const rows = fields.map((field) => rowForItem(field, (key) => values.get(key) ?? null));
  const serialize = (column: (typeof constructed.columns)[number]) => shownText(column, format);
  const item = { constructed, id: raw.id, values };
  const construction = await explainConstruction(duckdb, rows, item, serialize, signal);
  return { ...way, tables: tabled.met, construction, rows, values, groups };
}

const nowhere = { mappings: [], offered: undefined, own: undefined, tables: [], construction: undefined, rows: [] };

/** Adds the item's running number in the export, which depends on the whole catalogue. */
async function withIndex(
  duckdb: DuckDb,
  plan: ExportPlan,
  item: ItemValues,
  signal: AbortSignal | undefined,
): Promise<ItemValues> {
  const { statements, relation } = buildItems(plan, demand(plan, { live: new Set(), reads: new Set([INDEX]) }));
  const body = duck`SELECT ${column(relation, INDEX)} AS n FROM ${name(relation.from)} WHERE ${ROW} = ${ownNumber(item.row)}`;
  const [found] = await duckdb.last([...statements, query(relation, body)], signal);
  return withValue(item, INDEX, textOf(found?.['n']));
}

const withValue = (item: ItemValues, key: string, value: string | null): ItemValues => ({
  ...item,
  values: new Map([...item.values, [key, value]]),
});

/** The stock that the channel is offered of an item; undefined if none is computed. */
async function offeredOf(
  duckdb: DuckDb,
  { offered }: ExportPlan,
  id: string,
  signal: AbortSignal | undefined,
): Promise<ItemTrace['offered']> {
  if (offered === undefined) return undefined;
  const [found] = await duckdb.all(
    statement(duck`SELECT pieces FROM ${offeredRows(offered)} WHERE item = ${id}`),
    signal,
  );
  return { value: textOf(found?.['pieces']) };
}

/** The item's way in the catalogue: the master's rules, and every mapping that runs. */
async function followCatalogue(
  duckdb: DuckDb,
  plan: ExportPlan,
  { raw, master }: Pick<ItemTrace, 'raw' | 'master'>,
  signal: AbortSignal | undefined,
): Promise<ItemTrace> {
  if (!master.item) return { ...nowhere, raw, master, values: valuesBehind(raw, master.met), groups: raw.groups };
  const tables = explainedMappings(runningMappings(plan.mappings));
  const { met, item } = await followTables(duckdb, master.item, tables, itemRelation, signal);
  return { ...nowhere, raw, master, mappings: met, values: item.values, groups: item.groups };
}

const catalogueOf = ({ path, snapshot }: ExportPlan) => snapshotRelation({ path, fields: snapshot.fields });
