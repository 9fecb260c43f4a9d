import type { MaterialisedFieldSource } from '#catalogue/materialised-fields.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Ids } from '#platform/ids.ts';
import type { Counter } from '#platform/telemetry/metrics.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { PriceSafety } from '#shared/repricer/safety.ts';
import { addNotification } from '#notifications/notifications.ts';
import type { BreakerBudgets, Figures } from '#repricer/control/breaker-budgets.ts';
import { checkBreakers, stopEverybody, notifyTripped, type Breaker } from '#repricer/control/breakers.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { fieldsOfRules } from './decide-listing.ts';
import { saveDecisions, supersede, verdictOf, type DecisionRecord } from '#repricer/record/decision-store.ts';
import { fieldsFailedId } from './fields-state.ts';
import type { Verdict } from '#repricer/gate/gate.ts';
import { noFacts, sentMeanwhile } from '#repricer/gate/gate-facts.ts';
import { offerKey } from '#repricer/sales/item-alarms.ts';
import { itemFields, noFields, type ItemFields } from '#repricer/model/item-fields.ts';
import type { Listing } from '#repricer/model/listings.ts';
import { articleKey } from '#repricer/model/article-offers.ts';
import { evaluatePrice, type PricingInput } from './evaluate-price.ts';
import { finishDue, giveBack, takeDue, type Due } from '#repricer/queue/queue.ts';
import { versionNow } from '#repricer/model/pricing-inputs-version.ts';
import { loadGroup, type Group } from './reprice-load.ts';

export type RepriceDeps = {
  database: Database;
  duckdb: DuckDb;
  fields: MaterialisedFieldSource;
  clock: Clock;
  ids: Ids;
  log: Log;
  budgets: BreakerBudgets;
  /** Counts the gate's verdicts. */
  verdicts?: Counter<'verdict' | 'held'>;
  /** Name of the running version of the program. */
  program: string;
};

/**
 * Decides the prices of due items, at most `limit`: fields after the master's rules, stored offers, the first rule that applies,
 * then the gate. Every decision is recorded before anything can be sent; an allowed price goes into the outbox in the same
 * transaction. Returns the number of items processed. A failure in one catalogue does not hold up others: its items are retried
 * when their lease expires.
 */
export async function repriceDue(deps: RepriceDeps, limit = 500): Promise<number> {
  const due = await deps.database.system(async (trx) => {
    await disableSeqScans(trx);
    return takeDue(trx, deps.clock.now(), limit, deps.fields.underWay());
  });
  const groups = Map.groupBy(due, ({ company, master, marketplace }) => [company, master, marketplace].join('\n'));
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { company, master: masterid, marketplace } = first;
    await repriceGroup(deps, { company, masterid }, marketplace, group).catch((error: unknown) =>
      deps.log.error({ err: error, company, masterid, marketplace }, 'prices could not be decided'),
    );
  }
  return due.length;
}

async function repriceGroup(
  deps: RepriceDeps,
  ref: { company: string; masterid: string },
  marketplace: string,
  due: readonly Due[],
): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  const items = due.map(({ item }) => item);
  const group = await database.company(ref.company, (trx) => loadGroup(trx, ref, { marketplace, items, now }));
  const known = await fieldsOf(deps, ref, group, items);
  if (known === 'building') {
    await database.company(ref.company, (trx) => giveBack(trx, due));
    return;
  }
  const causes = new Map(due.map(({ item, cause }) => [item, cause]));
  const again = new Map<string, Date>();
  const records = group.listings.flatMap((listing) => {
    const record = decideOne(group, listing, known, now);
    if (record === undefined) return [];
    if (record.again !== undefined) again.set(listing.item, record.again);
    const cause = group.restore ? `restore:${group.restore.reason}` : (causes.get(listing.item) ?? '');
    return [{ ...record, cause }];
  });
  const tripped = await database.company(ref.company, (trx) =>
    saveGroup(trx, deps, { ...ref, marketplace, now }, { group, due, records, again, failed: known === 'failed' }),
  );
  if (tripped.length > 0) await database.system((trx) => stopEverybody(trx, now));
}

