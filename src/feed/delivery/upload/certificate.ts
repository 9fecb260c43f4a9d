import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { unreachable, UploadFailure } from './remote.ts';

const TIMEOUT = 10_000;

/** A server's certificate: as PEM, and its SHA-256 fingerprint. */
export type Certificate = { readonly fingerprint: string; readonly pem: string };

/**
 * Reads the certificate of a server without trusting it; nothing else is sent. `explicit`: the server speaks FTP first and must
 * be asked for TLS.
 */
export async function certificateOf(socket: Socket, host: string, explicit: boolean): Promise<Certificate> {
  try {
    if (explicit) await askForTls(socket);
    const secure = connect({
      socket,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
    });
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT) });
    return certificateIn(secure.getPeerCertificate(false));
  } catch (error) {
    throw error instanceof UploadFailure ? error : unreachable(error);
  } finally {
    socket.destroy();
  }
}

function certificateIn({ fingerprint256, raw }: PeerCertificate): Certificate {
  const lines = raw.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return { fingerprint: fingerprint256, pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

async function askForTls(socket: Socket): Promise<void> {
  await answerOf(socket);
  socket.write('AUTH TLS\r\n');
  const answer = await answerOf(socket);
  if (!answer.startsWith('234'))
    throw new UploadFailure(
      'refused',
      'Der Server bietet keine verschlüsselte Übertragung (FTPS) an. Unverschlüsselt wird nichts gesendet.',
    );
}

/** Waits for the last line of a reply: the one with a space after its number. */
async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  const signal = AbortSignal.timeout(TIMEOUT);
  for (;;) {
    const line = /^\d{3} .*$/m.exec(text);
    if (line && text.endsWith('\n')) return line[0];
    const chunk: unknown = (await once(socket, 'data', { signal }))[0];
    text += String(chunk);
    if (text.length > 10_000) throw unreachable();
  }
}
