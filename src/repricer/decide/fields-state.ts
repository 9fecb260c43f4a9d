import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { MaterialisedFieldSource } from '#catalogue/materialised-fields.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { PriceFields } from '#shared/repricer/state.ts';
import { fieldsOfRules, runningRules } from './decide-listing.ts';
import { basisOf, limitsNow, versionOf } from '#repricer/model/pricing-inputs-version.ts';
import { openRestore } from '#repricer/control/restore.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import { loadSwitches } from '#repricer/control/state.ts';

const ready: PriceFields = { kind: 'ready', since: null, again: null, message: null };

/** Returns the id of the notification: one per version of the limits, however many items it concerns. */
export const fieldsFailedId = (masterid: string, version: string): string => `price-fields-${masterid}-${version}`;

/**
 * Returns whether prices of a master wait for fields, or are held because these could not be computed. Starts no computation.
 * Call it outside of any transaction: rules and mappings may have to be read first.
 */
export async function fieldsStateOf(
  { database, fields, clock }: { database: Database; fields: MaterialisedFieldSource; clock: Clock },
  ref: CatalogueRef,
): Promise<PriceFields> {
  const demand = await database.company(ref.company, (trx) => demandOf(trx, ref, clock.now()));
  if (demand === undefined) return ready;
  const state = await fields.peek(ref, demand.basis, demand.names);
  if (state?.kind === 'ready') return ready;
  if (state?.kind === 'building') return { ...ready, kind: 'building', since: state.since.toISOString() };
  if (state?.kind === 'failed') {
    const { since, again, reason = null } = state;
    return { kind: 'failed', since: since.toISOString(), again: again.toISOString(), message: reason };
  }
  // If another process decides prices, its state is inferred from its notification and the queue.
  if (demand.failedAt !== undefined) return { ...ready, kind: 'failed', since: demand.failedAt.toISOString() };
  return demand.waits ? { ...ready, kind: 'building' } : ready;
}

/** Returns what running rules read; undefined if no rule decides anything, so that nothing waits. */
async function demandOf(trx: Trx, ref: CatalogueRef, now: Date) {
  const switches = await loadSwitches(trx, ref.company, ref.masterid);
  const { rules } = await loadRepricerRules(trx, ref);
  // While the last good prices are restored, paused rules supply limits too.
  const all = (await openRestore(trx, ref)) !== undefined;
  const running = runningRules(all ? rules.map((rule) => ({ ...rule, active: true })) : rules);
  const limits = await limitsNow(trx, ref);
  const basis = basisOf(limits);
  if (!switches.active || running.length === 0 || basis === undefined) return undefined;
  return {
    basis,
    names: fieldsOfRules(running.map(({ rule }) => rule)),
    waits: await isWaiting(trx, ref, now),
    failedAt: await failureReportedAt(trx, ref, versionOf(limits)),
  };
}

/**
 * Returns whether items wait to be decided. While fields are computed all items of the catalogue wait, so checking the first 200
 * is enough.
 */
async function isWaiting(trx: Trx, { company, masterid }: CatalogueRef, now: Date): Promise<boolean> {
  const waiting = await trx
    .selectFrom((eb) =>
      eb
        .selectFrom('reprice_queue')
        .select('due_at')
        .where((row) => row.and({ company, master: masterid }))
        .limit(200)
        .as('q'),
    )
    .select('q.due_at')
    .where('q.due_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

async function failureReportedAt(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  version: string,
): Promise<Date | undefined> {
  const notification = await trx
    .selectFrom('notifications')
    .select('created_at')
    .where((eb) => eb.and({ company, id: fieldsFailedId(masterid, version) }))
    .executeTakeFirst();
  return notification?.created_at;
}
