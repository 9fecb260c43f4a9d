import type { Account } from '#marketplaces/accounts/accounts.ts';
import { anyFound, anyOf, pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { count } from '#repricer/record/decision-store.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { separateHeld } from './before-sending.ts';
import { byPlace, itemKey, type ItemOf } from './item-places.ts';
import { SUBMIT, submissionColumns, type Settled, type Submission, type SubmissionState } from './submission.ts';

/**
 * Marks sends whose lease has run out as unknown: their process died, so they may or may not have happened. Those of `served`
 * accounts (`company/account`) are still under way in this process. Runs in a system transaction.
 */
export async function expireSending(trx: Trx, now: Date, served: readonly string[]): Promise<void> {
  await trx
    .updateTable('price_submissions')
    .set({ state: 'unknown', not_before: now, lease_until: null })
    .where('state', '=', 'sending')
    .where('lease_until', '<', now)
    .where((eb) => eb.not(eb(pg<string>`company || '/' || account`, '=', anyOf(served))))
    .execute();
}

/**
 * Makes waiting prices of an account due now: its access was changed, and was the reason why most of them wait. A sent price that
 * waits longer than usual to be read back could not be read; until it is read, the next price of its article is not sent.
 */
export async function resumePrices(trx: Trx, { company, id }: Account, now: Date): Promise<void> {
  const usual = new Date(now.getTime() + SUBMIT.look);
  await trx
    .updateTable('price_submissions')
    .set({ not_before: now })
    .where((eb) => eb.and({ company, account: id }))
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'new'), eb('not_before', '>', now)]),
        eb.and([eb('state', 'in', ['accepted', 'unknown']), eb('not_before', '>', usual)]),
      ]),
    )
    .execute();
}

/**
 * Returns due submissions, the longest waiting first, at most `limit` per account: an account at its rate limit does not block
 * the others. Runs in a system transaction.
 */
export async function dueSubmissions(
  trx: Trx,
  kind: 'to send' | 'to read',
  now: Date,
  limit: number,
): Promise<Submission[]> {
  // These conditions match two partial indexes, each with this order.
  const states: SubmissionState[] = kind === 'to send' ? ['new'] : ['accepted', 'unknown'];
  return trx
    .selectFrom('marketplace_accounts as a')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('price_submissions as s')
          .select(submissionColumns)
          .whereRef('s.company', '=', 'a.company')
          .whereRef('s.account', '=', 'a.id')
          .where('s.state', 'in', states)
          .where((row) => row(row.fn.coalesce('s.not_before', 's.created_at'), '<=', now))
          .orderBy((row) => row.fn.coalesce('s.not_before', 's.created_at'))
          .limit(limit)
          .as('due'),
      (join) => join.onTrue(),
    )
    .selectAll('due')
    .where('a.active', '=', true)
    .execute();
}

/**
 * Starts the send: checks again, in one transaction, everything that could have changed since the decision, and marks the rows
 * 'sending'. Rows that must not be sent now are missing in the result: held with a reason, or waiting for the one before them.
 */
