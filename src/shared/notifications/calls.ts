import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, Ok, Saved } from '#shared/http/call-parts.ts';
import { Delivery, MailSave, MailState, Trial, Webhook, WebhookSave } from './schema.ts';

const webhookid = z.object({ id });
const secret = z.string();

export const notifyCalls = {
  mailSettings: {
    method: 'GET',
    path: '/api/notifications/mail',
    summary: 'E-Mail-Versand der Firma: Server, Empfänger, welche Ereignisse',
    access: 'admin',
    response: MailState,
  },
  saveMailSettings: {
    // Links to set a new password are sent through this mail server.
    people: true,
    security: 'secret',
    method: 'POST',
    path: '/api/notifications/mail',
    summary: 'E-Mail-Versand speichern; ein leeres Passwort lässt das gespeicherte gelten',
    access: 'admin',
    stepUp: true,
    ifMatch: true,
    body: MailSave,
    response: Saved,
  },
  testMail: {
    people: true,
    method: 'POST',
    path: '/api/notifications/mail/test',
    summary: 'Testmail mit den gesendeten, auch ungespeicherten Einstellungen',
    access: 'admin',
    body: MailSave,
    response: Trial,
  },
  webhooks: {
    method: 'GET',
    path: '/api/notifications/webhooks',
    summary: 'Webhooks der Firma, ohne ihre Geheimnisse',
    access: 'admin',
    response: z.object({ webhooks: z.array(Webhook) }),
  },
  createWebhook: {
    security: 'secret',
    method: 'POST',
    path: '/api/notifications/webhooks',
    summary: 'Webhook anlegen; das Geheimnis wird nur hier gezeigt',
    access: 'admin',
    stepUp: true,
    body: WebhookSave,
    response: z.object({ id, secret }),
  },
  saveWebhook: {
    security: 'secret',
    method: 'POST',
    path: '/api/notifications/webhooks/{id}',
    summary: 'Webhook ändern; führt die Adresse zu einem anderen Server, kommt ein neues Geheimnis zurück',
    access: 'admin',
    stepUp: true,
    params: webhookid,
    body: WebhookSave,
    response: Ok.extend({ secret: secret.optional() }),
  },
  deleteWebhook: {
    security: 'secret',
    method: 'DELETE',
    path: '/api/notifications/webhooks/{id}',
    summary: 'Webhook löschen; was noch nicht zugestellt ist, wird verworfen',
    access: 'admin',
    params: webhookid,
    response: Ok,
  },
  renewWebhookSecret: {
    security: 'secret',
    method: 'POST',
    path: '/api/notifications/webhooks/{id}/secret',
    summary: 'Neues Geheimnis; das alte gilt sofort nicht mehr',
    access: 'admin',
    stepUp: true,
    params: webhookid,
    response: z.object({ secret }),
  },
  testWebhook: {
    method: 'POST',
    path: '/api/notifications/webhooks/{id}/test',
    summary: 'Eine Testnachricht an den Webhook',
    access: 'admin',
    params: webhookid,
    response: Trial,
  },
  deliveries: {
    method: 'GET',
    path: '/api/notifications/deliveries',
    summary: 'Die letzten 50 Zustellungen nach außen, mit Zustand und Ursache',
    access: 'admin',
    response: z.object({ deliveries: z.array(Delivery) }),
    question: 'records',
  },
} as const satisfies Record<string, Call>;
