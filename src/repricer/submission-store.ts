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
    const begun: Submission[] = [];
    for (const submission of due) {
      const row = await beginOne(trx, submission, now);
      if (row !== undefined) begun.push(row);
    }
    return begun;
  });
}

async function beginOne(trx: Trx, due: Submission, now: Date): Promise<Submission | undefined> {
  const { company, id, master, marketplace, item } = due;
  const { rows } = await sql<Submission>`select ${columns} from price_submissions
    where company = ${company} and id = ${id} and state = 'new' for update`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const reason = await whyNot(trx, row);
  if (reason !== undefined) {
    await settle(trx, row, { state: 'held', held: reason }, now);
    if (reason === 'LIMITS_CHANGED')
      await enqueue(trx, { company, masterid: master }, { cause: 'limits', now, item: { marketplace, item } });
    return undefined;
  }
  const { rows: other } = await sql`select 1 from price_submissions where company = ${company} and master = ${master}
    and marketplace = ${marketplace} and item = ${item} and state in ('sending', 'accepted', 'unknown')`.execute(trx);
  if (other.length > 0) {
    await sql`update price_submissions set not_before = ${new Date(now.getTime() + SUBMIT.firstLook).toISOString()}::timestamptz
      where company = ${company} and id = ${id}`.execute(trx);
    return undefined;
  }
  const { rows: begun } =
    await sql<Submission>`update price_submissions set state = 'sending', sends = sends + 1, fence = fence + 1,
      sent_at = ${now.toISOString()}::timestamptz, lease_until = ${new Date(now.getTime() + SUBMIT.leaseMs).toISOString()}::timestamptz
    where company = ${company} and id = ${id} and state = 'new' returning ${columns}`.execute(trx);
  return begun[0];
}

async function whyNot(trx: Trx, row: Submission): Promise<string | undefined> {
  const place = { company: row.company, masterid: row.master };
  if ((await versionNow(trx, place)) !== row.limits_version) return 'LIMITS_CHANGED';
  if (!mayLeave({ price: row.price_cents, min: row.min_cents, max: row.max_cents })) return 'OUT_OF_BOUNDS';
  const switches = await loadSwitches(trx, row.company, row.master);
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
