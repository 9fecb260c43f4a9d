import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { addJob, defineJob } from '#platform/jobs/job-definition.ts';
import type { Account } from './accounts.ts';

/** Subject under which an account's update jobs are found. */
export const accountSubject = (id: string): string => `account:${id}`;
/** `since`: when the update was requested, by the program's clock; prices and offers newer than that count as updated by it. */
export const updateJob = defineJob({
  kind: 'prices',
  payload: z.object({ owner: z.string(), by: z.string(), since: z.iso.datetime() }),
  pool: 'prices',
});

/**
 * LIV-04 for an account: creates a job that requests its offers and decides its prices anew, and returns the job's id. If one is
 * already waiting or running, its id is returned. @throws 409 for an account that is switched off
 */
export async function orderUpdate(
  trx: Trx,
  { ids, clock }: { ids: Ids; clock: Clock },
  { company, id, name, active }: Account,
  by: string,
): Promise<string> {
  if (!active)
    throw new KontorError(
      409,
      'account_off',
      `Das Verkäuferkonto „${name}“ ist pausiert; es fragt nichts ab und sendet nichts. Sie schalten es unter Einstellungen, Kanäle ein.`,
    );
  const subject = accountSubject(id);
  const waiting = await trx
    .selectFrom('jobs')
    .select('id')
    .where((eb) => eb.and({ company, subject, kind: updateJob.kind }))
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst();
  if (waiting !== undefined) return waiting.id;
  const runid = ids.id();
  const payload = { owner: id, by, since: clock.now().toISOString() };
  await addJob(trx, updateJob, { company, id: runid, subject, payload });
  return runid;
}
