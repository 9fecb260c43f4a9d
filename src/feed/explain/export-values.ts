import type { ExportRecord } from '#catalogue/exports.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { ExplainedField, ItemExportValue, ItemExportValues } from '#shared/explain/schema.ts';
import { channelName } from '#catalogue/channels/channel-templates.ts';
import { wordsOf, type Problem } from '#feed/stages/validation/problem.ts';
import { answerOfWay } from './answer.ts';
import { followExport, type ItemTrace } from './explain.ts';
import { omittingErrors, problemsOf } from './omission.ts';
import type { ItemPlan } from './past-plan.ts';
import { reasonSentence } from './sentences.ts';

type ExportNow = { readonly record: ExportRecord; readonly now: ItemPlan };

/** Returns every field that an export would write for the item now, each with the problems that the channel would report. */
export async function exportValues(
  duckdb: DuckDb,
  { record: { id, settings }, now }: ExportNow,
  item: Pick<ItemTrace, 'raw' | 'master'>,
  signal: AbortSignal,
): Promise<ItemExportValues> {
  const way = await followExport(duckdb, now.plan, item, settings.format, signal);
  const { excluding, fields } = answerOfWay({ now, way, exportName: settings.name, field: undefined });
  const errors = await omittingErrors(duckdb, now, way, signal);
  const head = {
    id,
    name: settings.name,
    inExport: excluding === undefined && errors.length === 0,
    reason: reasonSentence({ itemId: item.raw.id, exportName: settings.name, excluding, errors }),
  };
  if (!way.construction) return { ...head, values: [] };
  const problems = await problemsOf(duckdb, now.plan, way, settings.format, signal);
  const channel = channelName(now.plan.template);
  return { ...head, values: valuesWith(fields, problems, channel) };
}

/** Of several fields with one name the first gets the problems, as in the checks. */
function valuesWith(
  fields: readonly ExplainedField[],
  problems: readonly Problem[],
  channel: string,
): ItemExportValue[] {
  const byField = Map.groupBy(problems, ({ field }) => field);
  const problemsOf = (field: string): ItemExportValue['problems'] => {
    const found = byField.get(field) ?? [];
    byField.delete(field);
    return found.map((problem) => ({ severity: problem.severity, sentence: wordsOf(problem, channel).sentence }));
  };
  const values = fields.map((field) => ({ ...sourceOf(field), problems: problemsOf(field.name) }));
  const absent = [...byField]
    .filter(([, found]) => found.some(({ severity }) => severity === 'error'))
    .map(([field]) => ({
      name: field,
      written: null,
      origin: 'none' as const,
      imported: null,
      problems: problemsOf(field),
    }));
  return [...values, ...absent];
}

/** A source that a rule overwrote no longer counts. */
function sourceOf({ name: field, value: written, raw }: ExplainedField): Omit<ItemExportValue, 'problems'> {
  const used = raw.filter((source) => source.used);
  const [only] = used.length === 0 ? raw : used;
  const head = { name: field, written, imported: null };
  if (only === undefined) return { ...head, origin: written === null ? 'none' : 'fixed' };
  if (used.length > 1) return { ...head, origin: 'combined' };
  if (only.value === written) return { ...head, origin: 'unchanged' };
  return { ...head, origin: 'changed', imported: only.value };
}
