import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#platform/telemetry/log.ts';
import type { Database } from './database.ts';
import { pg } from './pg.ts';

/** An arbitrary number that no other advisory lock of this program uses. */
const START_LOCK = 5_668_612_021;
/** Interval in ms between attempts to take the lock, and the number of attempts after which the wait is logged. */
const ASK_MS = 100;
const SAY_AFTER = 50;

/**
 * Makes the work of a first start happen once, however many processes start on one server at the same moment: `work` runs in one
 * process at a time, and the others then find it done. For the embedded database the folder's lock (folder-lock.ts) keeps every
 * other process out.
 *
 * A transaction holds the lock and ends with its connection, so a killed process leaves nothing to clear up, and a pooler may
 * share connections by transaction. A waiting process holds no connection: `work` may need the last one.
 */
export async function oneStartAtATime<T>(database: Database, log: Log, work: () => Promise<T>): Promise<T> {
  if (database.embedded) return work();
  for (let attempt = 1; ; attempt++) {
    const locked = await database.kysely.transaction().execute(async (trx) => {
      // Functions with typed results; the builder would need three calls. A server may end idle transactions like this one.
      const { rows } = await pg<{ mine: boolean }>`select pg_try_advisory_xact_lock(${START_LOCK}) as mine,
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
      return rows[0]?.mine === true ? { done: await work() } : undefined;
    });
    if (locked !== undefined) return locked.done;
    if (attempt === SAY_AFTER) log.info('another process is starting on this database; waiting for it');
    await wait(ASK_MS);
  }
}
