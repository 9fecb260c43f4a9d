import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/**
 * Calls that write into the security log: all come to their end only when all have begun. The embedded database does one after the other
 * anyway.
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