type Decided = {
  group: Group;
  due: readonly Due[];
  records: readonly DecisionRecord[];
  again: Map<string, Date>;
  /** The fields could not be computed. */
  failed: boolean;
};

/** Records the decisions if they are still valid, and removes the items from the queue; returns the breakers that tripped. */
async function saveGroup(
  trx: Trx,
  deps: RepriceDeps,
  batch: { company: string; masterid: string; marketplace: string; now: Date },
  { group, due, records, again, failed }: Decided,
): Promise<Breaker[]> {
  const { marketplace, now } = batch;
  await disableSeqScans(trx);
  // Rules or limits changed during the computation: the decisions are dropped, the items are due at once.
  if ((await versionNow(trx, batch)) !== group.version) {
    await finishDue(trx, due, new Map(due.map(({ item }) => [item, now])));
    return [];
  }
  const items = records.map(({ listing }) => listing.item);
  await supersede(trx, batch, items);
  const sentMeanwhileIds = await sentMeanwhile(trx, batch, { marketplace, items, now }, group.facts);
  for (const item of sentMeanwhileIds) again.set(item, now);
  const counting = records.filter(({ listing }) => !sentMeanwhileIds.has(listing.item));
  const { version, revision, snapshot } = group;
  await saveDecisions(
    trx,
    deps.ids,
    { ...batch, version, revision, snapshot: snapshot?.number ?? 0, program: deps.program },
    counting,
  );
  for (const { verdict } of counting) deps.verdicts?.add(verdictOf(verdict));
  await finishDue(trx, due, again);
  if (failed && records.length > 0) await tellFailed(trx, batch, version);
  return lookAtBreakers(trx, deps, batch, counting, group.safety);
}

/** Trips the breakers for which these prices are too many, and notifies people. */
async function lookAtBreakers(
  trx: Trx,
  { ids, budgets }: Pick<RepriceDeps, 'ids' | 'budgets'>,
  batch: { company: string; masterid: string; now: Date },
  records: readonly DecisionRecord[],
  safety: PriceSafety,
): Promise<Breaker[]> {
  const added = addedBy(records, safety);
  // Breakers count only prices that are sent.
  if (added === undefined || budgets.spend(batch, added, batch.now)) return [];
  const { made, missing } = await checkBreakers(trx, ids, batch, batch.now);
  budgets.keep(batch, missing, batch.now);
  await notifyTripped(trx, batch, made);
  return made;
}

/** Returns what decisions add to the figures of the breakers; undefined if none is sent. */
function addedBy(records: readonly DecisionRecord[], { changedBy }: PriceSafety): Figures | undefined {
  let sends = false;
  const added = { changed: 0, atMinimum: 0, loss: 0 };
  for (const { verdict, listing, decision } of records) {
    if (verdict?.kind !== 'submit' && verdict?.kind !== 'step') continue;
    sends = true;
    const from = listing.price ?? verdict.price;
    if (Math.abs(verdict.price - from) * 100 > from * changedBy) added.changed++;
    if (verdict.price === decision.arithmetic.min_cents) added.atMinimum++;
    added.loss += Math.max(0, from - verdict.price) * (listing.stock ?? 0);
  }
  return sends ? added : undefined;
}

async function tellFailed(trx: Trx, { company, masterid }: { company: string; masterid: string }, version: string) {
  await addNotification(trx, company, {
    id: fieldsFailedId(masterid, version),
    event: 'failed',
    title: 'Fehlgeschlagen: Preisfelder für den Repricer',
    text: 'Die Master-Regeln und Mappings ließen sich nicht ausrechnen. Bis das gelingt, wird kein Preis dieses Katalogs geändert; es wird von selbst wieder versucht.',
    path: `/repricer/${masterid}`,
  });
}

