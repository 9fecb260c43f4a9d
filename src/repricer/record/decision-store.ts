import type { Insertable } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { anyFound, anyOf } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { Decision } from '#shared/repricer/decision.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { bodyOf } from './decision-codec.ts';
import { storeReplaySamples } from './replay-samples.ts';
import type { Verdict } from '#repricer/gate/gate.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import type { Listing } from '#repricer/model/listings.ts';
import type { PricingInput } from '#repricer/decide/evaluate-price.ts';

/** A decision with the gate's verdict; `verdict` undefined: there is no price to check. */
export type DecisionRecord = {
  listing: Listing;
  rule: RepricerRule;
  decision: Decision;
  verdict: Verdict | undefined;
  basis: PricingInput;
  offersAt: Date | undefined;
  cause: string;
  /** A restored good price, not one that a rule decided. */
  restored: boolean;
  again?: Date;
};
type Batch = {
  company: string;
  masterid: string;
  marketplace: string;
  now: Date;
  version: string;
  revision: number;
  snapshot: number;
  /** Name of the version of the program that decided. */
  program: string;
};

/**
 * Holds the waiting prices of these items as outdated. Rows are locked in the same order as by the sender, to avoid deadlocks.
 */
export async function supersede(
  trx: Trx,
  { company, masterid, marketplace, now }: Pick<Batch, 'company' | 'masterid' | 'marketplace' | 'now'>,
  items: readonly string[],
): Promise<void> {
  const waiting = trx
    .selectFrom('price_submissions')
    .select('id')
    .where((eb) => eb.and({ company, master: masterid, marketplace, state: 'new' }))
    .where('item', '=', anyOf(items))
    .orderBy('id')
    .forUpdate();
  await trx
    .updateTable('price_submissions')
    .set({ state: 'held', held: 'SUPERSEDED', ended_at: now })
    .where((eb) => eb.and({ company, state: 'new' }))
    .where('id', '=', anyFound(waiting))
    .execute();
}

/** Stores decisions and puts the allowed prices into the outbox, where none may be waiting for these items (see `supersede`). */
export async function saveDecisions(
  trx: Trx,
  ids: Ids,
  batch: Batch,
  records: readonly DecisionRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map((record) => rowOf(batch, record));
  const saved = await insertRows(trx, 'price_decisions', rows).returning(['id', 'item']).execute();
  const decisions = new Map(saved.map(({ id, item }) => [item, id]));
  await addSubmissions(
    trx,
    records.flatMap((record) => outgoing(batch, record, ids, decisions)),
  );
  await storeReplaySamples(trx, batch, records);
  await count(
    trx,
    batch,
    rows.flatMap(({ reason, verdict, held }) => [reason, held === '' ? verdict : `held:${held}`]),
  );
}

/** Returns the gate's verdict on a price and its reason to hold it; '' if not held. */
export const verdictOf = (verdict: Verdict | undefined): Row<'price_decisions', 'verdict' | 'held'> => {
  if (verdict === undefined) return { verdict: 'none', held: '' };
  if (verdict.kind !== 'hold') return { verdict: verdict.kind, held: '' };
  return verdict.reason === 'DRY_RUN' ? { verdict: 'dry_run', held: '' } : { verdict: 'hold', held: verdict.reason };
};

function rowOf(
  { company, masterid, marketplace, now, version, revision, snapshot, program }: Batch,
  { listing, rule, decision, verdict, offersAt, cause }: DecisionRecord,
): Insertable<Tables['price_decisions']> {
  const { arithmetic } = decision;
  const bounds = [arithmetic.min_cents, arithmetic.max_cents, arithmetic.standard_cents];
  // The gate refuses limits beyond all prices, and no column could hold them: they are only in the body.
  const fits = bounds.every((cents) => cents === null || cents <= BEYOND);
  return {
    company,
    master: masterid,
    marketplace,
    item: listing.item,
    product_id: listing.productId,
    decided_at: now,
    cause,
    rule: rule.id,
    rule_revision: revision,
    snapshot,
    limits_version: version,
    offers_at: offersAt ?? null,
    min_cents: fits ? arithmetic.min_cents : null,
    max_cents: fits ? arithmetic.max_cents : null,
    standard_cents: fits ? arithmetic.standard_cents : null,
    current_cents: arithmetic.current_cents,
    price_cents: fits ? decision.price_cents : null,
    stock: listing.stock,
    reason: decision.reason,
    target_seller: decision.target_seller_id,
    body: bodyOf(rule.name, arithmetic),
    ...verdictOf(verdict),
    program,
  };
}

const BEYOND = 2_000_000_000;

type Outgoing = Insertable<Tables['price_submissions']>;

function outgoing(
  { company, masterid, marketplace, now, version }: Batch,
  { listing, rule, decision, verdict, restored }: DecisionRecord,
  ids: Ids,
  decisions: ReadonlyMap<string, number>,
): Outgoing[] {
  const id = decisions.get(listing.item);
  if (id === undefined || (verdict?.kind !== 'submit' && verdict?.kind !== 'step')) return [];
  const { min_cents, max_cents } = decision.arithmetic;
  if (min_cents === null || max_cents === null) throw new Error(`a price of ${listing.item} has no bounds`);
  return [
    {
      company,
      id: ids.id(),
      master: masterid,
      marketplace,
      item: listing.item,
      account: listing.account,
      sku: listing.sku,
      decision: id,
      rule: rule.id,
      limits_version: version,
      currency: listing.currency,
      from_cents: listing.price,
      price_cents: verdict.price,
      min_cents,
      max_cents,
      state: 'new',
      reached_min: verdict.price === min_cents,
      restored,
      stock: listing.stock,
      created_at: now,
    },
  ];
}

async function addSubmissions(trx: Trx, rows: readonly Outgoing[]): Promise<void> {
  if (rows.length === 0) return;
  await insertRows(trx, 'price_submissions', rows).execute();
}

/** Counts events of this day in Berlin, for the pages that show them. */
export async function count(
  trx: Trx,
  { company, masterid, marketplace, now }: Pick<Batch, 'company' | 'masterid' | 'marketplace' | 'now'>,
  kinds: readonly string[],
): Promise<void> {
  const day = berlinDay(now);
  const rows = [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length: n }]) => ({
    company,
    master: masterid,
    marketplace,
    day,
    kind,
    n,
  }));
  if (rows.length === 0) return;
  // In one fixed order, to avoid deadlocks.
  const sorted = rows.toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
  await insertRows(trx, 'repricer_counters', sorted)
    .onConflict((conflict) =>
      conflict
        .columns(['company', 'master', 'marketplace', 'day', 'kind'])
        .doUpdateSet((eb) => ({ n: eb('repricer_counters.n', '+', eb.ref('excluded.n')) })),
    )
    .execute();
}
