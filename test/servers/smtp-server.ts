import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';

export type SmtpServer = {
  port: number;
  /** Whole messages as received, with headers. */
  received: string[];
  /** The recipients of each message. */
  recipients: string[][];
  /** Passwords that clients tried. */
  tried: string[];
  close(): Promise<void>;
};
export type Certificate = { key: string; cert: string };

/** Creates a self-signed certificate for 127.0.0.1, which nothing trusts by default. */
export function selfSigned(): Certificate {
  const home = mkdtempSync(join(tmpdir(), 'kontor-smtp-'));
  try {
    const [key, cert] = [join(home, 'key.pem'), join(home, 'cert.pem')];
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
    const answers = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      ...names,
    ];
    const { status, stderr } = spawnSync('openssl', answers, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl: ${stderr}`);
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Starts a real mail server on loopback with one account: post / geheim. `tls` false: it offers no encryption. */
export async function smtpServer(
  certificate: Certificate,
  { secure = false, tls = true, port = 0 } = {},
): Promise<SmtpServer> {
  const state: SmtpServer = {
    port,
    received: [],
    recipients: [],
    tried: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    ...certificate,
    secure,
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: tls ? [] : ['STARTTLS'],
    closeTimeout: 200,
    logger: false,
    onAuth: ({ username, password }, _session, done) => {
      state.tried.push(password ?? '');
      if (username === 'post' && password === 'geheim') done(null, { user: 'post' });
      else done(new Error('Invalid username or password'));
    },
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('unbekannt') ? new Error('No such user here') : null),
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      stream.once('end', () => {
        state.received.push(text);
        state.recipients.push(envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  // A client that refuses the certificate disconnects during the handshake.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const address = server.server.address();
  state.port = typeof address === 'object' && address !== null ? address.port : port;
  return state;
}
