import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { MailSave, Trial } from '#shared/notifications/schema.ts';
import { ConnectionChecks } from '#platform/http/limits/connection-checks.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import {
  DIGEST,
  dropDeliveries,
  listDeliveries,
  logTestDelivery,
  MAIL,
  wakeDigest,
  webhookChannel,
} from './deliveries.ts';
import type { DeliveryDeps } from './delivery-jobs.ts';
import { MailFailure, sendMail } from './mail.ts';
import { hasMailPassword, loadMailState, passwordToUse, requireComplete, saveMailSettings } from './mail-settings.ts';
import { testMailOf } from './mail-texts.ts';
import {
  addWebhook,
  answerFault,
  changeWebhook,
  saveWebhookSecret,
  listWebhooks,
  loadWebhook,
  postWebhook,
  removeWebhook,
  sameReceiver,
  webhookSecret,
} from './webhooks.ts';

export type NotifyDeps = DeliveryDeps & { ids: Ids; jobs: Pick<Jobs, 'nudge'> };

/** Every failure to reach a server is answered after this time, so that the time reveals nothing about internal networks (T3). */
const UNREACHABLE_MS = 6000;
const LOGGED = 50;

/** Calls about e-mail and webhooks of a company; administrators only. */
export function notifyRoutes(app: FastifyInstance, deps: NotifyDeps): void {
  const trials = new ConnectionChecks(deps, 'Versuche');
  const counted = async (company: string, trial: () => Promise<Trial>) => {
    await trials.take(company);
    return trial();
  };
  mailRoutes(app, deps, counted);
  webhookRoutes(app, deps);
  secretRoutes(app, deps, counted);
}

type Counted = (company: string, trial: () => Promise<Trial>) => Promise<Trial>;

function mailRoutes(app: FastifyInstance, deps: NotifyDeps, counted: Counted): void {
  const { database, vault, jobs } = deps;

  route(app, api.mailSettings, ({ principal }) =>
    database.company(principal.company, async (trx) => {
      const saved = await loadMailState(trx, principal.company);
      const passwordSet = await hasMailPassword(trx, principal.company);
      return { ...saved, own: saved.author === principal.name, passwordSet };
    }),
  );

  route(app, api.saveMailSettings, async ({ principal, body, ifMatch, audit }) => {
    const save = { company: principal.company, author: principal.name, expected: ifMatch };
    const revision = await database.company(principal.company, async (trx) => {
      const saved = await saveMailSettings(trx, vault, save, body);
      await wakeDigest(trx, principal.company);
      for (const channel of body.active ? [] : [MAIL, DIGEST])
        await dropDeliveries(trx, principal.company, channel, 'Der Versand von E-Mail wurde abgeschaltet.');
      await audit.within(trx);
      return saved;
    });
    jobs.nudge();
    return { ok: true as const, revision, message: 'Gespeichert' };
  });

  route(app, api.testMail, ({ principal, body }) =>
    counted(principal.company, () => trialMail(deps, principal.company, body)),
  );

  route(app, api.deliveries, ({ principal }) =>
    database.company(principal.company, async (trx) => ({
      deliveries: await listDeliveries(trx, principal.company, LOGGED),
    })),
  );
}

async function trialMail(deps: NotifyDeps, company: string, sent: MailSave): Promise<Trial> {
  const { database, vault, egress, ids, publicUrl, companyName } = deps;
  requireComplete(sent);
  const started = performance.now();
  const id = ids.id();
  const pass = await database.company(company, (trx) => passwordToUse(trx, vault, company, sent));
  let error = '';
  try {
    const mail = testMailOf(id, { company: await companyName(company), url: publicUrl });
    error = await sendMail(egress, { ...sent, pass }, { ...mail, to: sent.recipients });
  } catch (failure) {
    if (!(failure instanceof MailFailure)) throw failure;
    if (failure.code === 'unreachable') await untilSince(started, UNREACHABLE_MS);
    error = failure.message;
  }
  await database.company(company, (trx) => logTestDelivery(trx, company, { id, channel: MAIL, error }));
  return { success: error === '', error };
}

