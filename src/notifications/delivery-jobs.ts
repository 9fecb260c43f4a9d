import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError } from '#platform/errors.ts';
import { jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import type { Job, JobEnd } from '#platform/jobs/job.ts';
import { inSpan } from '#platform/telemetry/spans.ts';
import {
  deliverJob,
  digestJob,
  DIGEST,
  MAIL,
  noteDeliveries,
  TOGETHER,
  Undelivered,
  waitingDeliveries,
  webhookChannel,
  type Waiting,
} from './deliveries.ts';
import { deliveryKind, type DeliveryMeter } from './delivery-metrics.ts';
import { nextAtHour } from './digest-time.ts';
import { MailFailure, sendMail, type Mail } from './mail.ts';
import { loadMailSettings, passwordToUse } from './mail-settings.ts';
import { digestOf, mailOf } from './mail-texts.ts';
import { addNotification } from './notifications.ts';
import { answerFault, listWebhooks, postWebhook, webhookSecret } from './webhooks.ts';

export type DeliveryDeps = {
  database: Database;
  egress: Egress;
  vault: Vault;
  clock: Clock;
  /** Base address of the pages, for links in e-mails. */
  publicUrl: string;
  companyName: (company: string) => Promise<string>;
};

type RunnerDeps = DeliveryDeps & { readonly measured: DeliveryMeter };

const State = z.object({ tries: z.number().int(), due: z.string(), hour: z.number().int() }).partial().catch({});

/** Deliveries that are sent together, and their channel. */
type Parcel = { ids: readonly string[]; channel: string };
/**
 * The outcome of an attempt without failure; dropped: no recipient is left. `refused`: recipients that were refused among
 * several, in German.
 */
type Outcome = { readonly became: 'sent' | 'dropped'; readonly refused?: string };
const dropped: Outcome = { became: 'dropped' };

/** Returns the runner for one delivery: an e-mail, or a call of a webhook. */
export function deliverRunner(deps: RunnerDeps): JobRunner {
  return jobRunner(
    deliverJob,
    async (job, { signal }) => {
      const { company } = job;
      const { delivery } = job.payload;
      const [waiting] = await deps.database.company(company, (trx) =>
        waitingDeliveries(trx, company, { id: delivery }),
      );
      if (!waiting) return { state: 'done' };
      const parcel = { ids: [delivery], channel: waiting.channel };
      const outcome = await tried(deps, parcel, () =>
        waiting.channel === MAIL
          ? mailed(deps, company, (from) => mailOf(waiting, from))
          : called(deps, company, waiting, signal),
      );
      return endOf(job, parcel, outcome);
    },
    noteFailure,
  );
}

/** Returns the runner that waits for the hour of the daily summary, and sends everything until then in one e-mail. */
export function digestRunner(deps: RunnerDeps): JobRunner {
  return jobRunner(
    digestJob,
    async (job) => {
      const { company } = job;
      const { settings, all } = await deps.database.company(company, async (trx) => ({
        settings: await loadMailSettings(trx, company),
        all: await waitingDeliveries(trx, company, { channel: DIGEST }),
      }));
      const [oldest] = all;
      if (oldest === undefined) return { state: 'done' };
      const now = deps.clock.now();
      const hour = settings.digestHour;
      const previous = State.parse(JSON.parse(job.result));
      // Its first run counts from the oldest delivery: the hour may have passed while no jobs were started.
      const since = previous.due === undefined && oldest.createdAt < now ? oldest.createdAt : now;
      const due =
        previous.due !== undefined && previous.hour === hour ? new Date(previous.due) : nextAtHour(since, hour);
      if (now < due && previous.tries === undefined) {
        const seconds = Math.ceil((due.getTime() - now.getTime()) / 1000);
        return { state: 'again', seconds, result: { due: due.toISOString(), hour } };
      }
      const parcel = { ids: all.map(({ id }) => id), channel: DIGEST };
      const outcome = await tried(deps, parcel, () => mailed(deps, company, (from) => digestOf(all, from)));
      const end = endOf(job, parcel, outcome);
      if (outcome.became !== 'sent' || all.length < TOGETHER) return end;
      // Notifications that did not fit into this e-mail follow in another right away, not a day later.
      return { ...end, state: 'again', seconds: 0, result: { due: due.toISOString(), hour } };
    },
    noteFailure,
  );
}

/** @throws Undelivered for a failure that users can understand; any other error is a bug */
async function tried({ measured }: RunnerDeps, parcel: Parcel, attempt: () => Promise<Outcome>): Promise<Outcome> {
  try {
    const way = deliveryKind(parcel.channel);
    const attributes = { 'kontor.delivery.way': way };
    return await inSpan({ name: `delivery ${way}`, kind: 'client', attributes }, () =>
      measured(parcel.channel, attempt),
    );
  } catch (error) {
    if (error instanceof MailFailure || error instanceof KontorError)
      throw new Undelivered(error.message, parcel, error);
    throw error;
  }
}

async function mailed(
  { database, vault, egress, publicUrl, companyName }: DeliveryDeps,
  company: string,
  write: (from: { company: string; url: string }) => Omit<Mail, 'to'>,
): Promise<Outcome> {
  const { settings, pass } = await database.company(company, async (trx) => {
    const settings = await loadMailSettings(trx, company);
    return { settings, pass: await passwordToUse(trx, vault, company, { ...settings, password: '' }) };
  });
  if (!settings.active || settings.recipients.length === 0) return dropped;
  const mail = write({ company: await companyName(company), url: publicUrl });
  return {
    became: 'sent',
    refused: await sendMail(egress, { ...settings, pass }, { ...mail, to: settings.recipients }),
  };
}

async function called(
  { database, vault, egress, clock, companyName }: DeliveryDeps,
  company: string,
  { id, channel, event, title, text, path, createdAt }: Waiting,
  signal: AbortSignal,
): Promise<Outcome> {
  const deliveries = await database.company(company, async (trx) => {
    const webhook = (await listWebhooks(trx, company)).find((one) => webhookChannel(one.id) === channel);
    return webhook && { webhook, secret: await webhookSecret(trx, vault, company, webhook) };
  });
  if (!deliveries?.webhook.active || deliveries.secret === undefined) return dropped;
  const name = await companyName(company);
  const body = { id, event, title, text, path, createdAt: createdAt.toISOString(), company: name };
  const to = { url: deliveries.webhook.url, secret: deliveries.secret };
  const { status } = await postWebhook(egress, to, { body, now: clock.now(), signal });
  const fault = answerFault(status);
  if (fault !== '') throw new Undelivered(fault, { ids: [id], channel });
  return { became: 'sent' };
}

/** Returns the end of an attempt without failure. */
function endOf(
  job: Pick<Job, 'company' | 'created_at'>,
  { ids, channel }: Parcel,
  { became, refused = '' }: Outcome,
): JobEnd {
  const tried = became === 'sent';
  const message = tried ? refused : 'Abgeschaltet oder gelöscht, bevor es zugestellt war.';
  return {
    state: tried ? 'done' : 'cancelled',
    ...(tried ? {} : { message }),
    effect: async (trx) => {
      await noteDeliveries(trx, job.company, ids, { state: became, message, tried });
      if (refused !== '') await notifyUndelivered(trx, job, channel, refused);
    },
  };
}

/** Stores a failed delivery: it is retried later, or given up with a notification in Kontor. */
async function noteFailure(trx: Trx, { job, error, end }: { job: Job; error: unknown; end: JobEnd }): Promise<void> {
  if (!(error instanceof Undelivered)) return;
  const { ids, channel, message: fault } = error;
  if (end.state === 'again') {
    const { seconds = 0 } = end;
    return noteDeliveries(trx, job.company, ids, { state: 'waiting', message: fault, seconds, tried: true });
  }
  const message = end.message ?? fault;
  await noteDeliveries(trx, job.company, ids, { state: 'failed', message, tried: true });
  await notifyUndelivered(trx, job, channel, message);
}

/** Notifies once a day per channel: a server that is down for long would otherwise fill the page. */
async function notifyUndelivered(
  trx: Trx,
  { company, created_at }: Pick<Job, 'company' | 'created_at'>,
  channel: string,
  text: string,
): Promise<void> {
  const webhook = (await listWebhooks(trx, company)).find(({ id }) => webhookChannel(id) === channel);
  const channelName = webhook ? `Webhook „${webhook.name}“` : 'E-Mail';
  await addNotification(trx, company, {
    id: `undelivered-${channel}-${created_at.toISOString().slice(0, 10)}`,
    event: 'undelivered',
    title: `Nicht zugestellt: ${channelName}`,
    text,
    path: '/einstellungen/benachrichtigungen',
  });
}

/** Drops the deliveries of a job that ended without an outcome, because its process died three times or it was cancelled. */
export async function deliveryEnded(trx: Trx, job: Job, end: JobEnd): Promise<void> {
  if ((end.state !== 'failed' && end.state !== 'cancelled') || end.effect) return;
  const which = whichOf(job);
  const [first, ...others] = which === undefined ? [] : await waitingDeliveries(trx, job.company, which);
  if (first === undefined) return;
  const ids = [first, ...others].map(({ id }) => id);
  if (end.state === 'cancelled')
    return noteDeliveries(trx, job.company, ids, { state: 'dropped', message: CALLED_OFF, tried: false });
  const message = end.message ?? '';
  await noteDeliveries(trx, job.company, ids, { state: 'failed', message, tried: true });
  await notifyUndelivered(trx, job, first.channel, message);
}

const CALLED_OFF = 'Vom Betreiber abgebrochen, bevor es zugestellt war.';

/** Returns which deliveries a job is for; undefined for other kinds of job. */
function whichOf({ kind, payload, id }: Job): { id: string } | { channel: string } | undefined {
  if (kind === digestJob.kind) return { channel: DIGEST };
  if (kind !== deliverJob.kind) return undefined;
  // A delivery's first job has the delivery's id.
  return { id: deliverJob.payload.safeParse(JSON.parse(payload)).data?.delivery ?? id };
}
