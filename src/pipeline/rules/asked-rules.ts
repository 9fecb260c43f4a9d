import { readRules } from '#engine/read-rules.ts';
import type * as compiled from '#engine/ir.ts';
import { snapshotRelation, type Relation } from '#engine/relation.ts';
import { gridFields } from '#items/columns.ts';
import { resolveScope, type Scope } from '#items/exports.ts';
import type { Places } from '#items/places.ts';
import { neededSnapshot, type SnapshotRecord } from '#items/snapshots.ts';
import type { Database, Trx } from '#platform/db.ts';
import type { Duck } from '#platform/duck.ts';
import type { Ids } from '#platform/ids.ts';
import type { Field } from '#shared/items.ts';
import type { Rule } from '#shared/rules.ts';
import { loadRules } from './store.ts';

export type RuleParts = { database: Database; duck: Duck; places: Places; ids: Ids };

/** What questions about unsaved rules are answered on: the live items, and the saved rules that run before them. */
export type RuleState = {
  readonly scope: Scope;
  readonly snapshot: SnapshotRecord;
  /** The master's rules where the scope is an export. */
  readonly above: readonly Rule[];
  readonly fields: readonly Field[];
};

/** The state of a master or an export; 404 for an unknown or foreign id, 409 before the first import. */
export async function loadState(trx: Trx, company: string, id: string): Promise<RuleState> {
  const scope = await resolveScope(trx, company, id);
  const snapshot = await neededSnapshot(trx, company, scope.masterid);
  const above = scope.kind === 'export' ? (await loadRules(trx, company, `master:${scope.masterid}`)).rules : [];
  return { scope, snapshot, above, fields: await gridFields(trx, snapshot) };
}

/** The items as the last import brought them. */
export function itemsOf(places: Places, { company, masterid, number, fields }: SnapshotRecord): Relation {
  return snapshotRelation({ path: places.snapshot(company, masterid, number), fields });
}

/** The id of a rule by its place: lists of two scopes, or a careless one, may know the same id twice. */
export const ownId = (place: number) => `own${place}`;
export const aboveId = (place: number) => `above${place}`;

/** The rules of both scopes as one list in the order they run, with ids by their places. `asked` counts as active. */
export function rulesInOrder(above: readonly Rule[], own: readonly Rule[], asked?: number): compiled.Rule[] {
  const named = [
    ...above.map((rule, place) => ({ ...rule, id: aboveId(place) })),
    ...own.map((rule, place) => ({ ...rule, id: ownId(place) })),
  ];
  return readRules(named, asked === undefined ? undefined : ownId(asked));
}