function webhookRoutes(app: FastifyInstance, { database, vault, egress, ids }: NotifyDeps): void {
  route(app, api.webhooks, ({ principal }) =>
    database.company(principal.company, async (trx) => ({ webhooks: await listWebhooks(trx, principal.company) })),
  );

  route(app, api.createWebhook, async ({ principal, body, audit }) => {
    await egress.requireAllowed(body.url);
    const [id, secret] = [ids.id(), ids.secret()];
    await database.company(principal.company, async (trx) => {
      await addWebhook(trx, principal.company, id, body);
      await saveWebhookSecret(trx, vault, { company: principal.company, id, url: body.url }, secret);
      await audit.within(trx);
    });
    return { id, secret };
  });

  route(app, api.saveWebhook, async ({ principal, params, body, audit }) => {
    const { company } = principal;
    const { id } = params;
    await database.company(company, (trx) => loadWebhook(trx, company, id));
    await egress.requireAllowed(body.url);
    return database.company(company, async (trx) => {
      const { url } = await loadWebhook(trx, company, id);
      await changeWebhook(trx, company, id, body);
      // Another receiver gets a new secret: it must not be able to verify messages by the former receiver's.
      const secret = sameReceiver(url, body.url) ? undefined : ids.secret();
      if (secret !== undefined) await saveWebhookSecret(trx, vault, { company, id, url: body.url }, secret);
      await audit.within(trx);
      return { ok: true as const, ...(secret === undefined ? {} : { secret }) };
    });
  });

  route(app, api.deleteWebhook, async ({ principal, params, audit }) => {
    await database.company(principal.company, async (trx) => {
      await removeWebhook(trx, principal.company, params.id);
      await dropDeliveries(trx, principal.company, webhookChannel(params.id), 'Der Webhook wurde gelöscht.');
      await audit.within(trx);
    });
    return { ok: true as const };
  });
}

function secretRoutes(app: FastifyInstance, deps: NotifyDeps, counted: Counted): void {
  const { database, vault, ids } = deps;

  route(app, api.renewWebhookSecret, async ({ principal, params, audit }) => {
    const secret = ids.secret();
    await database.company(principal.company, async (trx) => {
      const { id, url } = await loadWebhook(trx, principal.company, params.id);
      await saveWebhookSecret(trx, vault, { company: principal.company, id, url }, secret);
      await audit.within(trx);
    });
    return { secret };
  });

  route(app, api.testWebhook, async ({ principal, params }) => {
    await database.company(principal.company, (trx) => loadWebhook(trx, principal.company, params.id));
    return counted(principal.company, () => trialCall(deps, principal.company, params.id));
  });
}

async function trialCall(deps: NotifyDeps, company: string, webhookId: string): Promise<Trial> {
  const { database, vault, egress, clock, ids, companyName } = deps;
  const { webhook, secret } = await database.company(company, async (trx) => {
    const found = await loadWebhook(trx, company, webhookId);
    return { webhook: found, secret: (await webhookSecret(trx, vault, company, found)) ?? '' };
  });
  const id = ids.id();
  const now = clock.now();
  const body = {
    id,
    event: 'test' as const,
    title: 'Testnachricht',
    text: 'Diese Nachricht zeigt, dass Kontor den Empfänger erreicht.',
    path: '/einstellungen/benachrichtigungen',
    createdAt: now.toISOString(),
    company: await companyName(company),
  };
  let error = '';
  try {
    error = answerFault((await postWebhook(egress, { url: webhook.url, secret }, { body, now })).status);
  } catch (failure) {
    if (!(failure instanceof KontorError)) throw failure;
    error = failure.message;
  }
  await database.company(company, (trx) =>
    logTestDelivery(trx, company, { id, channel: webhookChannel(webhookId), error }),
  );
  return { success: error === '', error };
}

const untilSince = (started: number, ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, started + ms - performance.now()));
  });
