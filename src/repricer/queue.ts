import { sql } from 'kysely';
import type { Trx } from '#platform/db.ts';

/** An item whose price is to be decided again. `fence`: rises with every new cause, so that one that came meanwhile is not lost. */
export type Due = { company: string; master: string; marketplace: string; item: string; cause: string; fence: number };

const leaseMs = 60_000;

/** Takes due items of any company, the longest waiting first; nobody else gets them for a minute. In a system transaction. */
export async function takeDue(trx: Trx, now: Date, limit: number): Promise<Due[]> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const { rows } = await sql<Due>`update reprice_queue q set lease_until = ${until}::timestamptz
    from (select company, master, marketplace, item from reprice_queue
      where due_at <= ${at}::timestamptz and (lease_until is null or lease_until < ${at}::timestamptz)
      order by due_at limit ${limit} for update skip locked) d
    where q.company = d.company and q.master = d.master and q.marketplace = d.marketplace and q.item = d.item
    returning q.company, q.master, q.marketplace, q.item, q.cause, q.fence`.execute(trx);
  return rows;
}

/** Takes the items off the queue, but for those that were asked for anew meanwhile; `again`: those are due once more later. */
export async function finishDue(trx: Trx, due: readonly Due[], again: ReadonlyMap<string, Date>): Promise<void> {
  if (due.length === 0) return;
  const at = due.map(({ marketplace, item }) => again.get(`${marketplace}\n${item}`)?.toISOString() ?? null);
  const given = sql`unnest(${due.map(({ company }) => company)}::text[], ${due.map(({ master }) => master)}::text[],
    ${due.map(({ marketplace }) => marketplace)}::text[], ${due.map(({ item }) => item)}::text[], ${due.map(({ fence }) => fence)}::int[],
    ${at}::text[]) as r(company, master, marketplace, item, fence, again)`;
  const same = sql`q.company = r.company and q.master = r.master and q.marketplace = r.marketplace and q.item = r.item and q.fence = r.fence`;
  if (at.some((one) => one !== null)) {
    await sql`update reprice_queue q set due_at = r.again::timestamptz, lease_until = null, cause = 'again' from ${given}
      where ${same} and r.again is not null`.execute(trx);
  }
  await sql`delete from reprice_queue q using ${given} where ${same} and r.again is null`.execute(trx);
}

/** Puts items into the queue; without items all of a master. */
export async function enqueue(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  what: { cause: string; now: Date; item?: { marketplace: string; item: string } },
): Promise<void> {
  const at = what.now.toISOString();
  const only =
    what.item === undefined ? sql`` : sql`and marketplace = ${what.item.marketplace} and item = ${what.item.item}`;
  await sql`insert into reprice_queue (company, master, marketplace, item, since, due_at, cause)
    select company, master, marketplace, item, ${at}::timestamptz, ${at}::timestamptz, ${what.cause} from listings
    where company = ${company} and master = ${masterid} ${only}
    on conflict (company, master, marketplace, item) do update set due_at = least(reprice_queue.due_at, excluded.due_at),
      cause = excluded.cause, fence = reprice_queue.fence + 1, lease_until = null`.execute(trx);
}
