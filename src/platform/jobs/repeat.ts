import type { Trx } from '#platform/db/database.ts';
import type { Job } from './job.ts';

/**
 * How a kind of job that has failed is done once more because somebody asks for it. Only kinds that may be done twice have one: they
 * compute anew from what is stored, or deliver what the receiver knows by its id.
 */
export type Repeat = {
  readonly isPossible: (job: Pick<Job, 'kind' | 'state' | 'payload'>) => boolean;
  /** Orders it, unless one waits that does the same; gives the id of the job that does it. `by`: as its history names him. */
  readonly again: (trx: Trx, job: Job, by: string) => Promise<string>;
};
/** By kind of job. */
export type Repeats = ReadonlyMap<string, Repeat>;

/** Keeps with the failed job who had it done once more. */
export async function noteRetried(
  trx: Trx,
  { company, id }: Pick<Job, 'company' | 'id'>,
  retried: { by: string; as: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ retried_at: retried.at, retried_by: retried.by, retried_as: retried.as })
    .where((eb) => eb.and({ company, id }))
    .execute();
}
