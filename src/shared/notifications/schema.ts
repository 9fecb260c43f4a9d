import { z } from 'zod';
import { typedEmail } from '#shared/account/email.ts';
import { NotificationEventName, type NotificationEvent } from '#shared/live/schema.ts';

/** When e-mails are sent: never, each at once, or a day's together. */
export const mailChoices = {
  none: { label: 'nur in Kontor' },
  now: { label: 'sofort' },
  digest: { label: 'Tageszusammenfassung' },
} as const;
export type MailChoice = keyof typeof mailChoices;
export const mailChoiceNames = ['none', 'now', 'digest'] as const satisfies readonly MailChoice[];

/** How the connection to a mail server is secured; nothing is ever sent unencrypted. */
export const mailSecurities = {
  starttls: { label: 'STARTTLS (meist Port 587)', port: 587 },
  implicit: { label: 'TLS von Anfang an (meist Port 465)', port: 465 },
} as const;

const email = typedEmail('Das ist keine E-Mail-Adresse.');

/** Settings of the whole company. `recipients` get every e-mail; `digestHour` is in German time. */
export const MailSettings = z
  .object({
    active: z.boolean().default(false),
    host: z.string().trim().max(253).default(''),
    port: z.number().int().min(1).max(65_535).default(587),
    security: z.enum(['starttls', 'implicit']).default('starttls'),
    user: z.string().trim().max(254).default(''),
    sender: z.union([z.literal(''), email]).default(''),
    recipients: z.array(email).max(20).default([]),
    digestHour: z.number().int().min(0).max(23).default(7),
    choices: z.partialRecord(NotificationEventName, z.enum(mailChoiceNames)).default({}),
  })
  .meta({ id: 'MailSettings' });
export type MailSettings = z.infer<typeof MailSettings>;

/** An empty password keeps the stored one, as long as the server is unchanged. */
export const MailSave = MailSettings.extend({ password: z.string().max(500).default('') }).meta({
  id: 'MailSave',
});
export type MailSave = z.infer<typeof MailSave>;

/** The stored settings, without the password. `revision` 0: never saved. */
export const MailState = z
  .object({
    settings: MailSettings,
    passwordSet: z.boolean(),
    revision: z.number().int(),
    author: z.string(),
    /** Saved by the requesting user. */
    own: z.boolean(),
    savedAt: z.string().nullable(),
  })
  .meta({ id: 'MailState' });
export type MailState = z.infer<typeof MailState>;

const event = NotificationEventName;
export const WebhookSave = z
  .object({
    name: z.string().trim().min(1).max(100),
    url: z.string().trim().min(1).max(2000),
    events: z.array(event).max(50),
    active: z.boolean().default(true),
  })
  .meta({ id: 'WebhookSave' });
export type WebhookSave = z.infer<typeof WebhookSave>;

export const Webhook = WebhookSave.extend({ id: z.string(), createdAt: z.string() }).meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** The result of an attempt to deliver a notification by mail or webhook. */
export const deliveryStates = {
  waiting: { label: 'Wartet', tone: 'yellow' },
  sent: { label: 'Zugestellt', tone: 'green' },
  failed: { label: 'Nicht zugestellt', tone: 'red' },
  dropped: { label: 'Verworfen', tone: 'gray' },
} as const;

export const Delivery = z
  .object({
    id: z.string(),
    title: z.string(),
    /** The recipient, for people: „E-Mail“, a webhook's name. */
    channel: z.string(),
    state: z.enum(['waiting', 'sent', 'failed', 'dropped']),
    tries: z.number().int(),
    /** Why it is not delivered yet, or the server's reply. */
    message: z.string(),
    createdAt: z.string(),
    endedAt: z.string().nullable(),
    nextAt: z.string().nullable(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

/** A test; `error` is German, '' if it succeeded. */
export const Trial = z.object({ success: z.boolean(), error: z.string() }).meta({ id: 'Trial' });
export type Trial = z.infer<typeof Trial>;

/** The body of a webhook (docs/notifications.md). */
export type WebhookBody = {
  id: string;
  event: NotificationEvent | 'test';
  title: string;
  text: string;
  path: string;
  createdAt: string;
  company: string;
};
