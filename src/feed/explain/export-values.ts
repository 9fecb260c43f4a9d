import type { ExportRecord } from '#catalogue/exports.ts';
import { query } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name } from '#platform/duckdb/sql.ts';
import type { ExplainedField, ItemExportValue, ItemExportValues } from '#shared/explain/schema.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { construct } from '#feed/plan/build.ts';
import { validateConstructed } from '#feed/plan/validated-items.ts';
import { bitsIn } from '#feed/stages/validation/counts.ts';
import { wordsOf, type Problem } from '#feed/stages/validation/problem.ts';
import { answerOfWay } from './answer.ts';
import { followExport, type Way } from './explain.ts';
import { itemRelation } from './item-values.ts';
import type { ItemPlan } from './past-plan.ts';
import { reasonSentence } from './sentences.ts';

type ExportNow = { readonly record: ExportRecord; readonly now: ItemPlan };

/** Every field that an export makes of the item now, each with what the channel would say of it. */
export async function exportValues(
  duckdb: DuckDb,
  { record: { id, settings }, now }: ExportNow,
  item: Pick<Way, 'raw' | 'master'>,
  signal: AbortSignal,
): Promise<ItemExportValues> {
  const way = await followExport(duckdb, now.plan, item, settings.format, signal);
  const { excluding, fields } = answerOfWay({ now, way, exportName: settings.name, field: undefined });
  const head = {
    id,
    name: settings.name,
    inExport: excluding === undefined,
    reason: reasonSentence({ itemId: item.raw.id, exportName: settings.name, excluding }),
  };
  if (!way.construction) return { ...head, values: [] };
  const problems = await problemsNow(duckdb, now, way, settings.format, signal);
  const channel = now.plan.template?.name ?? '';
  return { ...head, values: valuesWith(fields, problems, channel) };
}

/** The item alone is checked: that another one has the same value where each needs its own, only a run can tell. */
async function problemsNow(
  duckdb: DuckDb,
  { plan }: ItemPlan,
  { raw, values, groups }: Way,
  format: OutputFormat,
  signal: AbortSignal,
): Promise<Problem[]> {
  const { constructed } = construct(plan, itemRelation({ ...raw, values, groups }));
  const { relation, problems, masks } = validateConstructed(plan, constructed, format);
  if (masks.length === 0) return [];
  const body = duck`SELECT ${join(masks.map(name), duck`, `)} FROM ${name(relation.from)}`;
  const [row] = await duckdb.all(query(relation, body), signal);
  const set = new Set(bitsIn(row ?? {}).map(placeKey));
  return problems.filter((problem) => problem.severity !== 'hint' && set.has(placeKey(problem)));
}

const placeKey = ({ column, bit }: { column: number; bit: number }) => `${column}/${bit}`;

/** Of several fields with one name the first has the problems, as the checks look at them. */
function valuesWith(
  fields: readonly ExplainedField[],
  problems: readonly Problem[],
  channel: string,
): ItemExportValue[] {
  const byField = Map.groupBy(problems, ({ field }) => field);
  const toldOf = (field: string): ItemExportValue['problems'] => {
    const found = byField.get(field) ?? [];
    byField.delete(field);
    return found.map((problem) => ({ severity: problem.severity, sentence: wordsOf(problem, channel).sentence }));
  };
  const values = fields.map((field) => ({ ...sourceOf(field), problems: toldOf(field.name) }));
  const absent = [...byField]
    .filter(([, found]) => found.some(({ severity }) => severity === 'error'))
    .map(([field]) => ({
      name: field,
      written: null,
      origin: 'none' as const,
      imported: null,
      problems: toldOf(field),
    }));
  return [...values, ...absent];
}

/** What a rule wrote over counts as a source no more. */
function sourceOf({ name: field, value: written, raw }: ExplainedField): Omit<ItemExportValue, 'problems'> {
  const used = raw.filter((source) => source.used);
  const [only] = used.length === 0 ? raw : used;
  const head = { name: field, written, imported: null };
  if (only === undefined) return { ...head, origin: written === null ? 'none' : 'fixed' };
  if (used.length > 1) return { ...head, origin: 'combined' };
  if (only.value === written) return { ...head, origin: 'unchanged' };
  return { ...head, origin: 'changed', imported: only.value };
}
