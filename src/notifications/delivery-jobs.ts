import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job, JobEnd, JobHandler } from '#platform/jobs/jobs.ts';
import {
  deliveryKinds,
  DIGEST,
  MAIL,
  noteDeliveries,
  waitingDeliveries,
  webhookChannel,
  type Waiting,
} from './deliveries.ts';
import { nextAtHour } from './digest-time.ts';
import { MailFailure, sendMail, type Mail } from './mail.ts';
import { loadMailSettings, mailPassword } from './mail-settings.ts';
import { digestOf, mailOf } from './mail-texts.ts';
import { addNotification } from './notifications.ts';
import { answerFault, listWebhooks, postWebhook, webhookSecret } from './webhooks.ts';

export type DeliveryDeps = {
  database: Database;
  egress: Egress;
  vault: Vault;
  clock: Clock;
  /** Where the pages are: e-mails lead there. */
  publicUrl: string;
  companyName: (company: string) => Promise<string>;
};

/** Minutes until the next attempt; after the last one it is given up. */
const waits = [1, 2, 4, 8, 16, 32, 60] as const;

const Payload = z.object({ delivery: z.string() });
const State = z.object({ tries: z.number().int(), due: z.string(), hour: z.number().int() }).partial().catch({});

/** What an attempt came to; `fault` '' if it arrived, undefined if there is nobody to tell any more. */
type Attempt = { fault: string } | undefined;

/** Takes one delivery out: an e-mail, or a call of a webhook. */
export function deliverJob(deps: DeliveryDeps): JobHandler {
  return async (job, { signal }) => {
    const { company } = job;
    const { delivery } = Payload.parse(JSON.parse(job.payload));
    const [told] = await deps.database.company(company, (trx) => waitingDeliveries(trx, company, { id: delivery }));
    if (!told) return { state: 'done' };
    const attempt = await tried(signal, () =>
      told.channel === MAIL ? mailed(deps, company, (from) => mailOf(told, from)) : called(deps, company, told, signal),
    );
    return endOf(job, { ids: [delivery], channel: told.channel }, attempt);
  };
}

/** Waits for the hour of the daily summary, and sends everything that has come by then in one e-mail. */
export function digestJob(deps: DeliveryDeps): JobHandler {
  return async (job, { signal }) => {
    const { company } = job;
    const { settings, all } = await deps.database.company(company, async (trx) => ({
      settings: await loadMailSettings(trx, company),
      all: await waitingDeliveries(trx, company, { channel: DIGEST }),
    }));
    if (all.length === 0) return { state: 'done' };
    const now = deps.clock.now();
    const hour = settings.digestHour;
    const kept = State.parse(JSON.parse(job.result));
    const due = kept.due !== undefined && kept.hour === hour ? new Date(kept.due) : nextAtHour(now, hour);
    if (now < due && kept.tries === undefined) {
      const seconds = Math.ceil((due.getTime() - now.getTime()) / 1000);
      return { state: 'again', seconds, result: { due: due.toISOString(), hour } };
    }
    const attempt = await tried(signal, () => mailed(deps, company, (from) => digestOf(all, from)));
    return endOf(job, { ids: all.map(({ id }) => id), channel: DIGEST }, attempt);
  };
}

/** A failure that people can understand is an answer; anything else is a bug and thrown. */
async function tried(signal: AbortSignal, attempt: () => Promise<Attempt>): Promise<Attempt> {
  try {
    return await attempt();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MailFailure || error instanceof KontorError) return { fault: error.message };
    throw error;
  }
}

async function mailed(
  { database, vault, egress, publicUrl, companyName }: DeliveryDeps,
  company: string,
  write: (from: { company: string; url: string }) => Omit<Mail, 'to'>,
): Promise<Attempt> {
  const { settings, pass } = await database.company(company, async (trx) => ({
    settings: await loadMailSettings(trx, company),
    pass: (await mailPassword(trx, vault, company)) ?? '',
  }));
  if (!settings.active || settings.recipients.length === 0) return undefined;
  const mail = write({ company: await companyName(company), url: publicUrl });
  await sendMail(egress, { ...settings, pass }, { ...mail, to: settings.recipients });
  return { fault: '' };
}

