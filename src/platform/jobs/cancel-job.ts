import type { Database, Trx } from '#platform/db/database.ts';
import type { Job, JobEnd, JobState } from './job.ts';

/** Cancels a job: a queued one ends at once and is returned, a running one ends when its worker notices. */
export async function cancelJob(trx: Trx, company: string, id: string): Promise<Job | undefined> {
  const updated = await trx
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
    .returningAll()
    .executeTakeFirst();
  return updated?.state === 'cancelled' ? updated : undefined;
}

/**
 * Cancels a job in its own transaction, together with everything that happens at a job's end, and logs who cancelled it. With a
 * note it runs as a system transaction, as the operator's log belongs to another company.
 */
export async function cancelNoted(
  database: Database,
  { company, id }: { company: string; id: string },
  onEnd: (trx: Trx, job: Job, end: JobEnd) => Promise<void>,
  note?: (trx: Trx) => Promise<void>,
): Promise<void> {
  const work = async (trx: Trx) => {
    const ended = await cancelJob(trx, company, id);
    if (ended) await onEnd(trx, ended, { state: 'cancelled' });
    await note?.(trx);
  };
  await (note === undefined ? database.company(company, work) : database.system(work));
}

/**
 * Returns how an attempt ends, in the transaction that writes it. A job that would be retried ends as cancelled if it was
 * cancelled meanwhile: its worker may not have noticed yet.
 */
export async function cancelledOr(
  trx: Trx,
  { company, id }: Pick<Job, 'company' | 'id'>,
  end: JobEnd | 'hand-back',
): Promise<JobEnd | 'hand-back'> {
  if (end === 'hand-back' || end.state !== 'again') return end;
  const row = await trx
    .selectFrom('jobs')
    .select('cancel')
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .executeTakeFirst();
  return row?.cancel === true ? { state: 'cancelled' } : end;
}
