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

/** All that decisions on some items of a master and the gate's look at them need, as it stood in one transaction. */
export type Group = {
  running: RunningRule[];
  revision: number;
  /** What limits come from, and what fields come from; undefined before the first import. */
  version: string;
  basis: FieldsBasis | undefined;
  snapshot: SnapshotRecord | undefined;
  switches: Switches;
  breaker: boolean;
  /** Offers that are held, as `offerKey`s. */
  alarms: ReadonlySet<string>;
  limitsConfirmed: boolean;
  limitsReview: boolean;
  safety: PriceSafety;
  listings: Listing[];
  offers: Map<string, { at: Date; offers: Offer[] }>;
  /** Our ids as sellers, by account. */
  sellers: ReadonlyMap<string, string>;
  limitsCurrency: string;
  facts: Map<string, PriceFacts>;
  canary: Awaited<ReturnType<typeof canaryFacts>>;
  /** While the last good prices are put back: these, by item. */
  restore: { reason: string; prices: Map<string, number> } | undefined;
};

export async function loadGroup(
  trx: Trx,
  ref: CatalogueRef,
  { marketplace, items, now }: { marketplace: string; items: readonly string[]; now: Date },
): Promise<Group> {
  await disableSeqScans(trx);
  const { rules, revision, savedAt } = await loadRepricerRules(trx, ref);
  // A save between two of these statements is no harm: limits count as of the revisions that are really read.
  const limits = { ...(await limitsNow(trx, ref)), repricer: revision };
  const version = versionOf(limits);
  const snapshot =
    limits.snapshot === undefined ? undefined : await snapshotAt(trx, ref.company, ref.masterid, limits.snapshot);
  const listings = await listingsOf(trx, ref, marketplace, items);
  const restore = await openRestore(trx, ref);
  const recentlySaved = savedAt !== undefined && now.getTime() - savedAt.getTime() < GATE.canaryTime;
  return {
    // While good prices are put back rules only tell the limits, also those that somebody paused because of what they did.
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

/** Under which id each of the company's accounts sells, and in what a catalogue's prices are. */
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
