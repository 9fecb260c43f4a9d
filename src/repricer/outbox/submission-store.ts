import { anyFound, anyOf, pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { openBreakers } from '#repricer/control/breakers.ts';
import { count } from '#repricer/record/decision-store.ts';
import { mayLeave } from '#repricer/gate/gate.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { heldItems, offerKey } from '#repricer/sales/item-alarms.ts';
import { enqueue } from '#repricer/queue/queue.ts';
import { openRestore } from '#repricer/control/restore.ts';
import { loadSafety } from '#repricer/control/safety.ts';
import { versionNow } from '#repricer/model/pricing-inputs-version.ts';
import { loadSwitches } from '#repricer/control/state.ts';
import { SUBMIT, submissionColumns, type Next, type Submission, type SubmissionState } from './submission.ts';

/** Sends of a process that died meanwhile: nobody knows whether they happened. In a system transaction. */
export async function expireSending(trx: Trx, now: Date): Promise<void> {
  await trx
    .updateTable('price_submissions')
    .set({ state: 'unknown', not_before: now, lease_until: null })
    .where('state', '=', 'sending')
    .where('lease_until', '<', now)
    .execute();
}

/**
 * Submissions that are due, at most `limit` of each account, the longest waiting first: an account that may send no more at the
 * moment does not stand in the way of the others. In a system transaction.
 */
export async function dueSubmissions(
  trx: Trx,
  kind: 'to send' | 'to read',
  now: Date,
  limit: number,
): Promise<Submission[]> {
  // The conditions of two indexes, each with this order.
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
 * Begins to send: in one transaction everything is asked again that could have changed since the decision, and the rows become
 * 'sending'. Those that may not go now are missing in the answer: held with the reason, or waiting for the one before them.
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
    // Not joined: the accounts would have the whole outbox read (measured: a price four times as late).
    const locked = await trx
      .selectFrom('price_submissions')
      .select(submissionColumns)
      .where((eb) => eb.and({ company, state: 'new' }))
      .where('id', '=', anyOf(idsOf(due)))
      .where('account', '=', anyFound(active))
      .orderBy('id')
      .forUpdate()
      .execute();
    const allowed = await sortOut(trx, company, locked, now);
    const behind = await itemsIn(trx, company, allowed, ['sending', 'accepted', 'unknown']);
    const waiting = allowed.filter((row) => behind.has(itemKey(row)));
    await trx
      .updateTable('price_submissions')
      .set({ not_before: new Date(now.getTime() + SUBMIT.firstLook) })
      .where('company', '=', company)
      .where('id', '=', anyOf(idsOf(waiting)))
      .execute();
    const free = allowed.filter((row) => !behind.has(itemKey(row)));
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
type ItemOf = Pick<Submission, 'master' | 'marketplace' | 'item'>;
const itemKey = ({ master, marketplace, item }: ItemOf) => `${master}\n${marketplace}\n${item}`;

/**
 * The items of these submissions that have any in one of some states, which an index is for. Lists instead of a join: without
 * statistics the planner would read all rows of the company for it.
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

function byPlace<T extends ItemOf>(rows: readonly T[]): [T, T[]][] {
  const groups = Map.groupBy(rows, (row) => `${row.master}\n${row.marketplace}`);
  return [...groups.values()].flatMap((list): [T, T[]][] => (list[0] === undefined ? [] : [[list[0], list]]));
}

/** Those that may go now; the others are held, each with its reason. What concerns a whole catalogue is asked once for all its rows. */
async function sortOut(trx: Trx, company: string, rows: readonly Submission[], now: Date): Promise<Submission[]> {
  const allowed: Submission[] = [];
  const stopped: Settled[] = [];
  for (const [master, ofMaster] of Map.groupBy(rows, (row) => row.master)) {
    const ref = { company, masterid: master };
    const version = await versionNow(trx, ref);
    const safety = await loadSafety(trx, ref);
    const catalogueReason = (await whyNone(trx, ref)) ?? (safety.readable ? undefined : 'SAFETY_WRONG');
    const restoring = (await openRestore(trx, ref)) !== undefined;
    const alarms = await heldItems(
      trx,
      ref,
      ofMaster.map(({ item }) => item),
    );
    for (const row of ofMaster) {
      const { marketplace, item, price_cents: price, min_cents: min, max_cents: max } = row;
      const limitsChanged = version !== row.limits_version;
      // Rules decided it before good prices were put back, or the other way round: what was wrong then must not go out after all.
      const past = row.restored !== restoring;
      // What waited for an account that was paused, or for a marketplace that did not answer, is no answer to offers of today.
      const old = !(now.getTime() - row.created_at.getTime() <= safety.figures.offersAge * 60_000);
      const expiry = old ? 'OFFERS_OLD' : past ? 'SUPERSEDED' : undefined;
      const held = catalogueReason ?? (alarms.has(offerKey(row)) ? 'SALES_ALARM' : undefined);
      const reason = limitsChanged
        ? 'LIMITS_CHANGED'
        : !mayLeave({ price, min, max })
          ? 'OUT_OF_BOUNDS'
          : (held ?? expiry);
      if (reason === undefined) allowed.push(row);
      else stopped.push({ row, next: { state: 'held', held: reason } });
      if (limitsChanged || reason === 'OFFERS_OLD')
        await enqueue(trx, ref, { cause: limitsChanged ? 'limits' : 'again', now, item: { marketplace, item } });
    }
  }
  await settleAll(trx, company, stopped, now);
  return allowed;
}

/** Why no price of a catalogue may go out at the moment. */
async function whyNone(trx: Trx, ref: { company: string; masterid: string }): Promise<string | undefined> {
  const switches = await loadSwitches(trx, ref.company, ref.masterid);
  if (switches.stopped || switches.company_stopped || switches.system_stopped) return 'STOPPED';
  if (!switches.active) return 'ADDON_OFF';
  if (switches.dry_run) return 'DRY_RUN';
  return (await openBreakers(trx, ref)).length > 0 ? 'BREAKER' : undefined;
}

/** What becomes of a submission that was sent or read. */
export type Settled = { row: Submission; next: Next };

/** Writes what became of submissions, but for those with which somebody else did so meanwhile (fence or state are others). */
export async function settleAll(trx: Trx, company: string, settled: readonly Settled[], now: Date): Promise<void> {
  if (settled.length === 0) return;
  const at = pg`${now.toISOString()}::timestamptz`;
  // What is to be sent again does not overtake a price that was decided meanwhile.
  const resent = settled.flatMap(({ row, next }) => (next.state === 'new' ? [row] : []));
  const newer = await itemsIn(trx, company, resent, ['new']);
  const outcomes = settled.map(({ row, next }): Settled =>
    next.state === 'new' && newer.has(itemKey(row))
      ? { row, next: { ...next, state: 'held', held: 'SUPERSEDED' } }
      : { row, next },
  );
  type Written = ItemOf & Pick<Submission, 'state' | 'price_cents'> & { was: string; shown: number | null };
  // Joined with all of them as one parameter, of which `was` and `shown` come back.
  const { rows } = await pg<Written>`update price_submissions s set state = n.next, held = n.held, lease_until = null,
      not_before = n.not_before, message = coalesce(n.message, s.message), issues = coalesce(n.issues, s.issues),
      reference = coalesce(n.reference, s.reference), sends = s.sends - n.not_sent::int,
      sent_at = case when n.not_sent and s.sends <= 1 then null else s.sent_at end,
      accepted_at = case when n.next = 'accepted' then coalesce(s.accepted_at, ${at}) else s.accepted_at end,
      ended_at = case when n.next in ('live', 'invalid', 'held') then ${at} end
    from json_to_recordset(${JSON.stringify(outcomes.map(nextRow))}::json) as n(id text, fence int, was text, next text, held text,
      not_before timestamptz, message text, issues text, reference text, not_sent boolean, shown int)
    where s.company = ${company} and s.id = any(${idsOf(settled.map(({ row }) => row))}::text[])
      and s.id = n.id and s.fence = n.fence and s.state = n.was
    returning s.master, s.marketplace, s.item, s.state, s.price_cents, n.was, n.shown`.execute(trx);
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

/** An accepted price is ours from now on; a live one was seen there; where another is shown, that one is ours. */
async function noteAtListings(
  trx: Trx,
  company: string,
  written: readonly (ItemOf & Pick<Submission, 'state' | 'price_cents'> & { shown: number | null })[],
  now: Date,
): Promise<void> {
  const prices = written.flatMap((row) => {
    if (row.state === 'accepted' || row.state === 'live') return [row];
    return row.shown === null ? [] : [{ ...row, state: 'live', price_cents: row.shown }];
  });
  const at = pg`${now.toISOString()}::timestamptz`;
  for (const [{ master, marketplace }, list] of byPlace(prices)) {
    await pg`update listings l set price_cents = r.price_cents, price_at = ${at},
        live_cents = case when r.state = 'live' then r.price_cents else l.live_cents end,
        live_at = case when r.state = 'live' then ${at} else l.live_at end
      from json_to_recordset(${JSON.stringify(list)}::json) as r(item text, state text, price_cents int)
      where l.company = ${company} and l.master = ${master} and l.marketplace = ${marketplace}
        and l.item = any(${list.map(({ item }) => item)}::text[]) and l.item = r.item`.execute(trx);
  }
}