async function called(
  { database, vault, egress, clock, companyName }: DeliveryDeps,
  company: string,
  { id, channel, event, title, text, path, createdAt }: Waiting,
  signal: AbortSignal,
): Promise<Attempt> {
  const found = await database.company(company, async (trx) => {
    const webhook = (await listWebhooks(trx, company)).find((one) => webhookChannel(one.id) === channel);
    return webhook && { webhook, secret: await webhookSecret(trx, vault, company, webhook.id) };
  });
  if (!found?.webhook.active || found.secret === undefined) return undefined;
  const name = await companyName(company);
  const body = { id, event, title, text, path, createdAt: createdAt.toISOString(), company: name };
  const to = { url: found.webhook.url, secret: found.secret };
  const { status } = await postWebhook(egress, to, { body, now: clock.now(), signal });
  return { fault: answerFault(status) };
}

/** The end of an attempt: there, dropped, tried again later, or given up with a word in Kontor itself. */
function endOf(job: Job, { ids, channel }: { ids: readonly string[]; channel: string }, attempt: Attempt): JobEnd {
  const { company } = job;
  const note = (end: Parameters<typeof noteDeliveries>[3]) => (trx: Trx) => noteDeliveries(trx, company, ids, end);
  if (attempt === undefined) {
    const message = 'Abgeschaltet oder gelöscht, bevor es zugestellt war.';
    return { state: 'cancelled', message, effect: note({ state: 'dropped', message, tried: false }) };
  }
  const { fault } = attempt;
  if (fault === '') return { state: 'done', effect: note({ state: 'sent', message: '', tried: true }) };
  const tries = (State.parse(JSON.parse(job.result)).tries ?? 0) + 1;
  const minutes = waits[tries - 1];
  if (minutes !== undefined) {
    const seconds = minutes * 60;
    const kept = { ...State.parse(JSON.parse(job.result)), tries };
    const effect = note({ state: 'waiting', message: fault, seconds, tried: true });
    return { state: 'again', seconds, message: fault, result: kept, effect };
  }
  const message = `${fault} Es wurde ${tries}-mal versucht und nun aufgegeben.`;
  return {
    state: 'failed',
    message,
    effect: async (trx) => {
      await noteDeliveries(trx, company, ids, { state: 'failed', message, tried: true });
      await tellUndelivered(trx, job, channel, message);
    },
  };
}

/** One notice a day for each way: a server that is down for long would fill the page with nothing else. */
async function tellUndelivered(trx: Trx, { company, created_at }: Job, channel: string, text: string): Promise<void> {
  const webhook = (await listWebhooks(trx, company)).find(({ id }) => webhookChannel(id) === channel);
  const way = webhook ? `Webhook „${webhook.name}“` : 'E-Mail';
  await addNotification(trx, company, {
    id: `undelivered-${channel}-${created_at.toISOString().slice(0, 10)}`,
    event: 'undelivered',
    title: `Nicht zugestellt: ${way}`,
    text,
    path: '/einstellungen/benachrichtigungen',
  });
}

/** A delivery whose job came to nothing (its process died three times) is given up as well. */
export async function deliveryEnded(trx: Trx, job: Job, end: JobEnd): Promise<void> {
  if (job.kind !== deliveryKinds.one || end.state !== 'failed' || end.effect) return;
  const { delivery } = Payload.parse(JSON.parse(job.payload));
  await noteDeliveries(trx, job.company, [delivery], { state: 'failed', message: end.message ?? '', tried: true });
  await tellUndelivered(trx, job, MAIL, end.message ?? '');
}
