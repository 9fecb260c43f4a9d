import { type DeliveryDeps } from './delivery-jobs.ts';
import { type Mail, MailFailure, sendMail } from './mail.ts';
import { loadMailSettings, passwordToUse } from './mail-settings.ts';
import { addNotification } from './notifications.ts';

type PersonalMailDeps = Pick<DeliveryDeps, 'database' | 'egress' | 'vault' | 'clock'>;
/** An e-mail to a user about his own account; `purpose` names it in the notification if it cannot be sent. */
export type PersonalMail = Omit<Mail, 'to'> & { to: string; purpose: string };

/** Whether the company has a mail server that can send personal e-mails. */
export const canMail = ({ database }: Pick<PersonalMailDeps, 'database'>, company: string): Promise<boolean> =>
  database.company(company, async (trx) => {
    const { active, host, sender } = await loadMailSettings(trx, company);
    return active && host !== '' && sender !== '';
  });

/**
 * Sends an e-mail to one user over the company's server, immediately and without retries: its link must not stay in a queue.
 * Returns why it failed, or '' if it was sent. A failure is also notified to the company's users, because the recipient may be
 * unable to sign in. @throws what the mail's `beforeSending` throws
 */
export async function sendPersonalMail(deps: PersonalMailDeps, company: string, mail: PersonalMail): Promise<string> {
  const { database, egress, vault } = deps;
  if (!(await canMail(deps, company))) {
    await tellFailure(deps, company, mail, noServer);
    return noServer;
  }
  const { settings, pass } = await database.company(company, async (trx) => {
    const settings = await loadMailSettings(trx, company);
    return { settings, pass: await passwordToUse(trx, vault, company, { ...settings, password: '' }) };
  });
  try {
    await sendMail(egress, { ...settings, pass }, { ...mail, to: [mail.to] });
    return '';
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    await tellFailure(deps, company, mail, error.message);
    return error.message;
  }
}

const noServer = 'Es ist kein Mailserver eingerichtet.';

/** Notifies once a day per purpose and user: repeated requests must not fill the page. */
async function tellFailure(
  { database, clock }: PersonalMailDeps,
  company: string,
  { to, purpose }: PersonalMail,
  problem: string,
): Promise<void> {
  await database.company(company, (trx) =>
    addNotification(trx, company, {
      id: `personal-${purpose}-${to}-${clock.now().toISOString().slice(0, 10)}`,
      event: 'undelivered',
      title: `E-Mail nicht gesendet: ${purpose}`,
      text: `An ${to}. ${problem} Ein Administrator kann unter „Einstellungen“ einen Link erstellen und weitergeben.`,
      path: '/einstellungen/benachrichtigungen',
    }),
  );
}
