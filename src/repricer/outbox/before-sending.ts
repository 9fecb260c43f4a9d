import { z } from 'zod';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { openBreakers } from '#repricer/control/breakers.ts';
import { openRestore } from '#repricer/control/restore.ts';
import { loadSafety } from '#repricer/control/safety.ts';
import { loadSwitches } from '#repricer/control/state.ts';
import { isSendable } from '#repricer/gate/gate.ts';
import { versionNow } from '#repricer/model/pricing-inputs-version.ts';
import { enqueue } from '#repricer/queue/queue.ts';
import { heldItems, offerKey } from '#repricer/sales/item-alarms.ts';
import { byPlace, itemKey } from './item-places.ts';
import type { Settled, Submission } from './submission.ts';

/** Splits rows into those allowed now and those held, with the reason. Checks of a whole catalogue run once for all its rows. */
export async function separateHeld(
  trx: Trx,
  company: string,
  rows: readonly Submission[],
  now: Date,
): Promise<{ allowed: Submission[]; stopped: Settled[] }> {
  const allowed: Submission[] = [];
  const stopped: Settled[] = [];
  for (const [master, ofMaster] of Map.groupBy(rows, (row) => row.master)) {
    const ref = { company, masterid: master };
    const version = await versionNow(trx, ref);
    const safety = await loadSafety(trx, ref);
    const catalogueReason = (await catalogueHold(trx, ref)) ?? (safety.readable ? undefined : 'SAFETY_WRONG');
    const restoring = (await openRestore(trx, ref)) !== undefined;
    const alarms = await heldItems(
      trx,
      ref,
      ofMaster.map(({ item }) => item),
    );
    const sold = await soldNow(trx, company, ofMaster);
    const overtaken = await overtakenResends(trx, company, ofMaster);
    for (const row of ofMaster) {
      const { marketplace, item, price_cents: price, min_cents: min, max_cents: max } = row;
      const limitsChanged = version !== row.limits_version;
      const offerChanged = sold.get(itemKey(row)) !== offerOf(row);
      // Decided by rules before a restore began, or by a restore that has ended: such a price must not be sent any more.
      const past = row.restored !== restoring;
      // A price that waited for a paused account or a silent marketplace no longer answers today's offers.
      const old = !(now.getTime() - row.created_at.getTime() <= safety.figures.offersAge * 60_000);
      const expiry = old ? 'OFFERS_OLD' : past || overtaken.has(row.id) ? 'SUPERSEDED' : undefined;
      const held = catalogueReason ?? (alarms.has(offerKey(row)) ? 'SALES_ALARM' : undefined);
      const changed = limitsChanged ? 'LIMITS_CHANGED' : offerChanged ? 'LISTING_CHANGED' : undefined;
      const reason = changed ?? (isSendable({ price, min, max }) ? (held ?? expiry) : 'OUT_OF_BOUNDS');
      if (reason === undefined) allowed.push(row);
      else stopped.push({ row, next: { state: 'held', held: reason } });
      if (changed !== undefined || (reason !== undefined && reason === expiry))
        await enqueue(trx, ref, { cause: limitsChanged ? 'limits' : 'again', now, item: { marketplace, item } });
    }
  }
  return { allowed, stopped };
}

const OfSubmission = z.object({ id: z.string() });

/**
 * Returns the ids of prices to be sent again that a newer decision has overtaken: it was held while the price was in flight, or
 * found the shown price right. The older price no longer answers the present offers.
 */
async function overtakenResends(trx: Trx, company: string, submissions: readonly Submission[]): Promise<Set<string>> {
  const resends = submissions.filter(({ sends }) => sends > 0);
  const overtaken = new Set<string>();
  for (const [{ master, marketplace }, list] of byPlace(resends)) {
    // Each by its index: there may be millions of older decisions.
    const { rows } = await pg`select r.id from unnest(${list.map(({ id }) => id)}::text[],
        ${list.map(({ item }) => item)}::text[], ${list.map(({ decision }) => decision)}::bigint[]) as r(id, item, decision)
      cross join lateral (select d.id, d.price_cents from price_decisions d where d.item = r.item and d.company = ${company}
        and d.master = ${master} and d.marketplace = ${marketplace} order by d.id desc limit 1) newest
      left join price_decisions own on own.company = ${company} and own.id = r.decision
      where newest.id > r.decision and newest.price_cents is distinct from own.price_cents`.execute(trx);
    for (const { id } of OfSubmission.array().parse(rows)) overtaken.add(id);
  }
  return overtaken;
}

/** Returns the key under which an offer's price is sent: the same sku may be another product later. */
const offerOf = ({ account, sku, currency }: Pick<Submission, 'account' | 'sku' | 'currency'>): string =>
  [account, sku, currency].join('\n');

/** Returns how the items of these submissions are sold now (`offerOf`), by `itemKey`; an item no longer sold is missing. */
async function soldNow(trx: Trx, company: string, submissions: readonly Submission[]): Promise<Map<string, string>> {
  const sold = new Map<string, string>();
  for (const [{ master, marketplace }, list] of byPlace(submissions)) {
    const rows = await trx
      .selectFrom('listings')
      .select(['master', 'marketplace', 'item', 'account', 'sku', 'currency'])
      .where((eb) => eb.and({ company, master, marketplace }))
      .where('item', '=', anyOf(list.map(({ item }) => item)))
      .execute();
    for (const row of rows) sold.set(itemKey(row), offerOf(row));
  }
  return sold;
}

/** Returns why no price of a catalogue may be sent at present. */
async function catalogueHold(trx: Trx, ref: { company: string; masterid: string }): Promise<string | undefined> {
  const switches = await loadSwitches(trx, ref.company, ref.masterid);
  if (switches.stopped || switches.company_stopped || switches.system_stopped) return 'STOPPED';
  if (!switches.active) return 'ADDON_OFF';
  if (switches.dry_run) return 'DRY_RUN';
  return (await openBreakers(trx, ref)).length > 0 ? 'BREAKER' : undefined;
}
