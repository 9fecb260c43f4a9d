import { readRules } from '#engine/read/read-rules.ts';
import type * as compiled from '#engine/ir/rules.ts';
import { snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import type { Scope } from '#catalogue/exports.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { buildMaster } from '#feed/plan/build.ts';
import type { MasterDemand } from '#feed/plan/demand.ts';
import type { MasterPlan } from '#feed/plan/export-plan.ts';
import { filesOfPlan, planLocally } from '#feed/plan/places.ts';
import type { Field } from '#shared/items/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';

/**
 * The items as export rules meet them when they read results of mappings or the stock of their channel: behind the master's rules, with
 * those values.
 * `key` tells apart what they were made with.
 */
export type ItemsWithMappings = { readonly plan: MasterPlan; readonly wanted: MasterDemand; readonly key: string };

/**
 * What questions about unsaved rules are answered on: the live items, and the saved rules that run before them. Data alone, so that a
 * message can carry it to where it is computed.
 */
export type RuleState = {
  readonly scope: Scope;
  readonly snapshot: SnapshotRecord;
  /** The snapshot's file. */
  readonly path: string;
  /** The master's rules where the scope is an export; none where `mapped` items stand behind them already. */
  readonly above: readonly Rule[];
  readonly mapped: ItemsWithMappings | undefined;
  readonly fields: readonly Field[];
};

/** The items that the rules begin with. */
export function itemsOf({ snapshot, path, mapped }: Pick<RuleState, 'snapshot' | 'path' | 'mapped'>): Relation {
  return mapped === undefined
    ? snapshotRelation({ path, fields: snapshot.fields })
    : buildMaster(mapped.plan, mapped.wanted).relation;
}

/** The files that questions about these items read. */
export const filesOfState = ({ path, mapped }: RuleState): string[] =>
  mapped === undefined ? [path] : filesOfPlan(mapped.plan);

/** The same state with its files where they lie on this machine. */
export function stateLocally(state: RuleState, localOf: (path: string) => string): RuleState {
  const { path, mapped } = state;
  if (mapped === undefined) return { ...state, path: localOf(path) };
  const plan = planLocally(mapped.plan, localOf);
  return { ...state, path: plan.path, mapped: { ...mapped, plan } };
}

/** The id of a rule by its place: lists of two scopes, or a careless one, may know the same id twice. */
export const ownId = (index: number) => `own${index}`;
export const aboveId = (index: number) => `above${index}`;

/** The rules of both scopes as one list in the order they run, with ids made of their indexes. The rule at index `requested` counts as active. */
export function rulesInOrder(above: readonly Rule[], own: readonly Rule[], requested?: number): compiled.Rule[] {
  const named = [
    ...above.map((rule, index) => ({ ...rule, id: aboveId(index) })),
    ...own.map((rule, index) => ({ ...rule, id: ownId(index) })),
  ];
  return readRules(named, requested === undefined ? undefined : ownId(requested));
}
