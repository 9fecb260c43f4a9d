import { z } from 'zod';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import { findAccount } from '#marketplaces/accounts/accounts.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job, JobEnd } from '#platform/jobs/job.ts';
import { runKinds } from '#shared/runs/words.ts';
import { notificationEvents, type NotificationEvent } from '#shared/live/schema.ts';
import { deliveryEnded } from './delivery-jobs.ts';
import { addNotification, settle, settleUnread } from './notifications.ts';

const Payload = z.object({ owner: z.string(), scheduled: z.boolean().default(false) });
const Result = z.object({ deviation: z.array(z.string()) }).partial();
const kindWords: Readonly<Record<string, string>> = runKinds;

/** Notifies of the end of a job, in the same transaction: no run may fail silently. */
export async function notifyOfJob(trx: Trx, job: Job, end: JobEnd): Promise<void> {
  await deliveryEnded(trx, job, end);
  const result = Result.safeParse(end.result ?? {}).data ?? {};
  const event = eventOf(end, result);
  const { owner, scheduled } = Payload.partial().safeParse(JSON.parse(job.payload)).data ?? {};
  if (event === undefined || owner === undefined) return;
  if (scheduled === true && (await sameAsBefore(trx, job, end.state))) return;
  const place = await placeIfThere(trx, job, owner);
  if (place === undefined) return;
  const { name, path } = place;
  await addNotification(trx, job.company, {
    id: event === 'retry' ? `${job.id}-retry` : `${job.id}-${event}`,
    event,
    title: `${notificationEvents[event].title}: ${kindWords[job.kind] ?? 'Lauf'} „${name}“`,
    text: event === 'deviation' ? (result.deviation ?? []).join(' ') : (end.message ?? ''),
    path,
  });
}

/**
 * A user has decided on a held run: its notification, which speaks of a state that waits, is read and says how. A release also
 * ends the wait of the held runs before it, whose notification may be the only one of a series.
 */
export async function settleHeld(
  trx: Trx,
  { company, id, subject, created_at: createdAt }: Pick<Job, 'company' | 'id' | 'subject' | 'created_at'>,
  { released, decision }: { released: boolean; decision: string },
): Promise<void> {
  await settle(trx, company, heldId(id), `Entschieden: ${decision}`);
  if (!released) return;
  const before = await trx
    .selectFrom('jobs')
    .select('id')
    .where((eb) => eb.and({ company, subject, state: 'blocked' }))
    .where('created_at', '<', createdAt)
    .execute();
  const ids = before.map((job) => heldId(job.id));
  await settleUnread(trx, company, ids, `Überholt, denn ein neuerer Stand gilt: ${decision}`);
}

const heldId = (runid: string): string => `${runid}-blocked`;

/**
 * Whether the previous run ended the same way: a schedule that fails every five minutes notifies once, and again only after a
 * success.
 */
async function sameAsBefore(trx: Trx, { company, id, subject }: Job, state: JobEnd['state']): Promise<boolean> {
  const before = await trx
    .selectFrom('jobs')
    .select('state')
    .where((eb) => eb.and({ company, subject }))
    .where('id', '<>', id)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (state === 'failed' || state === 'blocked') && before?.state === state;
}

function eventOf(end: JobEnd, { deviation }: z.infer<typeof Result>): NotificationEvent | undefined {
  if (end.state === 'failed') return 'failed';
  if (end.state === 'blocked') return 'blocked';
  if (end.state === 'again') return end.failsForLong === true ? 'retry' : undefined;
  return end.state === 'done' && (deviation ?? []).length > 0 ? 'deviation' : undefined;
}

/**
 * Returns undefined for a catalogue or export that is in the trash or deleted: a run created just before the deletion must still
 * be able to end.
 */
const placeIfThere = (...args: Parameters<typeof placeOf>) =>
  placeOf(...args).catch((error: unknown) => {
    if (error instanceof KontorError && error.status === 404) return undefined;
    throw error;
  });

async function placeOf(trx: Trx, { company, kind }: Job, owner: string): Promise<{ name: string; path: string }> {
  if (kind === 'import') return { name: (await loadMaster(trx, company, owner)).name, path: `/master/${owner}/import` };
  if (kind === 'prices') {
    const account = await findAccount(trx, company, owner);
    return { name: account?.name ?? owner, path: account ? `/repricer/${account.masterid}` : '/' };
  }
  const { settings } = await loadExport(trx, company, owner);
  return {
    name: settings.name,
    path: kind === 'upload' || kind === 'stock' ? `/exports/${owner}/einstellungen` : `/exports/${owner}`,
  };
}
