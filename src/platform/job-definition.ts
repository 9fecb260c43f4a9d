import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** Adds a job inside the caller's transaction: either both become visible or neither. */
export async function addJob(
  trx: Trx,
  job: { company: string; id: string; kind: string; subject: string; payload: unknown },
): Promise<void> {
  await pg`insert into jobs (company, id, kind, subject, state, payload)
    values (${job.company}, ${job.id}, ${job.kind}, ${job.subject}, 'queued', ${JSON.stringify(job.payload)})`.execute(
    trx,
  );
}
