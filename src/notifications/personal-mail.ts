import { type DeliveryDeps } from './delivery-jobs.ts';
import { MailFailure, sendMail } from './mail.ts';
import { loadMailSettings, passwordToUse } from './mail-settings.ts';
import { addNotification } from './notifications.ts';

type PersonalMailDeps = Pick<DeliveryDeps, 'database' | 'egress' | 'vault' | 'clock'>;
/** An e-mail to one person about the own account; `purpose` names it where it could not be sent. */
export type PersonalMail = { id: string; to: string; subject: string; text: string; purpose: string };

/** Whether the company has a mail server that personal e-mails can go through. */
export const canMail = ({ database }: Pick<PersonalMailDeps, 'database'>, company: string): Promise<boolean> =>
  database.company(company, async (trx) => {
    const { active, host, sender } = await loadMailSettings(trx, company);
    return active && host !== '' && sender !== '';
  });

/**
 * Sends an e-mail to one person over the company's server, at once and once: its link must not lie in a queue. Gives why it did not go
 * out, '' where it did. A failure is told to the company's people as well, since the one who waits may not be signed in.
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

/** One notice a day for each purpose and person: whoever asks again and again must not fill the page. */
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