async function fieldsOf(
  { duckdb, fields }: RepriceDeps,
  ref: { company: string; masterid: string },
  { basis, running, switches }: Group,
  items: readonly string[],
): Promise<ItemFields | 'building' | 'failed'> {
  if (basis === undefined || running.length === 0 || !switches.active) return noFields;
  const state = await fields.look(ref, basis, fieldsOfRules(running.map(({ rule }) => rule)));
  return state.kind === 'ready' ? itemFields(duckdb, state.source, items) : state.kind;
}

/** Decides one offer; undefined if no rule is active or the add-on is off. */
function decideOne(
  group: Group,
  listing: Listing,
  known: ItemFields | 'failed',
  now: Date,
): Omit<DecisionRecord, 'cause'> | undefined {
  const good = group.restore?.prices.get(listing.item);
  // During a restore an offer that we never changed is left unchanged.
  if (!group.switches.active || (group.restore !== undefined && good === undefined)) return undefined;
  const basis = basisOfPrice(group, listing, known, now);
  const priced = evaluatePrice(group.running, basis);
  if (priced === undefined) return undefined;
  const { rule, decision, verdict } = priced;
  if (verdict?.kind === 'submit' || verdict?.kind === 'step') group.canary?.sent.add(canaryKey(listing));
  const again = againAt(verdict, group.safety, now);
  return {
    listing,
    rule,
    decision,
    verdict,
    basis,
    offersAt: basis.offers === null ? undefined : new Date(basis.offers.at),
    restored: good !== undefined,
    ...(again === undefined ? {} : { again }),
  };
}

const canaryKey = ({ marketplace, item }: Listing) => `${marketplace}\n${item}`;

function basisOfPrice(group: Group, listing: Listing, known: ItemFields | 'failed', now: Date): PricingInput {
  const { canary, switches } = group;
  const offers = group.offers.get(articleKey(listing));
  const without =
    known === 'failed' ? 'HOLD_FIELDS_FAILED' : known.excluded.has(listing.item) ? 'HOLD_ITEM_EXCLUDED' : null;
  return {
    now: now.getTime(),
    listing,
    fields: known === 'failed' ? {} : (known.fields.get(listing.item) ?? {}),
    without,
    offers: offers === undefined ? null : { at: offers.at.getTime(), list: offers.offers },
    sellerIds: [...group.sellers.values()],
    seller: group.sellers.get(listing.account),
    limitsCurrency: group.limitsCurrency,
    good: group.restore?.prices.get(listing.item) ?? null,
    version: group.version,
    safety: group.safety,
    snapshotAt: group.snapshot?.createdAt.getTime() ?? null,
    limitsConfirmed: group.limitsConfirmed,
    limitsReview: group.limitsReview,
    facts: group.facts.get(listing.item) ?? noFacts,
    switches: {
      active: switches.active,
      dryRun: switches.dry_run,
      stopped: switches.stopped || switches.company_stopped || switches.system_stopped,
      breaker: group.breaker,
      alarm: group.alarms.has(offerKey(listing)),
    },
    canary:
      canary === undefined
        ? null
        : {
            since: canary.since,
            total: canary.total,
            sent: canary.sent.size,
            included: canary.sent.has(canaryKey(listing)),
          },
  };
}

/** Returns when the item is due again by itself; undefined if only new offers or the next import can change the result. */
function againAt(verdict: Verdict | undefined, { stepPause }: PriceSafety, now: Date): Date | undefined {
  if (verdict?.kind === 'step') return new Date(now.getTime() + stepPause * 60_000);
  if (verdict?.kind !== 'hold') return undefined;
  if (verdict.reason === 'IN_FLIGHT') return new Date(now.getTime() + 60_000);
  return verdict.again === undefined ? undefined : new Date(verdict.again);
}
