import type { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { addJob, type JobDefinition, type NewJob } from './job-definition.ts';

type Order<P extends z.ZodType> = NewJob<z.input<P>> & {
  /** Whether an existing job does the same as this one; `jobid` is the id for which its secrets are encrypted. */
  isSame: (payload: z.output<P>, jobid: string) => boolean;
  /** Whether a running job counts, too; otherwise only one that has not begun, as it will read everything saved so far. */
  running?: boolean;
};

/**
 * Adds a job unless a waiting one does the same, and returns the id of the job that does it. Concurrent calls get the same job:
 * the second waits for the first.
 */
export async function orderOnce<P extends z.ZodType>(
  trx: Trx,
  definition: JobDefinition<P>,
  { isSame, running = false, ...job }: Order<P>,
): Promise<string> {
  const { company, subject } = job;
  await lockSubject(trx, definition, job);
  const rows = await trx
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where((eb) => eb.and({ company, kind: definition.kind, subject, cancel: false }))
    .where((eb) => {
      const isWaiting = eb('state', '=', 'queued').and('not_before', 'is', null);
      return running ? eb.or([isWaiting, eb('state', '=', 'running')]) : isWaiting;
    })
    .orderBy('created_at')
    .execute();
  const same = rows.find((row) => {
    const known = definition.payload.safeParse(JSON.parse(row.payload));
    return known.success && isSame(known.data, row.id);
  });
  if (same !== undefined) return same.id;
  await addJob(trx, definition, job);
  return job.id;
}

/** Makes orders of a company's jobs of one kind and subject wait for each other until their transactions end. */
export async function lockSubject(
  trx: Trx,
  { kind }: Pick<JobDefinition<z.ZodType>, 'kind'>,
  { company, subject }: { company: string; subject: string },
): Promise<void> {
  await pg`select pg_advisory_xact_lock(hashtextextended(${`${company} ${kind} ${subject}`}, 0))`.execute(trx);
}
