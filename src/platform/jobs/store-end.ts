import type { Trx } from '#platform/db/database.ts';
import { secondsFromNow } from '#platform/db/pg.ts';
import type { Job, JobEnd } from './job.ts';

/**
 * Writes the end of a job, or that it goes back to the queue, to its row. Returns false if the caller's lease of the job is lost:
 * then nothing is written.
 */
export async function storeEnd(
  trx: Trx,
  { company, id, fence }: Pick<Job, 'company' | 'id' | 'fence'>,
  end: JobEnd | 'hand-back',
  progress: string | undefined,
): Promise<boolean> {
  const handsBack = end === 'hand-back';
  const again = !handsBack && end.state === 'again';
  const written = await trx
    .updateTable('jobs')
    .set((eb) => ({
      state: handsBack || end.state === 'again' ? 'queued' : end.state,
      lease_until: null,
      worker: null,
      attempts: again ? 0 : handsBack ? eb('attempts', '-', 1) : undefined,
      not_before: again ? secondsFromNow(end.seconds ?? 60) : null,
      result: handsBack ? undefined : JSON.stringify(end.result ?? {}),
      message: handsBack ? null : (end.message ?? null),
      finished_at: handsBack || again ? null : eb.fn<Date>('now'),
      progress,
    }))
    .where((eb) => eb.and({ company, id, fence, state: 'running' }))
    .executeTakeFirst();
  return written.numUpdatedRows === 1n;
}
