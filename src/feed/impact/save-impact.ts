import { withValue, type AttributeValue } from '#shared/attributes/schema.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import type { SaveImpact } from '#shared/diagnosis/save-impact.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { diagnoseNow } from '#feed/diagnosis/now.ts';
import { build } from '#feed/plan/build.ts';
import { demand } from '#feed/plan/demand.ts';
import { passesThrough, type ExportPlan } from '#feed/plan/export-plan.ts';

/** The unsaved change: all rows of the construction, or the value of one attribute. */
export type Unsaved = { readonly rows?: readonly ConstructionRow[]; readonly attribute?: AttributeValue };

/** The plan as it would be after the save. */
export const planAfter = (plan: ExportPlan, { rows, attribute }: Unsaved): ExportPlan => ({
  ...plan,
  construction: rows ?? plan.construction,
  attributes: attribute === undefined ? plan.attributes : withValue(plan.attributes, attribute),
});

/** Checks all items of an export under one plan; writes nothing. */
export async function checkedState(
  duckdb: DuckDb,
  plan: ExportPlan,
  format: OutputFormat,
  signal: AbortSignal,
): Promise<SaveImpact['before']> {
  const found = await diagnoseNow(duckdb, plan, format, signal);
  return {
    fields: build(plan, demand(plan)).columns.length,
    passesThrough: passesThrough(plan),
    readiness: found?.readiness ?? null,
  };
}
