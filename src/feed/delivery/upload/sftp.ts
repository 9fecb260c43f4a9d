import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { Client, type SFTPWrapper } from 'ssh2';
import {
  keyFailure,
  lineCut,
  replaceApart,
  type Account,
  type Remote,
  unreachable,
  UploadFailure,
  wrongSignIn,
} from './remote.ts';

/** A key's fingerprint in OpenSSH's notation. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/**
 * Timeouts in milliseconds. `begin`: for the sign-in, and again to open the SFTP channel; `silence`: for each later call, and
 * each piece of a file. Long, because some servers store a file in a remote place before they answer.
 */
const usual = { begin: 15_000, silence: 120_000 };

/** Signs in over a connection that the egress module has opened. Nothing is sent to a server whose key is not confirmed. */
export async function openSftp(socket: Socket, account: Account, limits = usual): Promise<Remote> {
  const client = new Client();
  let waiting: NodeJS.Timeout | undefined;
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    let shown = '';
    client
      .on('ready', () => {
        // A server may answer keep-alives and still never answer this request.
        waiting = setTimeout(() => reject(notBegun()), limits.begin);
        client.sftp((error, opened) => (error ? reject(refused(error)) : resolve(opened)));
      })
      .on('error', (error) => reject(failureOf(error, account, shown)))
      .on('close', () => reject(unreachable()))
      .connect({
        sock: socket,
        username: account.user,
        password: account.pass,
        tryKeyboard: false,
        readyTimeout: limits.begin,
        // Three unanswered keep-alives end the connection: a dead line raises no error by itself.
        keepaliveInterval: 5000,
        hostVerifier: (key: Buffer) => {
          shown = fingerprintOf(key);
          return shown === account.fingerprint;
        },
      });
  })
    .catch((error: unknown) => {
      client.destroy();
      throw error;
    })
    .finally(() => clearTimeout(waiting));
  // A connection that breaks later fails the call in progress.
  client.on('error', () => client.destroy());
  return remoteOf(client, sftp, limits.silence);
}

function failureOf(error: Error & { level?: string }, account: Account, shown: string): UploadFailure {
  if (shown !== '' && shown !== account.fingerprint) return keyFailure(account.fingerprint, shown);
  return error.level === 'client-authentication' ? wrongSignIn(error) : unreachable(error);
}

const refused = (cause: unknown) =>
  new UploadFailure('refused', 'Der Server erlaubt mit diesem Zugang keine Dateiübertragung (SFTP).', { cause });

const notBegun = () =>
  new UploadFailure(
    'refused',
    'Der Server nimmt die Anmeldung an, beginnt dann aber keine Dateiübertragung (SFTP). Bitte fragen Sie beim Kanal, ob sie für diesen Zugang freigeschaltet ist.',
  );

type Done<T> = (error: Error | undefined | null, value?: T) => void;

/**
 * Turns callback calls into promises that also reject when the connection ends or has ended: the library answers none of these.
 * Ends the connection if a call hears nothing for `silence` milliseconds (`heard` reports progress), even if the line is alive.
 */
function callsOver(client: Client, silence: number) {
  const ended = new Promise<never>((_, reject) => {
    client.once('close', () => reject(lineCut()));
  });
  ended.catch(() => undefined);
  return <T>(ask: (done: Done<T>, heard: () => void) => void): Promise<T | undefined> => {
    const waiting = setTimeout(() => client.destroy(), silence);
    const answer = new Promise<T | undefined>((resolve, reject) => {
      ask(
        (error, value) => (error ? reject(error) : resolve(value)),
        () => waiting.refresh(),
      );
    });
    return Promise.race([ended, answer]).finally(() => clearTimeout(waiting));
  };
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 2;

function remoteOf(client: Client, sftp: SFTPWrapper, silence: number): Remote {
  const promised = callsOver(client, silence);
  const list = async (folder: string) =>
    (await promised<{ filename: string; attrs: { isDirectory(): boolean } }[]>((done) =>
      sftp.readdir(folder === '' ? '.' : folder, done),
    )) ?? [];
  const remove = async (path: string) => {
    await promised((done) => sftp.unlink(path, done));
  };
  const size = async (path: string) => {
    try {
      return (await promised<{ size: number }>((done) => sftp.stat(path, done)))?.size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  const rename = (from: string, to: string) => promised((done) => sftp.rename(from, to, done));
  return {
    protocol: 'sftp',
    folders: async () =>
      (await list('')).filter(({ attrs, filename }) => attrs.isDirectory() && !/^\.+$/.test(filename)).map(nameOf),
    names: async (folder) => (await list(folder)).filter(({ attrs }) => !attrs.isDirectory()).map(nameOf),
    put: async (file, path) => {
      await promised((done, heard) => sftp.fastPut(file, path, { step: heard }, done));
    },
    size,
    remove,
    replace: async (from, to) => {
      try {
        await promised((done) => sftp.ext_openssh_rename(from, to, done));
      } catch (error) {
        if (error instanceof UploadFailure) throw error;
        // Not every server can rename over a file.
        await replaceApart({ size, remove, rename }, from, to);
      }
    },
    close: () => client.end(),
  };
}

const nameOf = ({ filename }: { filename: string }): string => filename;
