import { serverPorts } from '#platform/egress/address-rules.ts';
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

/** Why no server was reached at all. To tell these apart gives nothing away about inner networks (T3). */
type UnreachedReason = 'unknown_name' | 'refused_address' | 'refused_port' | 'unreachable';

/** Why a server could not be used. The message is German and tells nothing about inner networks (T3). */
export class UploadFailure extends Error {
  readonly code:
    | UnreachedReason
    | 'sign_in'
    | 'unknown_key'
    | 'changed_key'
    | 'certificate'
    | 'folder'
    | 'refused'
    | 'hidden'
    | 'cut';
  /** Of the key or certificate that somebody would have to confirm. */
  readonly fingerprint: string;

  constructor(code: UploadFailure['code'], message: string, options: { fingerprint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fingerprint = options.fingerprint ?? '';
  }
}

const ports = new Intl.ListFormat('de');
const unreachedTexts: Readonly<Record<UnreachedReason, string>> = {
  unknown_name:
    'Zu diesem Namen gibt es im Internet keinen Server. Bitte prüfen Sie die Schreibweise des Hosts, ohne „sftp://“ und ohne Pfad.',
  refused_address:
    'Diese Adresse gehört zu einem internen Netz. Kontor überträgt nur an Server, die im Internet erreichbar sind.',
  refused_port: `Über diesen Port überträgt Kontor nichts. Erlaubt sind ${ports.format([...serverPorts.upload].map(String))}.`,
  unreachable:
    'Unter diesem Host und Port antwortet kein SFTP- oder FTPS-Server. Bitte prüfen Sie beides, und ob der Kanal die Adresse von Kontor freischalten muss.',
};

/** One text, whether nothing listens, nothing answers or something else than such a server does (T3). */
export const unreachable = (cause?: unknown) => unreached('unreachable', cause);

/** Nothing was reached: the name, the address or the port were refused, or nobody answered. */
export function unreached(code: UnreachedReason, cause?: unknown): UploadFailure {
  return new UploadFailure(code, unreachedTexts[code], { cause });
}

export const isUnreached = ({ code }: UploadFailure): boolean => code in unreachedTexts;

/** The connection broke, or nobody answers any more: that says nothing of what was asked for. */
export const lineCut = (cause?: unknown) => new UploadFailure('cut', 'Die Verbindung zum Server brach ab.', { cause });

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

type Renaming = Pick<Remote, 'size' | 'remove'> & { readonly rename: (from: string, to: string) => Promise<unknown> };

/** How the name ends of a temporary file, and that of what it takes the place of while that is put aside. */
const TEMPORARY = '.tmp';
const ASIDE = '-alt.tmp';

/** Whether an attempt ended between its two renames: what it put aside is there, and what was to take its place as well. */
export const isStranded = (name: string, names: readonly string[]): boolean =>
  name.endsWith(ASIDE) && names.includes(`${name.slice(0, -ASIDE.length)}${TEMPORARY}`);

/**
 * A temporary file takes the place of another on a server that does not rename over files: the old one is put aside and comes back where the
 * new one may not stand there. If this attempt is killed meanwhile, a later one puts it back (`isStranded`).
 */
export async function replaceApart({ size, remove, rename }: Renaming, from: string, to: string): Promise<void> {
  const stays = (cause: unknown) =>
    cause instanceof UploadFailure
      ? cause
      : new UploadFailure(
          'refused',
          'Der Server lässt die neue Datei nicht an die Stelle der bisherigen: Vielleicht fehlt die Berechtigung, Dateien umzubenennen. Die bisherige liegt dort weiter.',
          { cause },
        );
  const aside = `${from.slice(0, -TEMPORARY.length)}${ASIDE}`;
  const isThere = (await size(to)) !== undefined;
  try {
    if (isThere) await rename(to, aside);
  } catch (error) {
    throw stays(error);
  }
  try {
    await rename(from, to);
  } catch (error) {
    if (isThere) await rename(aside, to);
    throw stays(error);
  }
  if (isThere) await remove(aside);
}

export const pathIn = (folder: string, name: string): string => {
  const clean = folder.trim().replace(/\/+$/, '');
  return clean === '' ? name : `${clean}/${name}`;
};
