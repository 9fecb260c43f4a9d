import type { MailSave, MailSettings } from '#shared/notifications/schema.ts';
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
  },
  words: (path, value) => (path === 'password' ? (value === '' ? 'wie gespeichert' : 'neu eingegeben') : undefined),
  withoutSecrets: (state) => ({ ...state, password: '' }),
});
