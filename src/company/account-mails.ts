import { isOpenReset } from '#auth/links.ts';
import { KontorError } from '#platform/errors.ts';
import type { PersonalLink } from '#shared/account/schema.ts';
import { pages } from '#shared/pages.ts';

/**
 * An e-mail to a user about his own account; `purpose` names it in the notification if it cannot be sent. `beforeSending`: called
 * once the mail server is reached; if it throws, nothing is sent.
 */
export type PersonalMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  purpose: string;
  beforeSending?: () => Promise<void>;
};
/** Sends an e-mail; returns why it failed, or '' if it was sent. */
export type SendPersonalMail = (company: string, mail: PersonalMail) => Promise<string>;

type For = { id: string; to: string; companyName: string };

const notYou = (publicUrl: string) =>
  `Wenn Sie das nicht waren, sagen Sie es bitte dem Inhaber Ihrer Firma und setzen Sie Ihr Passwort sofort neu („Passwort vergessen?“):\n\n${publicUrl}${pages.forgotPassword.path}\n`;

export const resetMail = ({ id, to, companyName }: For, link: string): PersonalMail => ({
  id,
  to,
  purpose: 'Passwort zurücksetzen',
  subject: 'Ihr Passwort für Kontor zurücksetzen',
  text: `Guten Tag,\n\nmit diesem Link setzen Sie Ihr Passwort für Kontor (${companyName}) neu. Er gilt einmal und 30 Minuten:\n\n${link}\n\nWenn Sie das nicht angefordert haben, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.\n`,
});

/** Keeps a reset link from being sent that was used, deleted or replaced since it was stored. @throws 409 */
export const onlyOpenReset = (deps: Parameters<typeof isOpenReset>[0], secret: string) => async (): Promise<void> => {
  if (await isOpenReset(deps, secret)) return;
  throw new KontorError(
    409,
    'reset_changed',
    'Der Link zum Passwort wurde in diesem Moment benutzt oder durch einen neueren ersetzt. Mit diesem Link wurde keine E-Mail gesendet, weil er nicht mehr gilt. Bitte senden Sie einen neuen, wenn noch einer gebraucht wird.',
  );
};

export const invitationMail = ({ id, to, companyName }: For, by: string, link: string): PersonalMail => ({
  id,
  to,
  purpose: 'Einladung',
  subject: `Einladung zu Kontor von ${companyName}`.replaceAll(/\s+/g, ' ').slice(0, 200),
  text: `Guten Tag,\n\n${by} lädt Sie ein, bei ${companyName} mit Kontor zu arbeiten. Mit diesem Link wählen Sie Ihren Namen und Ihr Passwort. Er gilt einmal und 7 Tage:\n\n${link}\n\nWenn Sie niemanden bei ${companyName} kennen, müssen Sie nichts tun.\n`,
});

/** For a user who already has an account, in another company. */
export const unneededInvitationMail = ({ id, to, companyName }: For, by: string): PersonalMail => ({
  id,
  to,
  purpose: 'Einladung',
  subject: `Einladung zu Kontor von ${companyName}`.replaceAll(/\s+/g, ' ').slice(0, 200),
  text: `Guten Tag,\n\n${by} lädt Sie ein, bei ${companyName} mit Kontor zu arbeiten. Mit dieser E-Mail-Adresse haben Sie in Kontor schon ein Konto, und eine Adresse gehört zu einer Firma. ${companyName} erfährt das nicht von uns. Wenn Sie die Einladung annehmen möchten, nennen Sie ${by} bitte eine andere Adresse.\n\nSonst müssen Sie nichts tun: Ihr Konto bleibt, wie es ist.\n`,
});

export const passwordChangedMail = ({ id, to, companyName }: For, publicUrl: string): PersonalMail => ({
  id,
  to,
  purpose: 'Passwort geändert',
  subject: 'Ihr Passwort für Kontor wurde geändert',
  text: `Guten Tag,\n\ndas Passwort Ihres Kontos bei Kontor (${companyName}) wurde soeben geändert.\n\n${notYou(publicUrl)}`,
});

export const factorChangedMail = ({ id, to, companyName }: For, what: string, publicUrl: string): PersonalMail => ({
  id,
  to,
  purpose: 'Zweiter Faktor geändert',
  subject: 'Anmeldung bei Kontor: zweiter Faktor geändert',
  text: `Guten Tag,\n\nbei Ihrem Konto in Kontor (${companyName}) gibt es eine Änderung: ${what}\n\n${notYou(publicUrl)}`,
});

/** Delivers a link: by e-mail, otherwise in the answer to the caller. */
export async function deliverLink(
  send: SendPersonalMail,
  company: string,
  mail: PersonalMail,
  link: string,
): Promise<PersonalLink> {
  const problem = await send(company, mail);
  return problem === '' ? { sent: true, link: null, problem } : { sent: false, link, problem };
}
