import type { MailSave, MailSettings } from '#shared/notifications/schema.ts';

/** The form as it is typed: addresses as one text, a line each. */
export type MailForm = Omit<MailSave, 'recipients'> & { recipients: string };

export const toForm = ({ recipients, ...settings }: MailSettings): MailForm => ({
  ...settings,
  recipients: recipients.join('\n'),
  password: '',
});

/** Addresses may be divided by lines, commas, semicolons or blanks: so they are pasted. */
export const toSave = ({ recipients, ...form }: MailForm): MailSave => ({
  ...form,
  recipients: recipients.split(/[\s,;]+/).filter((address) => address !== ''),
});
