import { loadMaster } from '#catalogue/masters.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';

export type Place = { company: string; masterid: string };

/** One transaction of the company on a master that it has; 404 on any other. */
export function onMaster<T>(
  database: Database,
  principal: Principal,
  masterid: string,
  work: (trx: Trx, ref: Place) => Promise<T>,
): Promise<T> {
  return database.company(principal.company, async (trx) => {
    await loadMaster(trx, principal.company, masterid);
    return work(trx, { company: principal.company, masterid });
  });
}
