import { createHash } from 'node:crypto';
import { z } from 'zod';
import { anyOf, secondsFromNow } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import type { Job } from '#platform/jobs/job.ts';
import { addJob, defineJob, payloadOf } from '#platform/jobs/job-definition.ts';
import type { Retry } from '#platform/jobs/retries.ts';
import type { Delivery } from '#shared/notifications/schema.ts';
import { notificationEventNames, type NotificationEvent } from '#shared/live/schema.ts';
import { loadMailSettings, mailChoiceOf } from './mail-settings.ts';
import { listWebhooks } from './webhooks.ts';

/** Channels of delivery: an e-mail, the daily summary, or `webhook:<id>`. */
export const MAIL = 'mail';
export const DIGEST = 'digest';
export const webhookChannel = (id: string) => `webhook:${id}`;

/** A failed delivery that may be retried; `ids` are the deliveries of this attempt. */
export class Undelivered extends Error {
  readonly ids: readonly string[];
  readonly channel: string;
  constructor(message: string, { ids, channel }: { ids: readonly string[]; channel: string }, cause?: unknown) {
    super(message, { cause });
    this.ids = ids;
    this.channel = channel;
  }
}

const retryDelivery: Retry<unknown> = {
  waits: [1, 2, 4, 8, 16, 32, 60],
  failureOf: (error) => (error instanceof Undelivered ? { message: error.message, mayPass: true } : undefined),
  givenUp: (attempts) => `Es wurde ${attempts}-mal versucht und nun aufgegeben.`,
};
/** The kinds of job that deliver; they report their own failures. */
export const deliverJob = defineJob({
  kind: 'deliver',
  payload: z.object({ delivery: z.string() }),
  pool: 'mail',
  retry: retryDelivery,
});
export const digestJob = defineJob({ kind: 'digest', payload: z.object({}), pool: 'mail', retry: retryDelivery });

type EventToSend = { readonly id: string; readonly event: NotificationEvent; readonly title: string };

/**
 * Outbox: stores the deliveries of a notification in its transaction. Jobs send them later, so that an unavailable mail server
 * neither delays nor loses anything, and a notification is delivered once per channel.
 */
export async function planDeliveries(trx: Trx, company: string, sent: EventToSend): Promise<void> {
  if (sent.event === 'undelivered') return;
  const choice = mailChoiceOf(await loadMailSettings(trx, company), sent.event);
  const webhooks = (await listWebhooks(trx, company)).filter(
    ({ active, events }) => active && events.includes(sent.event),
  );
  if (choice === 'now') await planOne(trx, company, sent, MAIL);
  for (const { id } of webhooks) await planOne(trx, company, sent, webhookChannel(id));
  if (choice === 'digest' && (await addDelivery(trx, company, sent, DIGEST)) !== undefined)
    await orderDigest(trx, company, sent.id);
}

async function planOne(trx: Trx, company: string, sent: EventToSend, channel: string): Promise<void> {
  const id = await addDelivery(trx, company, sent, channel);
  if (id === undefined) return;
  // One subject per channel, so that its jobs run one after the other: several workers must not call an unavailable receiver at
  // once.
  await addJob(trx, deliverJob, { company, id, subject: `deliver:${channel}`, payload: { delivery: id } });
}

/**
 * Sends a delivery that was given up once more; returns the job's id. The receiver recognises it by its notification, should the
 * first have arrived. @throws 409 if nothing of it is left to send
 */
export async function repeatDelivery(trx: Trx, ids: Ids, job: Job): Promise<string> {
  const { company, subject } = job;
  const { delivery } = payloadOf(deliverJob, job.payload);
  await trx
    .updateTable('deliveries')
    .set({ state: 'waiting', ended_at: null })
    .where((eb) => eb.and({ company, id: delivery, state: 'failed' }))
    .execute();
  if ((await waitingDeliveries(trx, company, { id: delivery })).length === 0) throw nothingToRepeat();
  const id = ids.id();
  await addJob(trx, deliverJob, { company, id, subject, payload: { delivery } });
  return id;
}

/**
 * Sends a summary that was given up once more, with the same content. If a summary is waiting for its hour, everything goes into
 * that one, which is sent now. @throws 409 if nothing of it is left to send
 */
export async function repeatDigest(trx: Trx, ids: Ids, { company, id, subject }: Job): Promise<string> {
  const again = await trx
    .updateTable('deliveries')
    .set({ state: 'waiting', ended_at: null })
    .where((eb) => eb.and({ company, channel: DIGEST, state: 'failed' }))
    // Job and deliveries were updated in one transaction, with the same time.
    .where('ended_at', '=', (eb) =>
      eb
        .selectFrom('jobs')
        .select('finished_at')
        .where((job) => job.and({ company, id })),
    )
    .returning('id')
    .execute();
  const given = new Set(again.map((row) => row.id));
  const all = await waitingDeliveries(trx, company, { channel: DIGEST });
  if (!all.some((one) => given.has(one.id))) throw nothingToRepeat();
  const waiting = await trx
    .updateTable('jobs')
    .set({ not_before: null, result: '{}' })
    .where((eb) => eb.and({ company, kind: digestJob.kind, state: 'queued' }))
    .returning('id')
    .executeTakeFirst();
  if (waiting) return waiting.id;
  const as = ids.id();
  await addJob(trx, digestJob, { company, id: as, subject, payload: {} });
  return as;
}

const nothingToRepeat = () =>
  new KontorError(
    409,
    'nothing_to_deliver',
    'Diese Zustellung lässt sich nicht wiederholen: Ihre Mitteilung wurde inzwischen aufgeräumt, oder sie ging schon hinaus oder wurde verworfen. Es wurde nichts gesendet.',
  );

