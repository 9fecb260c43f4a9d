import { notFound } from '#platform/errors.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TableContext } from './assignment-items.ts';
import type { ExportPlan, MasterPlan } from './export-plan.ts';

/** The plan for running rows of a table: a master has mappings, an export its master's mappings and tables of its own. */
export type TablePlans = { readonly master: MasterPlan } | { readonly export: ExportPlan };

const planOf = (places: TablePlans): MasterPlan => ('master' in places ? places.master : places.export);

/** The files that a plan reads. */
export const filesOfPlan = ({ path, offered }: MasterPlan): string[] =>
  offered === undefined ? [path] : [path, offered.path];

/** The plan with its files replaced by their paths on this machine. */
export function planLocally<Plan extends MasterPlan>(plan: Plan, localOf: (path: string) => string): Plan {
  const { path, offered } = plan;
  return {
    ...plan,
    path: localOf(path),
    ...(offered === undefined ? {} : { offered: { ...offered, path: localOf(offered.path) } }),
  };
}

/** The files that the rows of these plans read. */
export const filesOf = (places: TablePlans): string[] => filesOfPlan(planOf(places));

/** The plans with their files replaced by their paths on this machine. */
export const placedLocally = (places: TablePlans, localOf: (path: string) => string): TablePlans =>
  'master' in places
    ? { master: planLocally(places.master, localOf) }
    : { export: planLocally(places.export, localOf) };

/** Selects one table's plan. @throws 404 for a table of an export if the id is a master's */
export function placeAmong(
  places: TablePlans,
  { table, mapping }: { table: ExportTable | 'mapping'; mapping?: string | undefined },
): TableContext {
  if (table !== 'mapping') {
    if ('master' in places) throw notFound('Diesen Export');
    return { kind: 'table', plan: places.export, table };
  }
  if ('master' in places) return { kind: 'mapping', plan: places.master, mapping };
  const { snapshot, path, masterRules, mappings } = places.export;
  return { kind: 'mapping', plan: { snapshot, path, masterRules, mappings }, mapping };
}

/** Where values of a field are fetched for new rows: after an export's rules, or after a master's. */
export const fetchingPlace = (places: TablePlans): TableContext =>
  placeAmong(places, { table: 'master' in places ? 'mapping' : 'colors' });
