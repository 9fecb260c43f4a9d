import { loadMaster } from '#catalogue/masters.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';

export type Place = { company: string; masterid: string };

/** Runs `work` in one transaction on a master of the company. @throws 404 for any other */
export function forMaster<T>(
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
