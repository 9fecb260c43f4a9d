import { anyOf, pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';

/**
 * An item whose price is to be decided again. `fence`: rises with every new cause, so that one that arrives during the decision
 * is not lost.
 */
export type Due = Row<'reprice_queue', 'company' | 'master' | 'marketplace' | 'item' | 'cause' | 'fence'>;

const leaseMs = 60_000;

/**
 * Takes due items of any company, the longest waiting first, but none of the masters in `except`, and leases them for a minute.
 * Runs in a system transaction.
 */
export async function takeDue(
  trx: Trx,
  now: Date,
  limit: number,
  except: readonly { company: string; masterid: string }[] = [],
): Promise<Due[]> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const others =
    except.length === 0
      ? pg``
      : pg`and (company, master) not in (select * from unnest(${except.map(({ company }) => company)}::text[],
          ${except.map(({ masterid }) => masterid)}::text[]))`;
  // By `ctid`, which the builder does not know. An array is computed once: a joined subquery may run again for every row, and
  // takes `limit` more each time.
  const { rows } = await pg<Due>`update reprice_queue q set lease_until = ${until}::timestamptz
    where q.ctid = any(array(select ctid from reprice_queue
      where due_at <= ${at}::timestamptz and (lease_until is null or lease_until < ${at}::timestamptz) ${others}
      order by due_at limit ${limit} for update skip locked))
    returning q.company, q.master, q.marketplace, q.item, q.cause, q.fence`.execute(trx);
  return rows;
}

/**
 * Removes items of one marketplace from the queue, except those queued again meanwhile; those in `again` become due at that time.
 */
export async function finishDue(trx: Trx, due: readonly Due[], again: ReadonlyMap<string, Date>): Promise<void> {
  const [first] = due;
  if (first === undefined) return;
  const later = due.flatMap(({ item, fence }) => {
    const at = again.get(item);
    return at === undefined ? [] : [{ item, fence, at: at.toISOString() }];
  });
  const done = due.filter(({ item }) => !again.has(item));
  const ofPlace = pg`q.company = ${first.company} and q.master = ${first.master} and q.marketplace = ${first.marketplace}`;
  await lockInOrder(trx, first, due);
  if (later.length > 0) {
    await pg`update reprice_queue q set due_at = r.at, lease_until = null, cause = 'again'
      from json_to_recordset(${JSON.stringify(later)}::json) as r(item text, fence int, at timestamptz)
      where ${ofPlace} and q.item = any(${later.map(({ item }) => item)}::text[]) and q.item = r.item and q.fence = r.fence`.execute(
      trx,
    );
  }
  await pg`delete from reprice_queue q where ${ofPlace} and q.item = any(${done.map(({ item }) => item)}::text[])
    and q.fence || ':' || q.item = any(${done.map(({ item, fence }) => `${fence}:${item}`)}::text[])`.execute(trx);
}

/** Locks rows in the order of their key, as every writer of several rows must, to avoid deadlocks. */
async function lockInOrder(trx: Trx, { company, master, marketplace }: Due, due: readonly Due[]): Promise<void> {
  await trx
    .selectFrom('reprice_queue')
    .select('item')
    .where((eb) => eb.and({ company, master, marketplace }))
    .where('item', '=', anyOf(due.map(({ item }) => item)))
    .orderBy('item')
    .forUpdate()
    .execute();
}

/** Returns items of one marketplace to the queue by ending their lease. */
export async function giveBack(trx: Trx, due: readonly Due[]): Promise<void> {
  const [first] = due;
  if (first === undefined) return;
  await lockInOrder(trx, first, due);
  await pg`update reprice_queue q set lease_until = null
    where q.company = ${first.company} and q.master = ${first.master} and q.marketplace = ${first.marketplace}
      and q.item = any(${due.map(({ item }) => item)}::text[])
      and q.fence || ':' || q.item = any(${due.map(({ item, fence }) => `${fence}:${item}`)}::text[])`.execute(trx);
}

/** Queues one item, or all items of a master. */
export async function enqueue(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  what: { cause: string; now: Date; item?: { marketplace: string; item: string } },
): Promise<void> {
  const at = what.now.toISOString();
  const only =
    what.item === undefined ? pg`` : pg`and marketplace = ${what.item.marketplace} and item = ${what.item.item}`;
  await pg`insert into reprice_queue (company, master, marketplace, item, since, due_at, cause)
    select company, master, marketplace, item, ${at}::timestamptz, ${at}::timestamptz, ${what.cause} from listings
    where company = ${company} and master = ${masterid} ${only} order by master, marketplace, item
    on conflict (company, master, marketplace, item) do update set due_at = least(reprice_queue.due_at, excluded.due_at),
      cause = excluded.cause, fence = reprice_queue.fence + 1, lease_until = null`.execute(trx);
}

/** Queues these items; `at` as ISO text. */
export async function enqueueItems(
  trx: Trx,
  company: string,
  items: readonly { master: string; marketplace: string; item: string; cause: string }[],
  at: string,
): Promise<void> {
  if (items.length === 0) return;
  const column = (of: (one: (typeof items)[number]) => string) => items.map(of);
  await pg`insert into reprice_queue (company, master, marketplace, item, since, due_at, cause)
    select ${company}, r.master, r.marketplace, r.item, ${at}::timestamptz, ${at}::timestamptz, r.cause
    from unnest(${column(({ master }) => master)}::text[], ${column(({ marketplace }) => marketplace)}::text[],
      ${column(({ item }) => item)}::text[], ${column(({ cause }) => cause)}::text[]) as r(master, marketplace, item, cause)
    order by r.master, r.marketplace, r.item
    on conflict (company, master, marketplace, item) do update set due_at = least(reprice_queue.due_at, excluded.due_at),
      cause = excluded.cause, fence = reprice_queue.fence + 1, lease_until = null`.execute(trx);
}

/** Queues every item that a company sells. */
export async function enqueueAll(trx: Trx, company: string, now: Date): Promise<void> {
  const rows = await trx
    .selectFrom('marketplace_accounts')
    .select('master')
    .distinct()
    .where('company', '=', company)
    .execute();
  for (const { master } of rows) await enqueue(trx, { company, masterid: master }, { cause: 'switch', now });
}
