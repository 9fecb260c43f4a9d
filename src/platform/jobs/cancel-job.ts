import type { Trx } from '#platform/db/database.ts';
import type { JobState } from './job.ts';

/** Asks for the end of a job: a queued one ends at once, a running one when its worker notices. */
export async function cancelJob(trx: Trx, company: string, id: string): Promise<void> {
  await trx
    .updateTable('jobs')
    .set((eb) => {
      const queued = eb.case().when('state', '=', 'queued');
      return {
        cancel: true,
        state: queued.then<JobState>('cancelled').else(eb.ref('state')).end(),
        finished_at: queued.then(eb.fn<Date>('now')).else(eb.ref('finished_at')).end(),
      };
    })
    .where((eb) => eb.and({ company, id }))
    .where('state', 'in', ['queued', 'running'])
    .execute();
}
