import { loadMaster } from '#catalogue/masters.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Who } from '#platform/http/server.ts';

export type Place = { company: string; masterid: string };

/** One transaction of the company on a master that it has; 404 on any other. */
export function onMaster<T>(
  database: Database,
  who: Who,
  masterid: string,
  work: (trx: Trx, place: Place) => Promise<T>,
): Promise<T> {
  return database.company(who.company, async (trx) => {
    await loadMaster(trx, who.company, masterid);
    return work(trx, { company: who.company, masterid });
  });
}
