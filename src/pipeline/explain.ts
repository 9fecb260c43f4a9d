import { snapshotRelation } from '#engine/relation.ts';
import type { Duck } from '#platform/duck.ts';
import type { ConstructionRow } from '#shared/construction.ts';
import type { ExplainedRow } from '#shared/explain.ts';
import type { OutputFormat } from '#shared/exports.ts';
import { explainConstruction } from './construction/explain.ts';
import { followRules, valuesBehind, type Followed } from './explain/follow-rules.ts';
import { findItem, itemRelation, type ItemValues } from './explain/item-values.ts';
import { cellText } from './output/cells.ts';
import { construct, type ExportPlan } from './pipeline.ts';
import { rulesStage } from './rules/stage.ts';

/** Everything one item met on its way, stage by stage. What it did not reach is undefined. */
export type Way = {
  readonly raw: ItemValues;
  readonly master: Followed;
  readonly own: Followed | undefined;
  readonly construction: readonly Omit<ExplainedRow, 'concerns'>[] | undefined;
  /** The rows the fields of the export are made from; [] without an export or if the item does not reach them. */
  readonly rows: readonly ConstructionRow[];
  /** Behind the last rule it met, excluded or not. */
  readonly values: ReadonlyMap<string, string | null>;
};

/**
 * The pipeline for one item, with every stage's before and after kept (design 2.4). `format` is that of the export; without
 * one the way ends behind the master's rules. undefined: the snapshot does not hold the item.
 */
export async function followItem(
  duck: Duck,
  plan: ExportPlan,
  itemId: string,
  format: OutputFormat | undefined,
  signal?: AbortSignal,
): Promise<Way | undefined> {
  const raw = await findItem(duck, plan, itemId, signal);
  if (!raw) return undefined;
  const master = await followMaster(duck, plan, raw, signal);
  return format ? followExport(duck, plan, { raw, master }, format, signal) : withoutExport(raw, master);
}

/** The item through the master's rules, which every export begins with. */
export function followMaster(duck: Duck, plan: ExportPlan, raw: ItemValues, signal?: AbortSignal): Promise<Followed> {
  return followRules(
    duck,
    { item: raw, rules: plan.masterRules, whole: () => ({ statements: [], relation: catalogueOf(plan) }) },
    signal,
  );
}

/** The rest of the way, through one export. */
export async function followExport(
  duck: Duck,
  plan: ExportPlan,
  { raw, master }: Pick<Way, 'raw' | 'master'>,
  format: OutputFormat,
  signal?: AbortSignal,
): Promise<Way> {
  if (!master.item) return withoutExport(raw, master);
  const own = await followRules(
    duck,
    {
      item: master.item,
      rules: plan.exportRules,
      whole: (live) =>
        rulesStage(catalogueOf(plan), plan.masterRules, { live, table: (index) => `master_rules_${index}` }),
    },
    signal,
  );
  const values = valuesBehind(master.item, own.met);
  if (!own.item) return { raw, master, own, construction: undefined, rows: [], values };
  const { constructed, rows } = construct(plan, itemRelation(own.item));
  const spell = (column: (typeof constructed.columns)[number]) => cellText(column, format.decimal);
  const item = { constructed, id: raw.id, values };
  return { raw, master, own, construction: await explainConstruction(duck, rows, item, spell, signal), rows, values };
}

function withoutExport(raw: ItemValues, master: Followed): Way {
  return { raw, master, own: undefined, construction: undefined, rows: [], values: valuesBehind(raw, master.met) };
}

const catalogueOf = ({ path, snapshot }: ExportPlan) => snapshotRelation({ path, fields: snapshot.fields });
