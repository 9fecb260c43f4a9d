import { sql } from 'kysely';
import { liveSnapshot, type SnapshotRecord } from '#items/snapshots.ts';
import { listAccounts } from '#marketplaces/accounts.ts';
import type { Trx } from '#platform/db.ts';
import type { Offer } from '#shared/repricer-decision.ts';
import { openBreakers } from './breakers.ts';
import { byIndex } from './by-index.ts';
import { runningRules, type RunningRule } from './decide-listing.ts';
import { GATE } from './gate.ts';
import { canaryFacts, priceFacts, type PriceFacts } from './gate-facts.ts';
import { listingsOf, type Listing } from './listings.ts';
import { storedOffers } from './article-offers.ts';
import { sellerKey } from './read-rule.ts';
import { loadRepricerRules } from './rule-store.ts';
import { loadSwitches, type Switches } from './state.ts';

type Place = { company: string; masterid: string };

/** All that decisions on some items of a master and the gate's look at them need, as it stood in one transaction. */
export type Group = {
  running: RunningRule[];
  revision: number;
  /** What limits come from: number of the snapshot and revision of the rules. */
  version: string;
  snapshot: SnapshotRecord | undefined;
  switches: Switches;
  breaker: boolean;
  limitsConfirmed: boolean;
  listings: Listing[];
  offers: Map<string, { at: Date; offers: Offer[] }>;
  sellerIds: string[];
  facts: Map<string, PriceFacts>;
  canary: Awaited<ReturnType<typeof canaryFacts>>;
};

export async function loadGroup(
  trx: Trx,
  place: Place,
  { marketplace, items, now }: { marketplace: string; items: readonly string[]; now: Date },
): Promise<Group> {
  await byIndex(trx);
  const { rules, revision, savedAt } = await loadRepricerRules(trx, place);
  const snapshot = await liveSnapshot(trx, place.company, place.masterid);
  const listings = await listingsOf(trx, place, marketplace, items);
  const fresh = savedAt !== undefined && now.getTime() - savedAt.getTime() < GATE.canaryTime;
  return {
    running: runningRules(rules),
    revision,
    version: versionOf(snapshot?.number, revision),
    snapshot,
    switches: await loadSwitches(trx, place.company, place.masterid),
    breaker: (await openBreakers(trx, place)).length > 0,
    limitsConfirmed: (await confirmedSnapshot(trx, place)) >= (snapshot?.number ?? 1),
    listings,
    offers: await storedOffers(
      trx,
      place,
      marketplace,
      listings.map(({ asin }) => asin),
    ),
    sellerIds: await ownSellers(trx, place.company),
    facts: await priceFacts(trx, place, { marketplace, items, now }),
    canary: await canaryFacts(trx, place, fresh ? savedAt : undefined),
  };
}

export const ownSellers = async (trx: Trx, company: string): Promise<string[]> =>
  (await listAccounts(trx, company)).map(({ sellerId }) => sellerKey(sellerId));

const versionOf = (snapshot: number | undefined, revision: number) =>
  snapshot === undefined ? '' : `${snapshot}:${revision}`;

/** The version of limits that holds now; the master's row stays locked, so that it holds until the end of the transaction. */
export async function versionNow(trx: Trx, { company, masterid }: Place): Promise<string> {
  const { rows } = await sql<{ live: number | null; revision: number | null }>`
    select m.live_snapshot as live, (select max(revision) from documents d where d.company = m.company and d.subject = 'repricer'
      and d.scope = ${`master:${masterid}`}) as revision
    from masters m where m.company = ${company} and m.id = ${masterid} for share of m`.execute(trx);
  return versionOf(rows[0]?.live ?? undefined, rows[0]?.revision ?? 0);
}

async function confirmedSnapshot(trx: Trx, { company, masterid }: Place): Promise<number> {
  const { rows } = await sql<{ limits_confirmed: number }>`select limits_confirmed from repricer_states
    where company = ${company} and master = ${masterid}`.execute(trx);
  return rows[0]?.limits_confirmed ?? 0;
}
