import type { Trx } from '#platform/db/database.ts';

/** Returns whether a job runs, in any process, and the seconds until the next delayed job may start (null: there is none). */
export function nextJob(trx: Trx): Promise<{ running: unknown; seconds: number | null } | undefined> {
  return trx
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('jobs').select('id').where('state', '=', 'running')).as('running'),
      eb
        .selectFrom('jobs')
        .select((job) =>
          job
            .fn<number | null>('date_part', [job.val('epoch'), job(job.fn.min('not_before'), '-', job.fn<Date>('now'))])
            .as('seconds'),
        )
        .where('state', '=', 'queued')
        .where('not_before', '>', (job) => job.fn<Date>('now'))
        .as('seconds'),
    ])
    .executeTakeFirst();
}
