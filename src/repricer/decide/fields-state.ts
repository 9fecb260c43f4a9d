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

/** Once for each version of the limits, however many items it concerns. */
export const fieldsFailedId = (masterid: string, version: string): string => `price-fields-${masterid}-${version}`;

/**
 * Whether prices of a master wait for fields, or are held since these could not be computed. Begins no computation. Outside of any
 * transaction: rules and mappings may have to be read first.
 */
export async function fieldsStateOf(
  { database, fields, clock }: { database: Database; fields: MaterialisedFieldSource; clock: Clock },
  place: CatalogueRef,
): Promise<PriceFields> {
  const asked = await database.company(place.company, (trx) => askedOf(trx, place, clock.now()));
  if (asked === undefined) return ready;
  const state = await fields.peek(place, asked.basis, asked.names);
  if (state?.kind === 'ready') return ready;
  if (state?.kind === 'building') return { ...ready, kind: 'building', since: state.since.toISOString() };
  if (state?.kind === 'failed') {
    const { since, again, reason = null } = state;
    return { kind: 'failed', since: since.toISOString(), again: again.toISOString(), message: reason };
  }
  // Another process decides prices: what it found out is seen by what it leaves behind.
  if (asked.told !== undefined) return { ...ready, kind: 'failed', since: asked.told.toISOString() };
  return asked.waits ? { ...ready, kind: 'building' } : ready;
}

/** What running rules read; undefined: nothing is decided, so nothing waits. */
async function askedOf(trx: Trx, place: CatalogueRef, now: Date) {
  const switches = await loadSwitches(trx, place.company, place.masterid);
  const { rules } = await loadRepricerRules(trx, place);
  // While good prices are put back, paused rules tell limits too.
  const all = (await openRestore(trx, place)) !== undefined;
  const running = runningRules(all ? rules.map((rule) => ({ ...rule, active: true })) : rules);
  const limits = await limitsNow(trx, place);
  const basis = basisOf(limits);
  if (!switches.active || running.length === 0 || basis === undefined) return undefined;
  return {
    basis,
    names: fieldsOfRules(running.map(({ rule }) => rule)),
    waits: await waits(trx, place, now),
    told: await toldAt(trx, place, versionOf(limits)),
  };
}

/** Whether items wait to be decided. While fields are computed all of the catalogue's do, so the first ones tell. */
async function waits(trx: Trx, { company, masterid }: CatalogueRef, now: Date): Promise<boolean> {
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

async function toldAt(trx: Trx, { company, masterid }: CatalogueRef, version: string): Promise<Date | undefined> {
  const told = await trx
    .selectFrom('notifications')
    .select('created_at')
    .where((eb) => eb.and({ company, id: fieldsFailedId(masterid, version) }))
    .executeTakeFirst();
  return told?.created_at;
}
