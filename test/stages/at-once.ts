import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/**
 * Runs calls that write to the security log concurrently: none ends before all have begun. The embedded database runs them one
 * after the other anyway.
 */
export async function atOnce<T>(database: Database, ...all: (() => Promise<T>)[]): Promise<T[]> {
  const begin = () => all.map((one) => one());
  if (database.embedded) return Promise.all(begin());
  const { begun } = await database.kysely.transaction().execute(async (trx) => {
    await pg`lock table security_events in exclusive mode`.execute(trx);
    const started = begin();
    await wait(500);
    return { begun: started };
  });
  return Promise.all(begun);
}
