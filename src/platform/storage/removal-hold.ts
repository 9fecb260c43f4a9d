import type { Database } from '#platform/db/database.ts';
import { Lease } from '#platform/db/lease.ts';
import { pg } from '#platform/db/pg.ts';

/** Each holder has its own lease, so that one does not end another's. */
const NAME = 'removals-held/';
/** Lease time in seconds: after the holder was killed, objects are removed again by then. */
const HELD_SECONDS = 300;
const RENEW_MS = 60_000;

/**
 * Runs `work`, which copies objects; meanwhile, objects whose rows were deleted stay until the next night. Code that removes
 * objects checks this after it has committed the deletion of their rows, so every object in rows read later still exists. `id`:
 * identifies this holder.
 */
export async function withRemovalsHeld<T>(database: Database, id: string, work: () => Promise<T>): Promise<T> {
  // Expired leases of killed holders.
  await database.kysely
    .deleteFrom('leases')
    .where(pg<boolean>`starts_with(name, ${NAME})`)
    .where('until', '<', pg<Date>`now()`)
    .execute();
  const lease = new Lease(database, { name: NAME + id, holder: id, seconds: HELD_SECONDS });
  await lease.take();
  // If the lease cannot be renewed, objects are removed, and the copying code notices that they are missing.
  const renewing = setInterval(() => void lease.take().catch(() => {}), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await lease.release();
  }
}

/** Whether objects must be kept at the moment. */
export async function removalsHeld(database: Database): Promise<boolean> {
  const held = await database.kysely
    .selectFrom('leases')
    .select('name')
    .where(pg<boolean>`starts_with(name, ${NAME})`)
    .where('until', '>', pg<Date>`now()`)
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}
