import type { Trx } from '#platform/db/database.ts';

/** What open jobs there are: whether one runs, in any process, and in how many seconds the next one that waits for its time may start. */
export function nextJob(trx: Trx): Promise<{ running: boolean | null; seconds: number | null } | undefined> {
  return trx
    .selectFrom('jobs')
    .select((eb) => {
      const now = eb.fn<Date>('now');
      const next = eb.fn.min('not_before').filterWhere('not_before', '>', now);
      return [
        eb.fn.agg<boolean | null>('bool_or', [eb('state', '=', 'running')]).as('running'),
        eb.fn<number | null>('date_part', [eb.val('epoch'), eb(next, '-', now)]).as('seconds'),
      ];
    })
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
}