/**
 * Creates a job for the daily summary, unless one is waiting: that one includes everything until it is sent. A running one does
 * not.
 */
async function orderDigest(trx: Trx, company: string, notification: string): Promise<void> {
  const waiting = await trx
    .selectFrom('jobs')
    .select('id')
    .where((eb) => eb.and({ company, kind: digestJob.kind, state: 'queued' }))
    .limit(1)
    // Locked until this is written: a worker that took the job now would read the deliveries before this one is visible.
    .forShare()
    .executeTakeFirst();
  if (waiting) return;
  const id = idOf(company, notification, 'digest job');
  await addJob(trx, digestJob, { company, id, subject: 'deliver:digest', payload: {} });
}

/** Inserts a delivery; returns its id, or undefined if the notification already has one for this channel. */
async function addDelivery(trx: Trx, company: string, sent: EventToSend, channel: string): Promise<string | undefined> {
  const id = idOf(company, sent.id, channel);
  const { id: notification, event, title } = sent;
  const added = await trx
    .insertInto('deliveries')
    .values({ company, id, notification, channel, event, title, state: 'waiting' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n ? id : undefined;
}

/** Returns an id derived from the parts, so that planning a delivery twice finds the first one. */
const idOf = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 24);

/** Logs a delivery that a user sent as a test. */
export async function logTestDelivery(
  trx: Trx,
  company: string,
  trial: { id: string; channel: string; error: string },
): Promise<void> {
  const { id, channel, error } = trial;
  await trx
    .insertInto('deliveries')
    .values((eb) => ({
      company,
      id,
      notification: `test-${id}`,
      channel,
      event: 'test',
      title: 'Testnachricht',
      state: error === '' ? 'sent' : 'failed',
      tries: 1,
      message: error,
      ended_at: eb.fn<Date>('now'),
    }))
    .execute();
}

export type Waiting = {
  id: string;
  notification: string;
  channel: string;
  event: NotificationEvent;
  title: string;
  text: string;
  path: string;
  createdAt: Date;
};

/** Most notifications in one e-mail. */
export const TOGETHER = 1000;

/** Returns deliveries to send: one delivery, or those waiting for a channel, up to the limit per e-mail; oldest first. */
export async function waitingDeliveries(
  trx: Trx,
  company: string,
  which: { id: string } | { channel: string },
): Promise<Waiting[]> {
  const rows = await trx
    .selectFrom('deliveries as d')
    .innerJoin('notifications as n', (join) =>
      join.onRef('n.company', '=', 'd.company').onRef('n.id', '=', 'd.notification'),
    )
    .select(['d.id', 'd.notification', 'd.channel', 'n.event', 'n.title', 'n.text', 'n.path', 'n.created_at'])
    .where((eb) => eb.and({ 'd.company': company, 'd.state': 'waiting' }))
    .where((eb) => ('id' in which ? eb('d.id', '=', which.id) : eb('d.channel', '=', which.channel)))
    .orderBy('n.created_at')
    .orderBy('n.id')
    .limit(TOGETHER)
    .execute();
  return rows.map(({ created_at: createdAt, event, ...row }) => ({
    ...row,
    event: notificationEventNames.find((known) => known === event) ?? 'failed',
    createdAt,
  }));
}

/** Stores the outcome of deliveries. `seconds`: time until the next attempt. */
export async function noteDeliveries(
  trx: Trx,
  company: string,
  ids: readonly string[],
  end: { state: Delivery['state']; message: string; seconds?: number; tried: boolean },
): Promise<void> {
  const { state, message, seconds, tried } = end;
  await trx
    .updateTable('deliveries')
    .set((eb) => ({
      state,
      message,
      tries: eb('tries', '+', tried ? 1 : 0),
      next_at: seconds === undefined ? null : secondsFromNow(seconds),
      ended_at: state === 'waiting' ? null : eb.fn<Date>('now'),
    }))
    .where((eb) => eb.and({ company, state: 'waiting' }))
    .where('id', '=', anyOf(ids))
    .execute();
}

/** Returns the latest deliveries, newest first, with display names. */
export async function listDeliveries(trx: Trx, company: string, limit: number): Promise<Delivery[]> {
  const names = new Map((await listWebhooks(trx, company)).map(({ id, name }) => [webhookChannel(id), name]));
  const nameOf = (channel: string) => {
    if (channel === MAIL) return 'E-Mail';
    if (channel === DIGEST) return 'Tageszusammenfassung';
    return names.get(channel) ?? 'gelöschter Webhook';
  };
  const rows = await trx
    .selectFrom('deliveries')
    .select(['id', 'title', 'channel', 'state', 'tries', 'message', 'created_at', 'ended_at', 'next_at'])
    .where('company', '=', company)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ created_at, ended_at, next_at, channel, ...row }) => ({
    ...row,
    channel: nameOf(channel),
    createdAt: created_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
    nextAt: next_at?.toISOString() ?? null,
  }));
}

/** Drops the undelivered notifications of a channel that was removed. */
export async function dropDeliveries(trx: Trx, company: string, channel: string, message: string): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set((eb) => ({ state: 'dropped', message, ended_at: eb.fn<Date>('now'), next_at: null }))
    .where((eb) => eb.and({ company, channel, state: 'waiting' }))
    .execute();
}

/** Makes a waiting summary compute its hour again, because the setting may have changed. */
export async function wakeDigest(trx: Trx, company: string): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ not_before: null })
    .where((eb) => eb.and({ company, kind: digestJob.kind, state: 'queued' }))
    .execute();
}
