import { notFound } from '#platform/errors.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TablePlace } from './assignment-items.ts';
import type { ExportPlan, MasterPlan } from './export-plan.ts';

/** What is needed to run the rows of any table behind this id: a master has mappings, an export the mappings of its master and tables of its own. */
export type Places = { readonly master: MasterPlan } | { readonly export: ExportPlan };

const planOf = (places: Places): MasterPlan => ('master' in places ? places.master : places.export);

/** The files that a plan reads. */
export const filesOfPlan = ({ path, offered }: MasterPlan): string[] =>
  offered === undefined ? [path] : [path, offered.path];

/** The same plan with its files where they lie on this machine. */
export function planLocally<Plan extends MasterPlan>(plan: Plan, localOf: (path: string) => string): Plan {
  const { path, offered } = plan;
  return {
    ...plan,
    path: localOf(path),
    ...(offered === undefined ? {} : { offered: { ...offered, path: localOf(offered.path) } }),
  };
}

/** The files that the rows of these places read. */
export const filesOf = (places: Places): string[] => filesOfPlan(planOf(places));

/** The same places with their files where they lie on this machine. */
export const placedLocally = (places: Places, localOf: (path: string) => string): Places =>
  'master' in places
    ? { master: planLocally(places.master, localOf) }
    : { export: planLocally(places.export, localOf) };

/** One place among them. @throws 404 for a table of an export, where the id is a master's */
export function placeAmong(
  places: Places,
  { table, mapping }: { table: ExportTable | 'mapping'; mapping?: string | undefined },
): TablePlace {
  if (table !== 'mapping') {
    if ('master' in places) throw notFound('Diesen Export');
    return { kind: 'table', plan: places.export, table };
  }
  if ('master' in places) return { kind: 'mapping', plan: places.master, mapping };
  const { snapshot, path, masterRules, mappings } = places.export;
  return { kind: 'mapping', plan: { snapshot, path, masterRules, mappings }, mapping };
}

/** Where the values of a field are fetched for new rows: behind an export's rules, or behind those of a master. */
export const fetchingPlace = (places: Places): TablePlace =>
  placeAmong(places, { table: 'master' in places ? 'mapping' : 'colors' });
