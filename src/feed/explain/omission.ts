import { query } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { construct } from '#feed/plan/build.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { validateConstructed } from '#feed/plan/validated-items.ts';
import { bitsIn } from '#feed/stages/validation/counts.ts';
import { channelName } from '#catalogue/channels/channel-templates.ts';
import { wordsOf, type Problem } from '#feed/stages/validation/problem.ts';
import type { ItemTrace } from './explain.ts';
import { itemRelation } from './item-values.ts';
import type { ItemPlan } from './past-plan.ts';

/**
 * Errors and warnings of an item that reaches the construction. The item is checked alone: only a run can detect duplicate values
 * in fields that must be unique.
 */
export async function problemsOf(
  duckdb: DuckDb,
  plan: ExportPlan,
  { raw, values, groups }: ItemTrace,
  format: OutputFormat,
  signal: AbortSignal | undefined,
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

/** The errors for which the export omits an item that no rule excludes, as sentences; [] if it is not omitted. */
export async function omittingErrors(
  duckdb: DuckDb,
  { plan, settings }: Pick<ItemPlan, 'plan' | 'settings'>,
  way: ItemTrace,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (settings?.omitInvalid !== true || !way.construction) return [];
  const problems = await problemsOf(duckdb, plan, way, settings.format, signal);
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.map((problem) => wordsOf(problem, channelName(plan.template)).sentence);
}
