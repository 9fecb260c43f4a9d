import { createHash } from 'node:crypto';
import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { addJob, defineJob } from '#platform/jobs/job-definition.ts';
import type { Retry } from '#platform/jobs/retries.ts';
import type { Delivery } from '#shared/notifications/schema.ts';
import { notificationEventNames, type NotificationEvent } from '#shared/live/schema.ts';
import { loadMailSettings, mailChoiceOf } from './mail-settings.ts';
import { listWebhooks } from './webhooks.ts';

/** Ways out of Kontor: an e-mail, the day's summary, or `webhook:<id>`. */
export const MAIL = 'mail';
export const DIGEST = 'digest';
export const webhookChannel = (id: string) => `webhook:${id}`;

/** Could not be delivered now; `ids` are the deliveries that this was the attempt of. */
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
/** The kinds of job that deliver; their ends are told by themselves. */
export const deliverJob = defineJob({
  kind: 'deliver',
  payload: z.object({ delivery: z.string() }),
  pool: 'mail',
  retry: retryDelivery,
});
export const digestJob = defineJob({ kind: 'digest', payload: z.object({}), pool: 'mail', retry: retryDelivery });

type SentEvent = { readonly id: string; readonly event: NotificationEvent; readonly title: string };

/**
 * The outbox: writes what is to go out of a notification, in its own transaction. A job takes it from there, so a mail server
 * that is down neither delays nor loses anything, and a notification goes out once on each way.
 */
export async function planDeliveries(trx: Trx, company: string, told: SentEvent): Promise<void> {
  if (told.event === 'undelivered') return;
  const choice = mailChoiceOf(await loadMailSettings(trx, company), told.event);
  const webhooks = (await listWebhooks(trx, company)).filter(
    ({ active, events }) => active && events.includes(told.event),
  );
  if (choice === 'now') await planOne(trx, company, told, MAIL);
  for (const { id } of webhooks) await planOne(trx, company, told, webhookChannel(id));
  if (choice === 'digest' && (await addDelivery(trx, company, told, DIGEST)) !== undefined)
    await orderDigest(trx, company, told.id);
}

async function planOne(trx: Trx, company: string, told: SentEvent, channel: string): Promise<void> {
  const id = await addDelivery(trx, company, told, channel);
  if (id === undefined) return;
  // One after the other on each way: a receiver that is down is not called by all workers at once.
  await addJob(trx, deliverJob, { company, id, subject: `deliver:${channel}`, payload: { delivery: id } });
}

/** A summary that waits takes everything along that comes until it goes out; one that is just being sent does not. */
async function orderDigest(trx: Trx, company: string, notification: string): Promise<void> {
  const { rows } = await pg`select 1 from jobs
    where company = ${company} and kind = ${digestJob.kind} and state = 'queued' limit 1`.execute(trx);
  if (rows.length > 0) return;
  const id = idOf(company, notification, 'digest job');
  await addJob(trx, digestJob, { company, id, subject: 'deliver:digest', payload: {} });
}

/** Gives the row's id; undefined if the notification goes this way already. */
async function addDelivery(trx: Trx, company: string, told: SentEvent, channel: string): Promise<string | undefined> {
  const id = idOf(company, told.id, channel);
  const added = await pg`insert into deliveries (company, id, notification, channel, event, title, state)
    values (${company}, ${id}, ${told.id}, ${channel}, ${told.event}, ${told.title}, 'waiting') on conflict do nothing`.execute(
    trx,
  );
  return added.numAffectedRows === 1n ? id : undefined;
}

/** The same for the same: a second attempt to plan finds the first. */
const idOf = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 24);

