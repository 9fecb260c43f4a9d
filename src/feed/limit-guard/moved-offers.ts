import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { hasManyOffers, limitFields, countOrConfirm, requireConfirmed } from '#catalogue/limits-review.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import { column, ID, query } from '#engine/duckdb/relation.ts';
import { referenceKey } from '#engine/ir/source-key.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { boundTexts, duck, join, name } from '#platform/duckdb/sql.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import type { Principal } from '#platform/http/server.ts';
import { ASKED_ABOVE } from '#shared/repricer/before-save.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { buildMaster } from '#feed/plan/build.ts';
import { masterDemand } from '#feed/plan/demand.ts';
import type { MasterPlan } from '#feed/plan/export-plan.ts';
import { fieldList, makersOf, partNames } from './guard.ts';
import { limitChanges, type RulesAndMappings } from './limit-part.ts';

export type LimitDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };
type Caller = { principal: Pick<Principal, 'company' | 'permissions'>; confirmation: Confirmation };
type Changed = {
  ref: CatalogueRef;
  before: RulesAndMappings;
  after: RulesAndMappings;
  fields: ReadonlySet<string>;
  names: string[];
};
type Loaded = { before: MasterPlan; after: MasterPlan; fields: ReadonlySet<string>; offers: Offers };
/** Number of own offers by item. */
type Offers = ReadonlyMap<string, number>;

/**
 * T26: requires confirmation before a save of a master's rules or mappings that changes, for many own offers, the fields from
 * which price limits are read. Users who may not set prices are refused by the save itself. `change`: the future state, null if
 * no confirmation is needed.
 * @throws 409 limits_confirm with the number of offers
 */
export async function confirmMoves(
  deps: LimitDeps,
  { principal: { company, permissions }, confirmation }: Caller,
  change: (trx: Trx) => Promise<{ masterid: string; next: Partial<RulesAndMappings> } | null>,
): Promise<void> {
  if (!permissions.includes('prices')) return;
  const changed = await deps.database.company(company, async (trx) => {
    const saved = await change(trx);
    return saved && changedParts(trx, { company, masterid: saved.masterid }, saved.next);
  });
  if (!changed) return;
  const found = await countOrConfirm(
    confirmation,
    `${partNames(changed.names)}: Das ändert Preisgrenzen.`,
    async (signal) => {
      const loaded = await deps.database.company(company, (trx) => load(trx, deps, changed));
      return loaded === null ? 0 : movedOffers(deps.duckdb, loaded, signal);
    },
  );
  if (found <= ASKED_ABOVE) return;
  requireConfirmed(
    confirmation,
    `${partNames(changed.names)}: Damit ändern sich bei ${integerText(found)} Ihrer Angebote Preisgrenzen, denn der Repricer liest sie aus ${fieldList(changed.fields)}.`,
    found,
  );
}

/** Returns null if no limit can move. */
async function changedParts(trx: Trx, ref: CatalogueRef, next: Partial<RulesAndMappings>): Promise<Changed | null> {
  const fields = await limitFields(trx, ref);
  if (fields.size === 0) return null;
  if (!(await hasManyOffers(trx, ref))) return null;
  const before = await makersOf(trx, ref);
  const after = { ...before, ...next };
  const names = limitChanges(before, after, fields);
  return names === undefined ? null : { ref, before, after, fields, names };
}

/** Returns null if there are no items. */
async function load(
  trx: Trx,
  { storagePaths }: LimitDeps,
  { ref, before, after, fields }: Changed,
): Promise<Loaded | null> {
  const snapshot = await liveSnapshot(trx, ref.company, ref.masterid);
  if (snapshot === undefined) return null;
  const rows = await trx
    .selectFrom('listings')
    .select((eb) => ['item', eb.fn.countAll<number>().as('offers')])
    .where((eb) => eb.and({ company: ref.company, master: ref.masterid }))
    .groupBy('item')
    .execute();
  const path = storagePaths.snapshot(ref.company, ref.masterid, snapshot.number);
  const plan = ({ rules, mappings }: RulesAndMappings): MasterPlan => ({
    snapshot,
    path,
    masterRules: rules,
    mappings,
  });
  const offers = new Map(rows.map(({ item, offers }) => [item, Number(offers)]));
  return { before: plan(before), after: plan(after), fields, offers };
}

/** Counts the own offers for which one of the fields changes. An item that is excluded before or after has no price to move. */
async function movedOffers(duckdb: DuckDb, loaded: Loaded, signal: AbortSignal): Promise<number> {
  const { before, after, offers } = loaded;
  if (offers.size <= 0) return 0;
  const was = await marks(duckdb, before, loaded, signal);
  let moved = 0;
  for (const [item, mark] of await marks(duckdb, after, loaded, signal)) {
    const old = was.get(item);
    if (old !== undefined && old !== mark) moved += offers.get(item) ?? 0;
  }
  return moved;
}

/** A hash of the fields' values by item, of the items that are offered. */
async function marks(
  duckdb: DuckDb,
  plan: MasterPlan,
  { fields, offers }: Loaded,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const keys = [...fields].map(referenceKey).toSorted();
  const live = new Set(keys);
  const { statements, relation } = buildMaster(plan, masterDemand(plan, { live, reads: live }));
  const values = join(
    keys.map((key) => column(relation, key)),
    duck`, `,
  );
  const body = duck`SELECT ${ID} AS item, CAST(hash(${values}) AS VARCHAR) AS mark FROM ${name(relation.from)}
    WHERE ${ID} IN (SELECT unnest(${boundTexts(offers.keys())}))`;
  const rows = await duckdb.last([...statements, query(relation, body)], signal);
  return new Map(rows.map((row) => [String(row['item']), String(row['mark'])]));
}
