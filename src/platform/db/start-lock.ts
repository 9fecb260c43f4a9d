import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#platform/telemetry/log.ts';
import type { Database } from './database.ts';
import { pg } from './pg.ts';

/** Any number of our own: no other lock of this program has it. */
const START_LOCK = 5_668_612_021;
/** How often who waits asks again, and after how many times it says so. */
const ASK_MS = 100;
const SAY_AFTER = 50;

/**
 * What a first start does must happen once, however many processes start at the same moment on one server: `work` runs in one of them at
 * a time, and the others find it done. Embedded, the folder's lock (folder-lock.ts) keeps every other process out.
 *
 * A transaction holds the lock and ends with its connection, so nobody has to clear up after a process that was killed, and a pooler
 * between us and the server may share its connections out by transaction. Whoever waits holds none: `work` may need the last.
 */
export async function oneStartAtATime<T>(database: Database, log: Log, work: () => Promise<T>): Promise<T> {
  if (database.embedded) return work();
  for (let attempt = 1; ; attempt++) {
    const turn = await database.kysely.transaction().execute(async (trx) => {
      // Functions with typed answers; the builder would need three calls. A server may end transactions that rest, and this one does.
      const { rows } = await pg<{ mine: boolean }>`select pg_try_advisory_xact_lock(${START_LOCK}) as mine,
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
      return rows[0]?.mine === true ? { done: await work() } : undefined;
    });
    if (turn !== undefined) return turn.done;
    if (attempt === SAY_AFTER) log.info('another process is starting on this database; waiting for it');
    await wait(ASK_MS);
  }
}