/** A trial's row for the log. */
export async function logTrial(
  trx: Trx,
  company: string,
  trial: { id: string; channel: string; error: string },
): Promise<void> {
  const state = trial.error === '' ? 'sent' : 'failed';
  await pg`insert into deliveries (company, id, notification, channel, event, title, state, tries, message, ended_at)
    values (${company}, ${trial.id}, ${`test-${trial.id}`}, ${trial.channel}, 'test', 'Testnachricht', ${state}, 1,
      ${trial.error}, now())`.execute(trx);
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

const WaitingRow = z.object({
  id: z.string(),
  notification: z.string(),
  channel: z.string(),
  event: z.string(),
  title: z.string(),
  text: z.string(),
  path: z.string(),
  created_at: z.date(),
});

/** What still has to go out: one delivery, or everything that waits on a way; the oldest first. */
export async function waitingDeliveries(
  trx: Trx,
  company: string,
  which: { id: string } | { channel: string },
): Promise<Waiting[]> {
  const chosen = 'id' in which ? pg`d.id = ${which.id}` : pg`d.channel = ${which.channel}`;
  const { rows } = await pg`
    select d.id, d.notification, d.channel, n.event, n.title, n.text, n.path, n.created_at
    from deliveries d join notifications n on n.company = d.company and n.id = d.notification
    where d.company = ${company} and d.state = 'waiting' and ${chosen} order by n.created_at, n.id limit 1000`.execute(
    trx,
  );
  return z
    .array(WaitingRow)
    .parse(rows)
    .map(({ created_at: createdAt, event, ...row }) => ({
      ...row,
      event: notificationEventNames.find((known) => known === event) ?? 'failed',
      createdAt,
    }));
}

/** Notes what became of deliveries. `seconds`: until the next attempt. */
export async function noteDeliveries(
  trx: Trx,
  company: string,
  ids: readonly string[],
  end: { state: Delivery['state']; message: string; seconds?: number; tried: boolean },
): Promise<void> {
  const { state, message, seconds, tried } = end;
  await pg`update deliveries set state = ${state}, message = ${message}, tries = tries + ${tried ? 1 : 0},
      next_at = case when ${seconds !== undefined} then now() + make_interval(secs => ${seconds ?? 0}) end,
      ended_at = case when ${state === 'waiting'} then null else now() end
    where company = ${company} and id = any(${[...ids]}::text[]) and state = 'waiting'`.execute(trx);
}

type LogRow = {
  id: string;
  title: string;
  channel: string;
  state: Delivery['state'];
  tries: number;
  message: string;
  created_at: Date;
  ended_at: Date | null;
  next_at: Date | null;
};

/** The last ones, newest first, with names for people. */
export async function listDeliveries(trx: Trx, company: string, limit: number): Promise<Delivery[]> {
  const names = new Map((await listWebhooks(trx, company)).map(({ id, name }) => [webhookChannel(id), name]));
  const nameOf = (channel: string) => {
    if (channel === MAIL) return 'E-Mail';
    if (channel === DIGEST) return 'Tageszusammenfassung';
    return names.get(channel) ?? 'gelöschter Webhook';
  };
  const { rows } = await pg<LogRow>`
    select id, title, channel, state, tries, message, created_at, ended_at, next_at from deliveries
    where company = ${company} order by created_at desc, id limit ${limit}`.execute(trx);
  return rows.map(({ created_at, ended_at, next_at, channel, ...row }) => ({
    ...row,
    channel: nameOf(channel),
    createdAt: created_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
    nextAt: next_at?.toISOString() ?? null,
  }));
}

/** What was not delivered yet on a way that is gone is not delivered any more. */
export async function dropDeliveries(trx: Trx, company: string, channel: string, message: string): Promise<void> {
  await pg`update deliveries set state = 'dropped', message = ${message}, ended_at = now(), next_at = null
    where company = ${company} and channel = ${channel} and state = 'waiting'`.execute(trx);
}

/** Lets a waiting summary look at its hour again, because it may have changed. */
export async function wakeDigest(trx: Trx, company: string): Promise<void> {
  await pg`update jobs set not_before = null
    where company = ${company} and kind = ${digestJob.kind} and state = 'queued'`.execute(trx);
}
