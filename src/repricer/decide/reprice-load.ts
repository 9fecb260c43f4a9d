import { limitsReview } from '#catalogue/limits-review.ts';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { snapshotAt, type SnapshotRecord } from '#catalogue/snapshots.ts';
import type { FieldsBasis } from '#catalogue/materialised-fields.ts';
import { type Account, listAccounts } from '#marketplaces/accounts/accounts.ts';
import type { Trx } from '#platform/db/database.ts';
import type { PriceSafety } from '#shared/repricer/safety.ts';
import type { Offer } from '#marketplaces/port.ts';
import { openBreakers } from '#repricer/control/breakers.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { runningRules, type RunningRule } from './decide-listing.ts';
import { GATE } from '#repricer/gate/gate.ts';
import { canaryFacts, priceFacts, type PriceFacts } from '#repricer/gate/gate-facts.ts';
import { heldItems } from '#repricer/sales/item-alarms.ts';
import { currencyOfLimits } from '#repricer/model/limits-currency.ts';
import { basisOf, limitsNow, versionOf } from '#repricer/model/pricing-inputs-version.ts';
import { listingsOf, type Listing } from '#repricer/model/listings.ts';
import { storedOffers } from '#repricer/model/article-offers.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { goodPrices, openRestore } from '#repricer/control/restore.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import { gateFigures, loadSafety } from '#repricer/control/safety.ts';
import { confirmedLimits, loadSwitches, type Switches } from '#repricer/control/state.ts';

/** Everything that decisions on some items of a master and the gate need, read in one transaction. */
export type Group = {
  running: RunningRule[];
  revision: number;
  /** Version of the limits, and the basis of the fields; undefined before the first import. */
  version: string;
  basis: FieldsBasis | undefined;
  snapshot: SnapshotRecord | undefined;
  switches: Switches;
  breaker: boolean;
  /** Held offers, as `offerKey`s. */
  alarms: ReadonlySet<string>;
  limitsConfirmed: boolean;
  limitsReview: boolean;
  safety: PriceSafety;
  listings: Listing[];
  offers: Map<string, { at: Date; offers: Offer[] }>;
  /** Our seller ids, by account. */
  sellers: ReadonlyMap<string, string>;
  limitsCurrency: string;
  facts: Map<string, PriceFacts>;
  canary: Awaited<ReturnType<typeof canaryFacts>>;
  /** While the last good prices are restored: these prices, by item. */
  restore: { reason: string; prices: Map<string, number> } | undefined;
};

export async function loadGroup(
  trx: Trx,
  ref: CatalogueRef,
  { marketplace, items, now }: { marketplace: string; items: readonly string[]; now: Date },
): Promise<Group> {
  await disableSeqScans(trx);
  const { rules, revision, savedAt } = await loadRepricerRules(trx, ref);
  // A save between two of these statements does no harm: the version is made of the revisions actually read.
  const limits = { ...(await limitsNow(trx, ref)), repricer: revision };
  const version = versionOf(limits);
  const snapshot =
    limits.snapshot === undefined ? undefined : await snapshotAt(trx, ref.company, ref.masterid, limits.snapshot);
  const listings = await listingsOf(trx, ref, marketplace, items);
  const restore = await openRestore(trx, ref);
  const recentlySaved = savedAt !== undefined && now.getTime() - savedAt.getTime() < GATE.canaryTime;
  return {
    // During a restore rules only supply the limits, even rules that were paused because of what they did.
    running: runningRules(restore ? rules.map((rule) => ({ ...rule, active: true })) : rules),
    revision,
    version,
    basis: basisOf(limits),
    snapshot,
    switches: await loadSwitches(trx, ref.company, ref.masterid),
    breaker: (await openBreakers(trx, ref)).length > 0,
    safety: gateFigures(await loadSafety(trx, ref)),
    alarms: await heldItems(trx, ref, items),
    limitsConfirmed: (await confirmedLimits(trx, ref)) === version,
    limitsReview: (await limitsReview(trx, ref)) !== '',
    listings,
    offers: await storedOffers(
      trx,
      ref,
      marketplace,
      listings.map(({ productId }) => productId),
    ),
    ...(await ownAccounts(trx, ref)),
    facts: await priceFacts(trx, ref, { marketplace, items, now }),
    canary: await canaryFacts(trx, ref, recentlySaved && !restore ? savedAt : undefined),
    restore: restore && {
      reason: restore.reason,
      prices: await goodPrices(trx, ref, { marketplace, items, moment: restore.moment }),
    },
  };
}

/** Returns the seller id of each of the company's accounts, and the currency of a catalogue's limits. */
export async function ownAccounts(
  trx: Trx,
  { company, masterid }: CatalogueRef,
): Promise<{ sellers: ReadonlyMap<string, string>; limitsCurrency: string }> {
  const accounts = await listAccounts(trx, company);
  return { sellers: sellersOf(accounts), limitsCurrency: currencyOfLimits(accounts, masterid) };
}

const sellersOf = (accounts: readonly Account[]): ReadonlyMap<string, string> =>
  new Map(accounts.map(({ id, sellerId }) => [id, sellerKey(sellerId)]));

export const ownSellers = async (trx: Trx, company: string): Promise<string[]> => [
  ...sellersOf(await listAccounts(trx, company)).values(),
];
