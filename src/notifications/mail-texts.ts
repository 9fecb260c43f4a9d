import type { Mail } from './mail.ts';
import type { Waiting } from './deliveries.ts';

type From = { readonly company: string; readonly url: string };

const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' });
/** Titles contain names that users typed; a subject must be one line. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
/** What is left at the end of a text that was cut within an emoji. */
const halfLetter = /[\uD800-\uDBFF]$/u;
/** A mail program shows the beginning of a subject: a long company name must leave room for what happened. */
const subjectOf = ({ company }: From, text: string) =>
  oneLine(`[${company.length > 40 ? `${company.slice(0, 39).replace(halfLetter, '').trim()}…` : company}] ${text}`);

const footer = ({ company, url }: From) =>
  `-- \nKontor · ${company}\nWas Sie per E-Mail bekommen, stellen Inhaber und Administratoren ein: ${url}/einstellungen/benachrichtigungen\n`;

const entry = ({ text, path, createdAt }: Waiting, { url }: From) =>
  `${text === '' ? '' : `${text}\n`}${time.format(createdAt)} Uhr · ${url}${path}\n`;

/** Returns one notification as an e-mail. */
export const mailOf = (notification: Waiting, from: From): Omit<Mail, 'to'> => ({
  id: notification.id,
  subject: subjectOf(from, notification.title),
  text: `${notification.title}\n\n${entry(notification, from)}\n${footer(from)}`,
});

/** Returns a day's notifications as one e-mail, oldest first. */
export function digestOf(all: readonly Waiting[], from: From): Omit<Mail, 'to'> {
  const count = all.length === 1 ? '1 Meldung' : `${all.length} Meldungen`;
  const entries = all.map((notification, index) => `${index + 1}. ${notification.title}\n${entry(notification, from)}`);
  return {
    id: `${all[0]?.id ?? 'leer'}-tag`,
    subject: subjectOf(from, `Tageszusammenfassung: ${count}`),
    text: `${count} seit der letzten Zusammenfassung:\n\n${entries.join('\n')}\n${footer(from)}`,
  };
}

export const testMailOf = (id: string, from: From): Omit<Mail, 'to'> => ({
  id,
  subject: subjectOf(from, 'Testmail von Kontor'),
  text: `Diese E-Mail zeigt, dass Kontor über Ihren Mailserver senden kann.\n\n${footer(from)}`,
});
