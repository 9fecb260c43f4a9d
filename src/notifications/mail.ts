import type { Egress } from '#platform/egress/egress.ts';
import { asciiEmail } from '#shared/account/email.ts';
import type { MailSettings } from '#shared/notifications/schema.ts';

type Socket = Awaited<ReturnType<Egress['open']>>['socket'];

export type Mail = {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that mail programs show a duplicate only once. */
  readonly id: string;
  /** Called when the server is reached, which takes seconds; if it throws, nothing is sent. */
  readonly beforeSending?: () => Promise<void>;
};

/** Why an e-mail could not be sent. The message is German and reveals nothing about internal networks (T3). */
export class MailFailure extends Error {
  readonly code: 'unreachable' | 'certificate' | 'no_tls' | 'sign_in' | 'refused' | 'cut';

  constructor(code: MailFailure['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const CONNECT = 8000;
const SPEAK = 15_000;

/**
 * Sends an e-mail over the company's server. The egress module checks the address and connects; nodemailer speaks the protocol.
 * Nothing is sent unencrypted, and only certificates of a known authority are accepted. Returns, in German, which recipients the
 * server refused; '' if none. @throws MailFailure if it refused all
 */
export async function sendMail(
  egress: Egress,
  account: Pick<MailSettings, 'host' | 'port' | 'security' | 'user' | 'sender'> & { readonly pass: string },
  mail: Mail,
): Promise<string> {
  const { host, port, security, user, pass, sender } = account;
  // Before a connection waits for it.
  const { createTransport } = await import('nodemailer');
  const socket = await connected(egress, account, mail);
  const transport = createTransport({
    host,
    port,
    secure: security === 'implicit',
    requireTLS: security === 'starttls',
    tls: { minVersion: 'TLSv1.2' },
    ...(user === '' ? {} : { auth: { user, pass } }),
    connectionTimeout: SPEAK,
    greetingTimeout: SPEAK,
    socketTimeout: SPEAK,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, done) => done(null, { connection: socket }),
  });
  try {
    const { rejectedErrors = [] } = await transport.sendMail({
      from: { name: 'Kontor', address: sender },
      to: [...mail.to],
      subject: mail.subject,
      text: mail.text,
      messageId: `<${mail.id}@${asciiEmail(sender).split('@')[1] ?? 'kontor'}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return refusedText(rejectedErrors);
  } catch (error) {
    throw failureOf(error, host);
  } finally {
    transport.close();
    socket.destroy();
  }
}

/**
 * Connects to the server, then calls the mail's `beforeSending`. @throws MailFailure if the server is not reached, or is lost
 * meanwhile; what `beforeSending` throws
 */
async function connected(
  egress: Egress,
  { host, port }: Pick<MailSettings, 'host' | 'port'>,
  mail: Mail,
): Promise<Socket> {
  const { socket } = await egress.open(host, port, CONNECT, 'mail').catch((error: unknown) => {
    throw unreachable(error);
  });
  // Until nodemailer has taken it over, nobody else listens: an unheard error would end the program.
  let lost: unknown;
  socket.on('error', (error) => (lost = error));
  try {
    await mail.beforeSending?.();
    if (socket.destroyed) throw unreachable(lost);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Returns the text about refused recipients. The others have the e-mail: a retry would send it to them twice. */
function refusedText(refused: readonly unknown[]): string {
  if (refused.length === 0) return '';
  const named = refused.map((one) => `„${textIn(one, 'recipient')}“ („${textIn(one, 'response').slice(0, 200)}“)`);
  return `Der Mailserver nimmt nicht alle Empfänger an: ${named.join(', ')}. Die übrigen haben die Nachricht bekommen. Bitte prüfen Sie die Adressen.`;
}

const unreachable = (cause: unknown) =>
  new MailFailure(
    'unreachable',
    'Der Mailserver ist unter dieser Adresse und diesem Port nicht erreichbar. Bitte Server und Port prüfen.',
    cause,
  );

const textIn = (error: unknown, key: string): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined;
  return typeof value === 'string' ? value : '';
};

function failureOf(error: unknown, host: string): MailFailure {
  const code = textIn(error, 'code');
  const words = `${textIn(error, 'originalCode')} ${error instanceof Error ? error.message : ''}`;
  const answer = textIn(error, 'response');
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(?:VERIFY|GET)|certificate/i.test(words))
    return new MailFailure(
      'certificate',
      `Das Zertifikat von „${host}“ ist nicht vertrauenswürdig: selbst ausgestellt, abgelaufen oder für einen anderen Namen. Es wurde nichts gesendet.`,
      error,
    );
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return new MailFailure(
      'sign_in',
      'Der Mailserver lehnt die Anmeldung ab. Bitte Benutzer und Passwort prüfen.',
      error,
    );
  if (code === 'ETLS' || /wrong version number|STARTTLS/i.test(words))
    return new MailFailure(
      'no_tls',
      'Der Mailserver baut so keine verschlüsselte Verbindung auf. Bitte prüfen Sie, ob Port und Verschlüsselung (STARTTLS oder TLS von Anfang an) zusammenpassen. Unverschlüsselt wird nichts gesendet.',
      error,
    );
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    return new MailFailure(
      'refused',
      `Der Mailserver nimmt die Nachricht nicht an${answer === '' ? '' : ` („${answer.slice(0, 200)}“)`}. Bitte prüfen Sie Absender und Empfänger.`,
      error,
    );
  return new MailFailure('cut', 'Der Mailserver antwortet nicht oder hat die Verbindung beendet.', error);
}
