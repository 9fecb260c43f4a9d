import { sql } from 'kysely';
import type { Database, Trx } from '#platform/db.ts';
import { openBreakers } from './breakers.ts';
import { count } from './decision-store.ts';
import { mayLeave } from './gate.ts';
import { enqueue } from './queue.ts';
import { versionNow } from './reprice-load.ts';
import { loadSwitches } from './state.ts';
import { SUBMIT, type Next, type Submission } from './submission.ts';

const columns = sql`company, id, master, marketplace, item, account, sku, limits_version, currency, price_cents, min_cents,
  max_cents, state, sends, fence, sent_at, accepted_at`;

/** Sends of a process that died meanwhile: nobody knows whether they happened. In a system transaction. */
export async function expireSending(trx: Trx, now: Date): Promise<void> {
  const at = now.toISOString();
  await sql`update price_submissions set state = 'unknown', not_before = ${at}::timestamptz, lease_until = null
    where state = 'sending' and lease_until < ${at}::timestamptz`.execute(trx);
}

/** Submissions that are due, the longest waiting first. `sending`: those to send, else those to look after. In a system transaction. */
export async function dueSubmissions(
  trx: Trx,
  kind: 'to send' | 'to read',
  now: Date,
  limit: number,
): Promise<Submission[]> {
  const states = kind === 'to send' ? sql`state = 'new'` : sql`state in ('accepted', 'unknown')`;
  // So many of each account: one that may send no more at the moment must not stand in the way of the others.
  const { rows } = await sql<Submission>`select ${columns} from (
      select *, row_number() over (partition by company, account order by coalesce(not_before, created_at)) as place
      from price_submissions where ${states} and (not_before is null or not_before <= ${now.toISOString()}::timestamptz)) due
    where place <= ${limit} order by place limit 1000`.execute(trx);
  return rows;
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
    const ids = (rows: readonly { id: string }[]) =>
      sql`(select value from json_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::json))`;
    const { rows: locked } = await sql<Submission>`select ${columns} from price_submissions
      where company = ${company} and state = 'new' and id in ${ids(due)} order by id for update`.execute(trx);
    const allowed = await sortOut(trx, company, locked, now);
    const { rows: behind } = await sql<{ id: string }>`select s.id from price_submissions s
      where s.company = ${company} and s.id in ${ids(allowed)} and exists (select 1 from price_submissions o
        where o.company = s.company and o.master = s.master and o.marketplace = s.marketplace and o.item = s.item
          and o.state in ('sending', 'accepted', 'unknown'))`.execute(trx);
    await sql`update price_submissions set not_before = ${new Date(now.getTime() + SUBMIT.firstLook).toISOString()}::timestamptz
      where company = ${company} and id in ${ids(behind)}`.execute(trx);
    const waiting = new Set(behind.map(({ id }) => id));
    const free = allowed.filter(({ id }) => !waiting.has(id));
    const { rows: begun } =
      await sql<Submission>`update price_submissions set state = 'sending', sends = sends + 1, fence = fence + 1,
        sent_at = ${now.toISOString()}::timestamptz, lease_until = ${new Date(now.getTime() + SUBMIT.leaseMs).toISOString()}::timestamptz
      where company = ${company} and state = 'new' and id in ${ids(free)} returning ${columns}`.execute(trx);
    return begun;
  });
}

/** Those that may go now; the others are held, each with its reason. What concerns a whole catalogue is asked once for all its rows. */
async function sortOut(trx: Trx, company: string, rows: readonly Submission[], now: Date): Promise<Submission[]> {
  const allowed: Submission[] = [];
  for (const [master, ofMaster] of Map.groupBy(rows, (row) => row.master)) {
    const place = { company, masterid: master };
    const version = await versionNow(trx, place);
    const stopped = await whyNone(trx, place);
    for (const row of ofMaster) {
      const { marketplace, item, price_cents: price, min_cents: min, max_cents: max } = row;
      const moved = version !== row.limits_version;
      const reason = moved ? 'LIMITS_CHANGED' : mayLeave({ price, min, max }) ? stopped : 'OUT_OF_BOUNDS';
      if (reason === undefined) allowed.push(row);
      else await settle(trx, row, { state: 'held', held: reason }, now);
      if (moved) await enqueue(trx, place, { cause: 'limits', now, item: { marketplace, item } });
    }
  }
  return allowed;
}

/** Why no price of a catalogue may go out at the moment. */
async function whyNone(trx: Trx, place: { company: string; masterid: string }): Promise<string | undefined> {
  const switches = await loadSwitches(trx, place.company, place.masterid);
  if (switches.stopped || switches.company_stopped || switches.system_stopped) return 'STOPPED';
  if (!switches.active) return 'ADDON_OFF';
  if (switches.dry_run) return 'DRY_RUN';
  return (await openBreakers(trx, place)).length > 0 ? 'BREAKER' : undefined;
}

/** Writes what became of a submission, if nobody else did so meanwhile (its fence and state are still the same). */
export async function settle(trx: Trx, row: Submission, next: Next, now: Date): Promise<void> {
  const at = now.toISOString();
  const { company, id, master, marketplace, item } = row;
  const outdated = next.state === 'new' && (await somethingNewerWaits(trx, row));
  const state = outdated ? 'held' : next.state;
  const held = outdated ? 'SUPERSEDED' : (next.held ?? '');
  const ended = state === 'live' || state === 'invalid' || state === 'held';
  const changed = await sql`update price_submissions set state = ${state}, held = ${held}, lease_until = null,
      not_before = ${next.notBefore?.toISOString() ?? null}::timestamptz, message = coalesce(${next.message ?? null}, message),
      issues = coalesce(${next.issues === undefined ? null : JSON.stringify(next.issues)}, issues),
      reference = coalesce(${next.reference ?? null}, reference), sends = sends - ${next.notSent === true ? 1 : 0}::int,
      sent_at = case when ${next.notSent === true} and sends <= 1 then null else sent_at end,
      accepted_at = case when ${state} = 'accepted' then coalesce(accepted_at, ${at}::timestamptz) else accepted_at end,
      ended_at = case when ${ended} then ${at}::timestamptz end
    where company = ${company} and id = ${id} and fence = ${row.fence} and state = ${row.state}`.execute(trx);
  if (changed.numAffectedRows === 0n) return;
  if (state === 'accepted' || state === 'live') {
    const live = state === 'live' ? sql`, live_cents = ${row.price_cents}, live_at = ${at}::timestamptz` : sql``;
    await sql`update listings set price_cents = ${row.price_cents}, price_at = ${at}::timestamptz ${live}
      where company = ${company} and master = ${master} and marketplace = ${marketplace} and item = ${item}`.execute(
      trx,
    );
  }
  if (state !== row.state) await count(trx, { company, masterid: master, marketplace, now }, [`sent:${state}`]);
}

async function somethingNewerWaits(trx: Trx, { company, id, master, marketplace, item }: Submission): Promise<boolean> {
  const { rows } = await sql`select 1 from price_submissions where company = ${company} and master = ${master}
    and marketplace = ${marketplace} and item = ${item} and state = 'new' and id <> ${id}`.execute(trx);
  return rows.length > 0;
}
