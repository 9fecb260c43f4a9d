import { createHmac } from 'node:crypto';
import type { Row } from '#platform/db/row.ts';
import { z } from 'zod';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { PlaceRefused } from '#platform/egress/address-rules.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { saveSecret, readSecret, removeSecret, type Receiver } from '#platform/crypto/credentials.ts';
import { Webhook, type WebhookBody, type WebhookSave } from '#shared/notifications/schema.ts';
import { notificationEventNames } from '#shared/live/schema.ts';

const placeOf = (id: string) => `webhook:${id}`;

type WebhookRow = Row<'webhooks', 'id' | 'name' | 'url' | 'events' | 'active' | 'created_at'>;

/** Kinds of event that the program does not know any more are dropped. */
const Events = z
  .array(z.string())
  .transform((names) => notificationEventNames.filter((known) => names.includes(known)));

const toWebhook = ({ created_at: createdAt, events, ...row }: WebhookRow): Webhook => ({
  ...row,
  events: Events.parse(JSON.parse(events)),
  createdAt: createdAt.toISOString(),
});

export async function listWebhooks(trx: Trx, company: string): Promise<Webhook[]> {
  const rows = await trx
    .selectFrom('webhooks')
    .select(['id', 'name', 'url', 'events', 'active', 'created_at'])
    .where('company', '=', company)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toWebhook);
}

/** @throws 404 */
export async function loadWebhook(trx: Trx, company: string, id: string): Promise<Webhook> {
  const found = (await listWebhooks(trx, company)).find((one) => one.id === id);
  if (!found) throw notFound('Diesen Webhook');
  return found;
}

export async function addWebhook(trx: Trx, company: string, id: string, webhook: WebhookSave): Promise<void> {
  const { name, url, events, active } = webhook;
  await trx
    .insertInto('webhooks')
    .values({ company, id, name, url, events: JSON.stringify(events), active })
    .execute();
}

/** @throws 404 */
export async function changeWebhook(trx: Trx, company: string, id: string, webhook: WebhookSave): Promise<void> {
  const { name, url, events, active } = webhook;
  const changed = await trx
    .updateTable('webhooks')
    .set({ name, url, events: JSON.stringify(events), active })
    .where('company', '=', company)
    .where('id', '=', id)
    .executeTakeFirst();
  if (changed.numUpdatedRows !== 1n) throw notFound('Diesen Webhook');
}

/** @throws 404 */
export async function removeWebhook(trx: Trx, company: string, id: string): Promise<void> {
  const deleted = await trx
    .deleteFrom('webhooks')
    .where('company', '=', company)
    .where('id', '=', id)
    .executeTakeFirst();
  if (deleted.numDeletedRows !== 1n) throw notFound('Diesen Webhook');
  await removeSecret(trx, { company, place: placeOf(id) });
}

/** Receivers are distinguished by their origin; the path may change. */
const receiverOf = (url: string): Receiver => ({ origin: URL.parse(url)?.origin ?? url });
export const sameReceiver = (one: string, other: string): boolean =>
  receiverOf(one)['origin'] === receiverOf(other)['origin'];

export const saveWebhookSecret = (
  trx: Trx,
  vault: Vault,
  { company, id, url }: { company: string; id: string; url: string },
  secret: string,
) => saveSecret(trx, vault, { company, place: placeOf(id), receiver: receiverOf(url) }, secret);

export const webhookSecret = (
  trx: Trx,
  vault: Vault,
  company: string,
  { id, url }: Pick<Webhook, 'id' | 'url'>,
): Promise<string | undefined> =>
  readSecret(trx, vault, { company, place: placeOf(id) }, { receiver: receiverOf(url), field: 'url' });

/** A receiver that takes longer (ms) counts as unreachable. */
const TIMEOUT = 10_000;

/** Returns the signature of a message: HMAC-SHA256 over the time, a dot and the body as sent, in hex. */
export const signature = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/**
 * Posts a message to a receiver; returns its answer, whatever the status. @throws KontorError with a German message if it is
 * unreachable
 */
export async function postWebhook(
  egress: Egress,
  to: { url: string; secret: string },
  message: { body: WebhookBody; now: Date; signal?: AbortSignal },
): Promise<{ status: number }> {
  const body = JSON.stringify(message.body);
  const timestamp = String(Math.floor(message.now.getTime() / 1000));
  const request = {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-kontor-event': message.body.event,
      'x-kontor-timestamp': timestamp,
      'x-kontor-signature': `sha256=${signature(to.secret, timestamp, body)}`,
    },
    timeoutMs: TIMEOUT,
    ...(message.signal ? { signal: message.signal } : {}),
  };
  const status = await egress.post(to.url, body, request).catch((error: unknown) => {
    throw error instanceof KontorError ? unreached(error) : error;
  });
  return { status };
}

const ofPlace: Readonly<Record<PlaceRefused['reason'], string>> = {
  name: 'Zu diesem Namen gibt es im Internet keinen Empfänger. Bitte prüfen Sie die Schreibweise der Adresse; einen Namen, den es nur in Ihrem eigenen Netz gibt, ruft Kontor nicht auf.',
  address:
    'Diese Adresse gehört zu einem internen Netz. Kontor ruft nur Empfänger auf, die im Internet erreichbar sind. Bitte geben Sie dem Empfänger eine öffentliche Adresse.',
  port: 'Über diesen Port ruft Kontor niemanden auf. Bitte verwenden Sie 443 oder 80.',
};
const silent =
  'Der Empfänger antwortet nicht, oder seine verschlüsselte Verbindung ist ungültig. Bitte prüfen Sie, ob er läuft und sein Zertifikat gilt.';

/** Says what people can do about it. An unknown name and one of an internal network have the same text (T3, `PlaceRefused`). */
function unreached(error: KontorError): KontorError {
  const { status, code, cause } = error;
  const text = cause instanceof PlaceRefused ? ofPlace[cause.reason] : code === 'address_unreachable' ? silent : '';
  return text === '' ? error : new KontorError(status, code, text, { cause });
}

/** Returns what is wrong with an answer, in German; '' if nothing is. */
export function answerFault(status: number): string {
  if (status >= 200 && status < 300) return '';
  if (status >= 300 && status < 400)
    return `Der Empfänger leitet weiter (HTTP-Status ${status}). Bitte tragen Sie die endgültige Adresse ein.`;
  if (status === 401 || status === 403)
    return `Der Empfänger lehnt die Nachricht ab (HTTP-Status ${status}). Bitte prüfen Sie dort das Geheimnis.`;
  return `Der Empfänger antwortet mit HTTP-Status ${status}.`;
}
