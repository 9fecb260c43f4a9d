import { loadExport } from '#items/exports.ts';
import { loadMaster } from '#items/masters.ts';
import { neededSnapshot } from '#items/snapshots.ts';
import type { Trx } from '#platform/db.ts';
import { addJob } from '#platform/jobs.ts';
import { exportSubject } from './runs.ts';

/** Orders a run of an export inside the caller's transaction. @throws 404 for an unknown one, 409 before the first import */
export async function orderExport(trx: Trx, { company, id, runid }: { company: string; id: string; runid: string }) {
  const { masterid } = await loadExport(trx, company, id);
  await loadMaster(trx, company, masterid);
  await neededSnapshot(trx, company, masterid);
  await addJob(trx, { company, id: runid, kind: 'export', subject: exportSubject(id), payload: { owner: id } });
}
