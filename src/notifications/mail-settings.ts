import { z } from 'zod';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { stale } from '#platform/db/documents.ts';
import { unprocessable } from '#platform/errors.ts';
import { hasSecret, saveSecret, readSecret, type Receiver } from '#platform/crypto/credentials.ts';
import { MailSettings, type MailChoice, type MailSave } from '#shared/notifications/schema.ts';
import { notificationEvents, type NotificationEvent } from '#shared/live/schema.ts';

const PLACE = 'mail';

/** The stored settings. Kinds of event that the program no longer knows are dropped: they must not keep a run from ending. */
const Stored = z.looseObject({ choices: z.record(z.string(), z.unknown()).default({}) }).transform((stored) => ({
  ...stored,
  choices: Object.fromEntries(Object.entries(stored.choices).filter(([name]) => name in notificationEvents)),
}));

type Saved = { settings: MailSettings; revision: number; author: string; savedAt: string | null };

/** Returns the company's mail settings, without the password. */
export const loadMailSettings = async (trx: Trx, company: string): Promise<MailSettings> =>
  (await loadMailState(trx, company)).settings;

/** Returns the settings with their revision, author and time. */
export async function loadMailState(trx: Trx, company: string): Promise<Saved> {
  const found = await trx
    .selectFrom('mail_settings')
    .select(['body', 'revision', 'author', 'saved_at'])
    .where('company', '=', company)
    .executeTakeFirst();
  return {
    settings: MailSettings.parse(Stored.parse(JSON.parse(found?.body ?? '{}'))),
    revision: found?.revision ?? 0,
    author: found?.author ?? '',
    savedAt: found?.saved_at.toISOString() ?? null,
  };
}

/** Whether a password is stored. */
export const hasMailPassword = (trx: Trx, company: string): Promise<boolean> =>
  hasSecret(trx, { company, place: PLACE });

const receiverOf = ({ host, port, user, security }: MailSettings): Receiver => ({ host, port, user, security });

/**
 * Returns the password to use with a form: the entered one, otherwise the stored one, which is only sent to the server and user
 * it was given for. So a user who may not know it cannot redirect it (T17).
 */
export async function passwordToUse(trx: Trx, vault: Vault, company: string, sent: MailSave): Promise<string> {
  if (sent.password !== '' || sent.user === '') return sent.password;
  const before = receiverOf(await loadMailSettings(trx, company));
  const receiver = receiverOf(sent);
  return (await readSecret(trx, vault, { company, place: PLACE }, { receiver, before, field: 'password' })) ?? '';
}

/**
 * Stores the submitted settings and returns their revision. `expected` (from If-Match) must be the newest one.
 * @throws 409 if they were saved meanwhile; 422 if e-mail is switched on but settings are missing
 */
export async function saveMailSettings(
  trx: Trx,
  vault: Vault,
  { company, author, expected }: { company: string; author: string; expected: number | undefined },
  { password, ...settings }: MailSave,
): Promise<number> {
  const newest = await loadMailState(trx, company);
  if (expected !== undefined && expected !== newest.revision) throw stale(newest.author);
  if (settings.active) requireComplete(settings);
  const secret = await passwordToUse(trx, vault, company, { password, ...settings });
  if (secret !== '') await saveSecret(trx, vault, { company, place: PLACE, receiver: receiverOf(settings) }, secret);
  const body = JSON.stringify(settings);
  // If two saves come at once, the second one finds no row to update.
  const saved = await trx
    .insertInto('mail_settings')
    .values({ company, body, author })
    .onConflict((conflict) =>
      conflict
        .column('company')
        .doUpdateSet((eb) => ({
          body,
          author,
          saved_at: eb.fn<Date>('now'),
          revision: eb('mail_settings.revision', '+', 1),
        }))
        .where('mail_settings.revision', '=', newest.revision),
    )
    .returning('revision')
    .executeTakeFirst();
  if (saved === undefined) throw stale(undefined);
  return saved.revision;
}

/** Refuses settings without which no e-mail can be sent. @throws 422 */
export function requireComplete({ host, sender, recipients }: MailSettings): void {
  const fields = [
    ...(host === '' ? [{ field: 'host', message: 'Bitte geben Sie den Mailserver an.' }] : []),
    ...(sender === '' ? [{ field: 'sender', message: 'Bitte geben Sie den Absender an.' }] : []),
    ...(recipients.length === 0
      ? [{ field: 'recipients', message: 'Bitte geben Sie mindestens einen Empfänger an.' }]
      : []),
  ];
  if (fields.length === 0) return;
  throw unprocessable('mail_incomplete', 'Für den Versand fehlen Angaben. Es wurde nichts gespeichert.', fields);
}

/** Returns whether a notification of this kind is mailed at once, in the daily summary, or not at all. */
export function mailChoiceOf({ active, recipients, choices }: MailSettings, event: NotificationEvent): MailChoice {
  if (!active || recipients.length === 0 || event === 'undelivered') return 'none';
  return choices[event] ?? notificationEvents[event].mail;
}
