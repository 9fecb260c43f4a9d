import type { Trx } from '#platform/db/database.ts';
import type { Job } from './job.ts';

/**
 * How a failed job of a kind is repeated at a user's request. Only kinds that may run twice have one: they compute anew from
 * stored data, or deliver something that the receiver recognises by its id.
 */
export type Repeat = {
  readonly isPossible: (job: Pick<Job, 'kind' | 'state' | 'payload'>) => boolean;
  /** Orders the job again unless a waiting one does the same; returns that job's id. `by`: the user's name for the history. */
  readonly again: (trx: Trx, job: Job, by: string) => Promise<string>;
};
/** Repeats by kind of job. */
export type Repeats = ReadonlyMap<string, Repeat>;

/** Stores with the failed job who repeated it. */
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