export async function beginSending(
  database: Database,
  company: string,
  due: readonly Submission[],
  now: Date,
): Promise<Submission[]> {
  if (due.length === 0) return [];
  return database.company(company, async (trx) => {
    await disableSeqScans(trx);
    const active = trx
      .selectFrom('marketplace_accounts')
      .select('id')
      .where((eb) => eb.and({ company, active: true }));
    // A subquery, not a join: with a join PostgreSQL would read the whole outbox (measured: a price four times as late).
    const locked = await trx
      .selectFrom('price_submissions')
      .select(submissionColumns)
      .where((eb) => eb.and({ company, state: 'new' }))
      .where('id', '=', anyOf(idsOf(due)))
      .where('account', '=', anyFound(active))
      .orderBy('id')
      .forUpdate()
      .execute();
    const { allowed, stopped } = await separateHeld(trx, company, locked, now);
    await settleAll(trx, company, stopped, now);
    const inFlight = await itemsIn(trx, company, allowed, ['sending', 'accepted', 'unknown']);
    const waiting = allowed.filter((row) => inFlight.has(itemKey(row)));
    await trx
      .updateTable('price_submissions')
      .set({ not_before: new Date(now.getTime() + SUBMIT.firstLook) })
      .where('company', '=', company)
      .where('id', '=', anyOf(idsOf(waiting)))
      .execute();
    const free = allowed.filter((row) => !inFlight.has(itemKey(row)));
    return trx
      .updateTable('price_submissions')
      .set((eb) => ({
        state: 'sending',
        sends: eb('sends', '+', 1),
        fence: eb('fence', '+', 1),
        sent_at: now,
        lease_until: new Date(now.getTime() + SUBMIT.leaseMs),
      }))
      .where((eb) => eb.and({ company, state: 'new' }))
      .where('id', '=', anyOf(idsOf(free)))
      .returning(submissionColumns)
      .execute();
  });
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
/**
 * Returns the items of these submissions that have one in certain states, which an index covers. Lists instead of a join: without
 * statistics the planner would read all rows of the company.
 */
async function itemsIn(
  trx: Trx,
  company: string,
  submissions: readonly Submission[],
  states: readonly SubmissionState[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [{ master, marketplace }, list] of byPlace(submissions)) {
    const rows = await trx
      .selectFrom('price_submissions')
      .select(['master', 'marketplace', 'item'])
      .where((eb) => eb.and({ company, master, marketplace }))
      .where('item', '=', anyOf(list.map(({ item }) => item)))
      .where('state', 'in', states)
      .execute();
    for (const row of rows) found.add(itemKey(row));
  }
  return found;
}

/** Stores the results of submissions, except those whose fence or state has changed: another process did so meanwhile. */
export async function settleAll(trx: Trx, company: string, settled: readonly Settled[], now: Date): Promise<void> {
  if (settled.length === 0) return;
  const at = pg`${now.toISOString()}::timestamptz`;
  // A price to be sent again must not replace a price decided meanwhile.
  const resent = settled.flatMap(({ row, next }) => (next.state === 'new' ? [row] : []));
  const newer = await itemsIn(trx, company, resent, ['new']);
  const outcomes = settled.map(({ row, next }): Settled =>
    next.state === 'new' && newer.has(itemKey(row))
      ? { row, next: { ...next, state: 'held', held: 'SUPERSEDED' } }
      : { row, next },
  );
  type Written = Priced & { was: string };
  // Raw SQL: a join with all results as one parameter, which returns `was` and `shown`.
  const { rows } = await pg<Written>`update price_submissions s set state = n.next, held = n.held, lease_until = null,
      not_before = n.not_before, message = coalesce(n.message, s.message), issues = coalesce(n.issues, s.issues),
      reference = coalesce(n.reference, s.reference), sends = s.sends - n.not_sent::int,
      sent_at = case when n.not_sent and s.sends <= 1 then null else s.sent_at end,
      accepted_at = case when n.next = 'accepted' and n.was <> 'accepted' then ${at} else s.accepted_at end,
      ended_at = case when n.next in ('live', 'invalid', 'held') then ${at} end
    from json_to_recordset(${JSON.stringify(outcomes.map(nextRow))}::json) as n(id text, fence int, was text, next text, held text,
      not_before timestamptz, message text, issues text, reference text, not_sent boolean, shown int)
    where s.company = ${company} and s.id = any(${idsOf(settled.map(({ row }) => row))}::text[])
      and s.id = n.id and s.fence = n.fence and s.state = n.was
    returning s.master, s.marketplace, s.item, s.account, s.sku, s.state, s.price_cents, n.was, n.shown`.execute(trx);
  await noteAtListings(trx, company, rows, now);
  const changed = rows.filter(({ state, was }) => state !== was);
  for (const [{ master: masterid, marketplace }, list] of byPlace(changed)) {
    const kinds = list.map(({ state }) => `sent:${state}`);
    await count(trx, { company, masterid, marketplace, now }, kinds);
  }
}

const nextRow = ({ row, next }: Settled) => ({
  id: row.id,
  fence: row.fence,
  was: row.state,
  next: next.state,
  held: next.held ?? '',
  not_before: next.notBefore?.toISOString() ?? null,
  message: next.message ?? null,
  issues: next.issues === undefined ? null : JSON.stringify(next.issues),
  reference: next.reference ?? null,
  not_sent: next.notSent === true,
  shown: next.shown ?? null,
});

type Priced = ItemOf & Pick<Submission, 'account' | 'sku' | 'state' | 'price_cents'> & { shown: number | null };

/**
 * Updates the listings: an accepted price becomes ours; a live one was seen there; if another is shown, that becomes ours. A
 * sku's price says nothing about an item that is now sold under another sku.
 */
async function noteAtListings(trx: Trx, company: string, written: readonly Priced[], now: Date): Promise<void> {
  const prices = written.flatMap((row) => {
    if (row.state === 'accepted' || row.state === 'live') return [row];
    return row.shown === null ? [] : [{ ...row, state: 'live', price_cents: row.shown }];
  });
  const at = pg`${now.toISOString()}::timestamptz`;
  for (const [{ master, marketplace }, list] of byPlace(prices)) {
    await pg`update listings l set price_cents = r.price_cents, price_at = ${at},
        live_cents = case when r.state = 'live' then r.price_cents else l.live_cents end,
        live_at = case when r.state = 'live' then ${at} else l.live_at end
      from json_to_recordset(${JSON.stringify(list)}::json) as r(item text, account text, sku text, state text, price_cents int)
      where l.company = ${company} and l.master = ${master} and l.marketplace = ${marketplace}
        and l.item = any(${list.map(({ item }) => item)}::text[]) and l.item = r.item and l.account = r.account and l.sku = r.sku`.execute(
      trx,
    );
  }
}
