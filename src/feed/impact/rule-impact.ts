import { itemsOn } from '#engine/duckdb/aggregates.ts';
import { column, nextStep, query, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { sideBySide, type Compared } from '#engine/analysis/rule-comparison.ts';
import { isSource } from '#engine/ir/source-key.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import type { ExportImpact } from '#shared/rules/effect.ts';
import { type ExportField, fieldReads } from '#feed/stages/construction/fields.ts';
import { fieldText } from '#feed/stages/construction/values.ts';
import { ChangedFields, type UnsavedPlan } from './changed-fields.ts';
import { demand } from '#feed/plan/demand.ts';
import { buildItems } from '#feed/plan/build.ts';
import { type ExportPlan, fieldsOf } from '#feed/plan/export-plan.ts';
import { ValidItems } from './valid-items.ts';

/** The most examples of an export field, and the most item numbers in a list. */
const SAMPLES = 3;
const NUMBERS = 10;

type Impact = Omit<ExportImpact, 'id' | 'name'>;

/** `omitting`: the format for which the export omits items with errors; undefined: it omits none. */
type ImpactOptions = { readonly omitting?: OutputFormat | undefined; readonly signal?: AbortSignal };
/** Returns the text of an export field under one of the lists of rules. */
type TextOf = (items: Relation, field: ExportField) => Sql;

/**
 * Computes how an export would differ from now, over all items: both lists of rules run over the same items in one statement,
 * only for export fields that can differ. If none can, items are only counted. Items with errors are determined, which takes all
 * checks, only if they are omitted and the differing fields may cause or remove an error.
 */
export async function exportImpact(
  duckdb: DuckDb,
  plan: ExportPlan,
  unsaved: UnsavedPlan,
  { omitting, signal }: ImpactOptions = {},
): Promise<Impact> {
  const then: ExportPlan = { ...plan, ...unsaved };
  const taint = new ChangedFields(plan, then);
  const fields = fieldsOf(plan, () => taint.rules.fields());
  const affected = fields.filter((field) => fieldReads(field).some((key) => taint.differs(key)));
  if (affected.length === 0 && !taint.rules.leavesDiffer() && !taint.rules.excludes()) return same(plan.snapshot.items);
  const valid = omitting && new ValidItems(plan, then, omitting);
  if (valid && (valid.dependsOn(affected) || (taint.rules.leavesDiffer() && valid.canFail())))
    return answered(
      duckdb,
      valid.compared(affected),
      affected,
      (items, field) => column(items, valid.keyOf(field)),
      signal,
    );
  const keys = [...new Set(affected.flatMap(fieldReads))];
  const compared =
    taint.readsMappings || keys.some(isSource)
      ? throughTables(plan, then, keys)
      : taint.rules.compared(keys, { table: (index) => `impact_${index}` });
  return answered(duckdb, compared, affected, fieldText, signal);
}

async function answered(
  duckdb: DuckDb,
  compared: Compared,
  fields: readonly ExportField[],
  textOf: TextOf,
  signal: AbortSignal | undefined,
): Promise<Impact> {
  const { statements, read } = impactStatements(compared, fields, textOf);
  const [row = {}] = await duckdb.last(statements, signal);
  return read(row);
}

/** Mappings and tables run between the rules and the export's fields: both plans run completely, for the given fields. */
function throughTables(plan: ExportPlan, then: ExportPlan, keys: readonly string[]): Compared {
  const wanted = new Set(keys);
  const itemsOf = (one: ExportPlan) => buildItems(one, demand(one, { live: wanted, reads: wanted }));
  const ways = [itemsOf(plan), itemsOf(then)] as const;
  return sideBySide(ways, keys, ['impact_before', 'impact_after']);
}

function same(items: number): Impact {
  const none = { removed: 0, added: 0, changedItems: 0, changedValues: 0 };
  return { before: items, after: items, ...none, fields: [], removedItems: [], addedItems: [] };
}

/** Returns the statements, the last of which yields one row, and the function that reads that row. */
function impactStatements(
  compared: Compared,
  fields: readonly ExportField[],
  textOf: TextOf,
): { statements: Statement[]; read: (row: Record<string, unknown>) => Impact } {
  const { before, after, was, is } = compared;
  const both = duck`${was} AND ${is}`;
  const values = fields.flatMap((field, index) => {
    const [old, current] = [textOf(before, field), textOf(after, field)];
    return [
      duck`${old} AS ${name(`a${index}`)}`,
      duck`${current} AS ${name(`b${index}`)}`,
      duck`${both} AND ${old} IS DISTINCT FROM ${current} AS ${name(`d${index}`)}`,
    ];
  });
  const list = [name('id'), ROW, duck`${was} AS ${name('was')}`, duck`${is} AS ${name('now')}`, ...values];
  const body = duck`SELECT ${join(list, duck`, `)} FROM ${name(before.from)}`;
  const done = nextStep(before, body, new Map());
  return {
    statements: [...compared.statements, query(done, countStatement(done, fields.length))],
    read: (row) => readImpact(row, fields),
  };
}

function countStatement(done: Relation, fields: number): Sql {
  const [was, is] = [name('was'), name('now')];
  const countIf = (condition: Sql) => duck`CAST(${itemsOn(condition)} AS INTEGER)`;
  const numbers = (condition: Sql) => duck`arg_min(${name('id')}, ${ROW}, ${ownNumber(NUMBERS)}) FILTER (${condition})`;
  const differing = Array.from({ length: fields }, (_, index) => name(`d${index}`));
  const any = differing.length === 0 ? duck`FALSE` : join(differing, duck` OR `);
  const aggregates = [
    duck`${countIf(was)} AS before`,
    duck`${countIf(is)} AS after`,
    duck`${countIf(duck`${was} AND NOT ${is}`)} AS removed`,
    duck`${countIf(duck`${is} AND NOT ${was}`)} AS added`,
    duck`${countIf(any)} AS changed`,
    duck`${numbers(duck`${was} AND NOT ${is}`)} AS removed_items`,
    duck`${numbers(duck`${is} AND NOT ${was}`)} AS added_items`,
    ...differing.flatMap((differs, index) => fieldAggregates(differs, index, countIf)),
  ];
  return duck`SELECT ${join(aggregates, duck`, `)} FROM ${name(done.from)}`;
}

function fieldAggregates(differs: Sql, index: number, countIf: (condition: Sql) => Sql): Sql[] {
  const [old, current] = [name(`a${index}`), name(`b${index}`)];
  const sample = duck`{'id': ${name('id')}, 'before': ${old}, 'after': ${current}}`;
  return [
    duck`${countIf(differs)} AS ${name(`changed_${index}`)}`,
    duck`${countIf(duck`${differs} AND ${old} IS NOT NULL AND ${current} IS NULL`)} AS ${name(`emptied_${index}`)}`,
    duck`arg_min(${sample}, ${ROW}, ${ownNumber(SAMPLES)}) FILTER (${differs}) AS ${name(`samples_${index}`)}`,
  ];
}

function readImpact(row: Record<string, unknown>, affected: readonly ExportField[]): Impact {
  const fields = affected
    .map(({ row: { exportfield, mp_state } }, index) => ({
      name: exportfield,
      required: mp_state === 'Required',
      changed: Number(row[`changed_${index}`] ?? 0),
      emptied: Number(row[`emptied_${index}`] ?? 0),
      samples: listOf(row[`samples_${index}`]).map(readSample),
    }))
    .filter(({ changed }) => changed > 0);
  return {
    before: Number(row['before'] ?? 0),
    after: Number(row['after'] ?? 0),
    removed: Number(row['removed'] ?? 0),
    added: Number(row['added'] ?? 0),
    changedItems: Number(row['changed'] ?? 0),
    changedValues: fields.reduce((sum, { changed }) => sum + changed, 0),
    fields: fields.toSorted((one, other) => other.changed - one.changed),
    removedItems: listOf(row['removed_items']).map(String),
    addedItems: listOf(row['added_items']).map(String),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function readSample(value: unknown): { id: string; before: string | null; after: string | null } {
  const sample: Partial<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  return { id: String(sample['id']), before: textOf(sample['before']), after: textOf(sample['after']) };
}
