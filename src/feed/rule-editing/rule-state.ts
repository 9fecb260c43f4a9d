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
 * The items for export rules that read results of mappings or their channel's stock: after the master's rules, with those values.
 * `key` identifies the rules, mappings and stock they were made with.
 */
export type ItemsWithMappings = { readonly plan: MasterPlan; readonly wanted: MasterDemand; readonly key: string };

/**
 * The input of queries about unsaved rules: the live items, and the saved rules that run before them. Plain data, so that a
 * message can carry it to the DuckDB process.
 */
export type RuleState = {
  readonly scope: Scope;
  readonly snapshot: SnapshotRecord;
  /** Path of the snapshot's file. */
  readonly path: string;
  /** The master's rules if the scope is an export; empty if `mapped` items have already passed them. */
  readonly above: readonly Rule[];
  readonly mapped: ItemsWithMappings | undefined;
  readonly fields: readonly Field[];
};

/** The items before the first rule. */
export function itemsOf({ snapshot, path, mapped }: Pick<RuleState, 'snapshot' | 'path' | 'mapped'>): Relation {
  return mapped === undefined
    ? snapshotRelation({ path, fields: snapshot.fields })
    : buildMaster(mapped.plan, mapped.wanted).relation;
}

/** The files that queries about these items read. */
export const filesOfState = ({ path, mapped }: RuleState): string[] =>
  mapped === undefined ? [path] : filesOfPlan(mapped.plan);

/** The state with its files replaced by their paths on this machine. */
export function stateLocally(state: RuleState, localOf: (path: string) => string): RuleState {
  const { path, mapped } = state;
  if (mapped === undefined) return { ...state, path: localOf(path) };
  const plan = planLocally(mapped.plan, localOf);
  return { ...state, path: plan.path, mapped: { ...mapped, plan } };
}

/** A rule's id by its index: the lists of both scopes, or a client's list, may contain the same id twice. */
export const ownId = (index: number) => `own${index}`;
export const aboveId = (index: number) => `above${index}`;

/** The rules of both scopes in running order, with ids made of their indices. The rule at index `requested` counts as active. */
export function rulesInOrder(above: readonly Rule[], own: readonly Rule[], requested?: number): compiled.Rule[] {
  const named = [
    ...above.map((rule, index) => ({ ...rule, id: aboveId(index) })),
    ...own.map((rule, index) => ({ ...rule, id: ownId(index) })),
  ];
  return readRules(named, requested === undefined ? undefined : ownId(requested));
}
