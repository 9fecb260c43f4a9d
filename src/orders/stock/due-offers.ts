import type { Account } from '#marketplaces/accounts/accounts.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** Delay of a raise: meanwhile the orders of all channels arrive, and reductions elsewhere are sent. */
export const RAISE_WAITS_MS = 5 * 60_000;
/** How long other workers leave alone what is being sent. */
const LEASE_MS = 2 * 60_000;

export type DueOffer = { item: string; sku: string; offered: number; shown: number | null; tries: number };

/**
 * Returns the numbers to send to an account now, the most urgent first: falls to 0, then other falls, then raises. A raise is due
 * only once the account's orders were read well after it was computed (a failed try moves `polled_at`, too), once all orders of a
 * new account are read (`reconciled_on`), and while no other channel still shows too much of the article. Nothing is due in a
 * catalogue that is held or whose numbers are older than its state.
 */
export async function dueOffers(
  trx: Trx,
  { company, id, masterid }: Account,
  now: Date,
  limit: number,
): Promise<DueOffer[]> {
  const at = pg`${now.toISOString()}::timestamptz`;
  const settled = pg`${new Date(now.getTime() - RAISE_WAITS_MS).toISOString()}::timestamptz`;
  // Raw SQL: it depends on five tables at once.
  const { rows } = await pg<DueOffer>`
    select o.item, o.sku, o.offered, o.shown, o.tries
    from stock_offers o
      join stock_states s on s.company = o.company and s.master = o.master
      join masters m on m.company = s.company and m.id = s.master
      left join order_polls p on p.company = o.company and p.channel = o.channel
    where o.company = ${company} and o.master = ${masterid} and o.channel = ${id} and o.account
      and (o.shown is distinct from o.offered or o.state = 'unknown') and o.not_before <= ${at}
      and (o.fed is null or (o.offered = 0 and o.fed > 0))
      and s.held = '' and s.snapshot is not distinct from m.live_snapshot
      and (o.offered = 0 or o.offered < o.shown or (o.changed_at <= ${settled} and p.cursor is null and p.failed_since is null
        and p.polled_at >= o.changed_at and p.reconciled_on is not null
        and not exists (select 1 from stock_offers b where b.company = o.company and b.master = o.master and b.item = o.item
          and b.channel <> o.channel and b.account and b.shown > b.offered)))
    order by (o.offered = 0) desc, (o.offered < coalesce(o.shown, 0)) desc, o.changed_at, o.item
    limit ${limit}`.execute(trx);
  return rows;
}

/** Leases these offers for one call; those that another worker has taken are left out. */
export async function leaseOffers(
  trx: Trx,
  { company, id, masterid }: Account,
  offers: readonly DueOffer[],
  now: Date,
): Promise<DueOffer[]> {
  // Raw SQL: one parameter for all items, however many.
  const { rows } = await pg<{ item: string }>`
    update stock_offers set not_before = ${new Date(now.getTime() + LEASE_MS).toISOString()}::timestamptz
    where company = ${company} and master = ${masterid} and channel = ${id} and not_before <= ${now.toISOString()}::timestamptz
      and item = any(${offers.map(({ item }) => item)}::text[])
    returning item`.execute(trx);
  const leased = new Set(rows.map(({ item }) => item));
  return offers.filter(({ item }) => leased.has(item));
}

export type Outcome = {
  item: string;
  /** The number the channel is now known to have; undefined: unchanged or unknown. */
  base?: number | undefined;
  state: 'accepted' | 'refused' | 'unknown';
  message: string;
  tries: number;
  not_before: Date;
};

/** Stores the results of calls. A number computed meanwhile stays due. */
export async function storeOutcomes(
  trx: Trx,
  { company, id, masterid }: Account,
  outcomes: readonly Outcome[],
  now: Date,
): Promise<void> {
  await pg`update stock_offers o set base = coalesce(r.base, o.base), shown = coalesce(r.base, o.shown),
      base_at = case when r.base is null then o.base_at else ${now.toISOString()}::timestamptz end,
      state = r.state, message = r.message, tries = r.tries, not_before = r.not_before
    from json_to_recordset(${JSON.stringify(outcomes)}::json)
      as r(item text, base int, state text, message text, tries int, not_before timestamptz)
    where o.company = ${company} and o.master = ${masterid} and o.channel = ${id} and o.item = r.item`.execute(trx);
}

/** Makes numbers of an account due now that wait after a failure; not those that a worker is sending. */
export async function resumeOffers(trx: Trx, { company, id, masterid }: Account, now: Date): Promise<void> {
  await trx
    .updateTable('stock_offers')
    .set({ not_before: now })
    .where((eb) => eb.and({ company, master: masterid, channel: id }))
    .where('not_before', '>', new Date(now.getTime() + LEASE_MS))
    .execute();
}
