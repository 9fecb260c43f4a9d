import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/**
 * Ends the open jobs of these subjects (undefined: all of the company) within the caller's transaction, whatever their workers
 * are doing: the raised fence keeps them from writing an end. Returns their ids, so that the caller can notify the workers of
 * this process.
 */
export async function revokeJobs(
  trx: Trx,
  company: string,
  subjects: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await trx
    .updateTable('jobs')
    .set((eb) => ({
      state: 'cancelled',
      cancel: true,
      fence: eb('fence', '+', 1),
      lease_until: null,
      worker: null,
      finished_at: eb.fn<Date>('now'),
    }))
    .where('company', '=', company)
    .where('state', 'in', ['queued', 'running'])
    .where((eb) => (subjects === undefined ? eb.lit(true) : eb('subject', '=', anyOf(subjects))))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
