import { serverPorts } from '#platform/egress/address-rules.ts';
import type { UploadProtocol } from '#shared/upload/schema.ts';

/** A signed-in connection to a server that receives files. Paths are the server's, separated by '/'. */
export type Remote = {
  readonly protocol: UploadProtocol;
  /** Names of the folders in the start folder. */
  folders(): Promise<string[]>;
  /** Names of the files of a folder. @throws if the folder is not there */
  names(folder: string): Promise<string[]>;
  put(file: string, path: string): Promise<void>;
  /** Size of a file in bytes; undefined if it does not exist. */
  size(path: string): Promise<number | undefined>;
  /** Renames `from` to `to`, replacing a file that already exists there. */
  replace(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  close(): void;
};

/** The server, the credentials, and the confirmed fingerprint of its key or certificate ('' for none). */
export type Account = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly pass: string;
  readonly fingerprint: string;
};

/** Why no server was reached at all. Distinguishing these reveals nothing about inner networks (T3). */
type UnreachedReason = 'unknown_name' | 'refused_address' | 'refused_port' | 'unreachable';

/** Thrown when a server cannot be used. The message is German and reveals nothing about inner networks (T3). */
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
    | 'cut'
    | 'local';
  /** Fingerprint of the key or certificate that a user would have to confirm; '' if the failure is another one. */
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

/** The same message if nothing listens, nothing answers or something other than such a server answers (T3). */
export const unreachable = (cause?: unknown) => unreached('unreachable', cause);

/** No server was reached: the name, the address or the port was refused, or there was no answer. */
export function unreached(code: UnreachedReason, cause?: unknown): UploadFailure {
  return new UploadFailure(code, unreachedTexts[code], { cause });
}

export const isUnreached = ({ code }: UploadFailure): boolean => code in unreachedTexts;

/** The connection broke or the server fell silent; this says nothing about the requested operation. */
export const lineCut = (cause?: unknown) => new UploadFailure('cut', 'Die Verbindung zum Server brach ab.', { cause });

/** The server answers, but not now: it has as many connections as it allows. */
export const busy = (cause?: unknown) =>
  new UploadFailure(
    'refused',
    'Der Server nimmt gerade keine weitere Verbindung an. Hält es an, fragen Sie bitte beim Kanal, wie viele Verbindungen er diesem Zugang zugleich erlaubt.',
    { cause },
  );

/** FTPS transfers lists and files over a connection of their own. */
export const noDataLine = (cause?: unknown) =>
  new UploadFailure(
    'refused',
    'Der Server nimmt die Anmeldung an, öffnet aber keine Verbindung für die Daten. Hält es an, fragen Sie bitte beim Kanal, ob seine Firewall passive FTPS-Verbindungen zulässt und wie sie verschlüsselt sein müssen.',
    { cause },
  );

export const noRoom = (cause?: unknown) =>
  new UploadFailure(
    'refused',
    'Auf dem Server ist kein Platz für die Datei: Sein Speicher oder das Kontingent dieses Zugangs ist voll, oder die Datei ist ihm zu groß. Bitte lassen Sie den Kanal Platz schaffen.',
    { cause },
  );

export const wrongSignIn = (cause?: unknown) =>
  new UploadFailure('sign_in', 'Der Server lehnt die Anmeldung ab. Bitte Benutzername und Passwort prüfen.', { cause });

/** A key or certificate that is not confirmed yet, or differs from the confirmed one (T19). */
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

/** Turns a refusal by the server into this failure; a broken connection keeps its own. */
export function refusedAs(code: 'folder' | 'refused', message: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof UploadFailure ? error : new UploadFailure(code, message, { cause: error });
  };
}

/** Errors of this machine's disk; none of them comes from a socket that is connected. */
const diskErrors: ReadonlySet<unknown> = new Set(['ENOENT', 'EACCES', 'EPERM', 'EIO', 'EISDIR', 'ESTALE', 'ENXIO']);

/** Turns an error in reading our own file into a failure that says so: the channel's server has no part in it. */
export function readAsOurs(error: unknown): never {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && diskErrors.has(one.code) && !('syscall' in one && one.syscall === 'connect'))
      throw new UploadFailure(
        'local',
        'Kontor konnte seine eigene Datei nicht lesen; die Ursache liegt nicht beim Server des Kanals. Dort liegt weiter die bisherige Datei. Es wird erneut versucht; hält es an, wenden Sie sich bitte an den Betreiber von Kontor: seine Festplatte ist zu prüfen.',
        { cause: error },
      );
  throw error;
}

type Renaming = Pick<Remote, 'size' | 'remove'> & { readonly rename: (from: string, to: string) => Promise<unknown> };

/** Suffixes of temporary files: of the new file, and of the old file while it is put aside. */
const TEMPORARY = '.tmp';
const ASIDE = '-alt.tmp';

/** Whether an attempt ended between its two renames: both the file it put aside and its replacement exist. */
export const isStranded = (name: string, names: readonly string[]): boolean =>
  name.endsWith(ASIDE) && names.includes(`${name.slice(0, -ASIDE.length)}${TEMPORARY}`);

/**
 * Replaces a file on a server that does not rename over existing files: the old file is put aside and restored if the new one
 * cannot take its name. If this attempt is killed in between, a later one restores it (`isStranded`).
 */
export async function replaceApart({ size, remove, rename }: Renaming, from: string, to: string): Promise<void> {
  const aside = `${from.slice(0, -TEMPORARY.length)}${ASIDE}`;
  const isThere = (await size(to)) !== undefined;
  if (isThere) await rename(to, aside).catch(stays);
  try {
    await rename(from, to);
  } catch (error) {
    if (isThere)
      await rename(aside, to).catch(
        refusedAs(
          'refused',
          `Unter „${to}“ liegt auf dem Server gerade keine Datei: Die neue ließ sich nicht umbenennen, die bisherige nicht zurück. Die neue liegt unter „${from}“, die bisherige unter „${aside}“. Der nächste Versuch holt die bisherige zurück; gelingt er nicht, benennen Sie eine von beiden auf dem Server um.`,
        ),
      );
    stays(error);
  }
  if (isThere)
    await remove(aside).catch(
      refusedAs(
        'refused',
        `Die neue Datei liegt an ihrer Stelle, aber der Server lässt Kontor die bisherige nicht löschen: Sie liegt unter „${aside}“. Bitten Sie den Kanal, diesem Zugang das Löschen von Dateien zu erlauben.`,
      ),
    );
}

const stays = refusedAs(
  'refused',
  'Der Server lässt die neue Datei nicht an die Stelle der bisherigen: Vielleicht fehlt die Berechtigung, Dateien umzubenennen. Die bisherige liegt dort weiter.',
);

/** The path of a file. No folder means that of the sign-in; `/` is the server's root, another one where no sign-in is locked in. */
export const pathIn = (folder: string, name: string): string => {
  const written = folder.trim();
  return written === '' ? name : `${written.replace(/\/+$/, '')}/${name}`;
};
