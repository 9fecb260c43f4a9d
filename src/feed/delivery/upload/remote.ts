import type { UploadProtocol } from '#shared/upload/schema.ts';

/** A signed-in connection to a server that takes files. Paths are the server's, divided by '/'. */
export type Remote = {
  readonly protocol: UploadProtocol;
  /** Folders in the one that one lands in. */
  folders(): Promise<string[]>;
  /** Names of the files of a folder. @throws if the folder is not there */
  names(folder: string): Promise<string[]>;
  put(file: string, path: string): Promise<void>;
  /** Bytes of a file; undefined if it is not there. */
  size(path: string): Promise<number | undefined>;
  /** Takes the place of a file that is there already. */
  replace(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  close(): void;
};

/** Where to, as whom, and whose key or certificate was confirmed ('' for none). */
export type Account = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly pass: string;
  readonly fingerprint: string;
};

/** Why a server could not be used. The message is German and tells nothing about inner networks (T3). */
export class UploadFailure extends Error {
  readonly code:
    | 'unreachable'
    | 'sign_in'
    | 'unknown_key'
    | 'changed_key'
    | 'certificate'
    | 'folder'
    | 'refused'
    | 'cut';
  /** Of the key or certificate that somebody would have to confirm. */
  readonly fingerprint: string;

  constructor(code: UploadFailure['code'], message: string, options: { fingerprint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fingerprint = options.fingerprint ?? '';
  }
}

export const unreachable = (cause?: unknown) =>
  new UploadFailure(
    'unreachable',
    'Der Server ist unter dieser Adresse und diesem Port nicht erreichbar. Bitte Host und Port prüfen.',
    { cause },
  );

export const wrongSignIn = (cause?: unknown) =>
  new UploadFailure('sign_in', 'Der Server lehnt die Anmeldung ab. Bitte Benutzername und Passwort prüfen.', { cause });

/** A key that nobody has confirmed yet, or another one than was confirmed (T19). */
export function keyFailure(confirmed: string, fingerprint: string): UploadFailure {
  if (confirmed === '')
    return new UploadFailure(
      'unknown_key',
      'Der Schlüssel des Servers ist noch nicht bestätigt. Bitte vergleichen Sie den Fingerabdruck mit den Angaben des Kanals und bestätigen Sie ihn.',
      { fingerprint },
    );
  return new UploadFailure(
    'changed_key',
    'Der Server weist sich mit einem anderen Schlüssel aus als bestätigt. Es wurde nichts übertragen. Fragen Sie beim Kanal nach, bevor Sie den neuen bestätigen.',
    { fingerprint },
  );
}

export const pathIn = (folder: string, name: string): string => {
  const clean = folder.trim().replace(/\/+$/, '');
  return clean === '' ? name : `${clean}/${name}`;
};
