import { posix } from 'node:path';
import { Client, FTPError } from 'basic-ftp';
import type { UploadProtocol } from '#shared/upload/schema.ts';
import type { Certificate } from './certificate.ts';
import { withReason } from './ftps-reason.ts';
import {
  busy,
  keyFailure,
  lineCut,
  noDataLine,
  noRoom,
  replaceApart,
  type Account,
  type Remote,
  unreachable,
  UploadFailure,
  wrongSignIn,
} from './remote.ts';

const TIMEOUT = 15_000;

/**
 * Signs in to `address`, the checked address of the account's host. A certificate from a trusted authority is accepted; any other
 * only if its fingerprint was confirmed (T19). Data connections are opened to the same host only (T4).
 */
export async function openFtps(
  address: string,
  account: Account,
  protocol: Exclude<UploadProtocol, 'sftp'>,
  certificate: Certificate,
): Promise<Remote> {
  const { host, fingerprint } = account;
  if (fingerprint !== '' && fingerprint !== certificate.fingerprint)
    throw keyFailure(fingerprint, certificate.fingerprint);
  const client = new Client(TIMEOUT);
  client.ftp.verbose = false;
  try {
    await client.access({
      host: address,
      port: account.port,
      user: account.user,
      password: account.pass,
      secure: protocol === 'ftps_implicit' ? 'implicit' : true,
      secureOptions: {
        // Given a name, the library would resolve it again and connect to the result (T2).
        host: address,
        ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
        ...(fingerprint === '' ? {} : pinned(certificate)),
      },
    });
    return remoteOf(client, protocol);
  } catch (error) {
    client.close();
    throw failureOf(error, certificate);
  }
}

/** TLS options that trust exactly this certificate, whatever its issuer and names. */
function pinned({ pem, fingerprint }: Certificate) {
  return {
    ca: [pem],
    allowPartialTrustChain: true,
    checkServerIdentity: (_name: string, { fingerprint256 }: { fingerprint256: string }) =>
      fingerprint256 === fingerprint ? undefined : keyFailure(fingerprint, fingerprint256),
  };
}

/** Not „too many failed logins“, which is about a wrong password. */
const FULL = /too many (users|connections|clients|sessions)|maximum (number|connections|users|clients)/i;

function failureOf(error: unknown, certificate: Certificate): UploadFailure {
  if (error instanceof UploadFailure) return error;
  if (error instanceof FTPError) {
    // Some servers refuse a sign-in too many with the code of a wrong password.
    if (error.code === 421 || (error.code === 530 && FULL.test(error.message))) return busy(error);
    return error.code === 530 ? wrongSignIn(error) : unreachable(error);
  }
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const text = `${code} ${String(error)}`;
  return /CERT|SIGNATURE|ALTNAME|altnames|self.signed/.test(text)
    ? certificateFailure(text, certificate.fingerprint, error)
    : unreachable(error);
}

function certificateFailure(text: string, fingerprint: string, cause: unknown): UploadFailure {
  // A confirmed fingerprint replaces issuer and names, but not the date.
  if (/EXPIRED|NOT_YET_VALID/.test(text))
    return new UploadFailure(
      'certificate',
      `Das Zertifikat des Servers ${/EXPIRED/.test(text) ? 'ist abgelaufen' : 'gilt noch nicht'}. Es wurden keine Zugangsdaten gesendet. Bitten Sie den Kanal, es zu erneuern; einen bisher bestätigten Fingerabdruck bestätigen Sie danach neu.`,
      { cause },
    );
  const reason = /ALTNAME|altnames/.test(text)
    ? 'gilt für einen anderen Namen'
    : 'ist von keiner anerkannten Stelle ausgestellt';
  return new UploadFailure(
    'certificate',
    `Das Zertifikat des Servers ${reason}. Es wurden keine Zugangsdaten gesendet. Wenn Sie den Server kennen, bestätigen Sie seinen Fingerabdruck.`,
    { fingerprint, cause },
  );
}

/** What a reply says whatever the command was; every other one is returned as it is. */
function replied(error: FTPError): UploadFailure | FTPError {
  if (error.code === 421) return busy(error);
  if (error.code === 426) return lineCut(error);
  // 522: the server refuses the encryption of the data connection.
  if (error.code === 425 || error.code === 522) return noDataLine(error);
  return error.code === 452 || error.code === 552 ? noRoom(error) : error;
}

function remoteOf(client: Client, protocol: UploadProtocol): Remote {
  /** Turns a broken connection into its own failure: it is no reply to the command. */
  const answered = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw error instanceof FTPError ? replied(error) : client.closed ? lineCut(error) : error;
    });
  const list = (folder: string) =>
    answered(withReason(client.ftp, () => client.list(folder === '' ? undefined : folder)));
  const listedSize = async (path: string) => {
    const { dir, base } = posix.parse(path);
    return (await list(dir)).find((entry) => entry.isFile && entry.name === base)?.size;
  };
  const size = async (path: string) => {
    try {
      return await answered(client.size(path));
    } catch (error) {
      if (!(error instanceof FTPError) || error.code < 500) throw error;
      // Not every server supports the SIZE command.
      return error.code === 550 ? undefined : listedSize(path);
    }
  };
  const remove = async (path: string) => {
    await answered(client.remove(path));
  };
  const rename = (from: string, to: string) => answered(client.rename(from, to));
  return {
    protocol,
    folders: async () => (await list('')).filter((entry) => entry.isDirectory).map(({ name }) => name),
    names: async (folder) => (await list(folder)).filter((entry) => entry.isFile).map(({ name }) => name),
    put: async (file, path) => {
      await answered(withReason(client.ftp, () => client.uploadFrom(file, path)));
    },
    size,
    replace: async (from, to) => {
      try {
        await rename(from, to);
      } catch (error) {
        if (!(error instanceof FTPError)) throw error;
        await replaceApart({ size, remove, rename }, from, to);
      }
    },
    remove,
    close: () => client.close(),
  };
}
