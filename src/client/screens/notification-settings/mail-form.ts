import { notificationEventNames, notificationEvents } from '#shared/live/schema.ts';
import {
  mailChoiceNames,
  mailChoices,
  mailSecurities,
  type MailSave,
  type MailSettings,
} from '#shared/notifications/schema.ts';
import { fieldsShape } from '#client/editor/document-shape.ts';

/** The form as typed: addresses as one text, one per line. */
export type MailForm = Omit<MailSave, 'recipients'> & { recipients: string };

export const toForm = ({ recipients, ...settings }: MailSettings): MailForm => ({
  ...settings,
  recipients: recipients.join('\n'),
  password: '',
});

/** Addresses may be separated by lines, commas, semicolons or blanks, as they are pasted. */
export const toSave = ({ recipients, ...form }: MailForm): MailSave => ({
  ...form,
  recipients: recipients.split(/[\s,;]+/).filter((address) => address !== ''),
});

/** The settings are compared field by field; the labels are those of the form. */
export const mailShape = fieldsShape<MailForm>({
  labels: {
    active: 'Benachrichtigungen auch per E-Mail senden',
    host: 'Mailserver',
    port: 'Port',
    security: 'Verschlüsselung',
    user: 'Benutzer',
    sender: 'Absender',
    recipients: 'Empfänger',
    digestHour: 'Tageszusammenfassung um',
    password: 'Passwort',
    ...Object.fromEntries(notificationEventNames.map((event) => [`choices.${event}`, notificationEvents[event].title])),
  },
  words: (path, value) => {
    if (path === 'password') return value === '' ? 'wie gespeichert' : 'neu eingegeben';
    if (path === 'digestHour') return `„${String(value)} Uhr“`;
    if (path === 'security') return `„${mailSecurities[value === 'implicit' ? 'implicit' : 'starttls'].label}“`;
    const event = notificationEventNames.find((name) => path === `choices.${name}`);
    if (event === undefined) return undefined;
    const choice = mailChoiceNames.find((name) => name === value) ?? notificationEvents[event].mail;
    return `„${mailChoices[choice].label}“`;
  },
  withoutSecrets: (state) => ({ ...state, password: '' }),
});
