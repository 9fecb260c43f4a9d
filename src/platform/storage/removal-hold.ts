import type { Database } from '#platform/db/database.ts';
import { Lease } from '#platform/db/lease.ts';
import { pg } from '#platform/db/pg.ts';

/** Each who holds has a lease of its own, so that one does not end another's. */
const NAME = 'removals-held/';
/** After a killed one objects go again by then. */
const HELD_SECONDS = 300;
const RENEW_MS = 60_000;

/**
 * While `work` copies objects, none is removed because its row went: it is left for the night after. Whoever removes asks behind the commit
 * that removed the row; so what the rows of a later moment name is there. `id`: of this one.
 */
export async function whileRemovalsRest<T>(database: Database, id: string, work: () => Promise<T>): Promise<T> {
  // Those of killed ones.
  await database.kysely
    .deleteFrom('leases')
    .where(pg<boolean>`starts_with(name, ${NAME})`)
    .where('until', '<', pg<Date>`now()`)
    .execute();
  const lease = new Lease(database, { name: NAME + id, holder: id, seconds: HELD_SECONDS });
  await lease.take();
  // Where it cannot be renewed objects go, and whoever copies them finds that out.
  const renewing = setInterval(() => void lease.take().catch(() => {}), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await lease.release();
  }
}

/** Whether objects are to stay right now. */
export async function removalsRest(database: Database): Promise<boolean> {
  const held = await database.kysely
    .selectFrom('leases')
    .select('name')
    .where(pg<boolean>`starts_with(name, ${NAME})`)
    .where('until', '>', pg<Date>`now()`)
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}
