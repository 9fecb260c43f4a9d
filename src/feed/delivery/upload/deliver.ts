import { integerText } from '#shared/values/integer-text.ts';
import { isStranded, pathIn, readAsOurs, refusedAs, type Remote, UploadFailure } from './remote.ts';

export type Delivery = {
  /** Path of the local file, and its size in bytes. */
  readonly file: string;
  readonly bytes: number;
  readonly folder: string;
  readonly name: string;
  /** Identifies the delivery in temporary names, so that a later attempt can remove what an earlier one left. */
  readonly mark: string;
};

/**
 * Uploads a file so that the channel sees the complete old file or the complete new one, never a part (I3, FTP-04): under a
 * temporary name, then its size is compared, then it is renamed. Leftovers of failed attempts are removed; an old file that one
 * of them had put aside is restored first.
 */
export async function deliver(remote: Remote, { file, bytes, folder, name, mark }: Delivery): Promise<void> {
  const prefix = `.${name}.`;
  const names = await remote
    .names(folder)
    .catch(
      refusedAs(
        'folder',
        `Das Zielverzeichnis „${folder}“ gibt es auf dem Server nicht, oder es ist nicht lesbar. Bitte prüfen Sie die Schreibweise.`,
      ),
    );
  const left = names.filter((one) => isLeftOf(prefix, one));
  const stranded = names.includes(name) ? undefined : left.find((one) => isStranded(one, left));
  if (stranded !== undefined) await remote.replace(pathIn(folder, stranded), pathIn(folder, name));
  for (const one of left) if (one !== stranded) await remote.remove(pathIn(folder, one)).catch(keptAs(one));
  const keepsOld = keepingOld(names.includes(name) || stranded !== undefined);
  const temporary = pathIn(folder, `${prefix}${mark}.tmp`);
  await remote
    .put(file, temporary)
    .catch(readAsOurs)
    .catch(
      refusedAs(
        'refused',
        'Der Server nimmt die Datei nicht an: Vielleicht fehlt die Schreibberechtigung, es gibt das Zielverzeichnis nicht, oder sein Speicher ist voll. Bitte prüfen Sie das Zielverzeichnis, oder fragen Sie beim Kanal nach.',
      ),
    )
    .catch(keepsOld);
  const arrived = await remote.size(temporary).catch(keepsOld);
  if (arrived === undefined)
    throw new UploadFailure(
      'hidden',
      'Der Server hat die Datei angenommen, zeigt sie aber nicht: Ob sie vollständig ist, lässt sich nicht prüfen. Die bisherige liegt dort weiter. Bitte fragen Sie beim Kanal, ob Dateien, deren Name mit einem Punkt beginnt, dort verborgen oder entfernt werden.',
    );
  if (arrived !== bytes)
    keepsOld(
      new UploadFailure(
        'cut',
        `Auf dem Server kamen ${integerText(arrived)} von ${integerText(bytes)} Bytes an. Es wird erneut versucht.`,
      ),
    );
  await remote.replace(temporary, pathIn(folder, name));
}

/** Adds to a failure that happened before the renaming what it means for the channel. */
const keepingOld =
  (isThere: boolean) =>
  (error: unknown): never => {
    if (!(error instanceof UploadFailure) || !isThere || error.code === 'local') throw error;
    throw new UploadFailure(error.code, `${error.message} Dort liegt weiter die bisherige Datei.`, {
      cause: error.cause,
    });
  };

const keptAs = (name: string) =>
  refusedAs(
    'refused',
    `Auf dem Server liegt „${name}“ von einer früheren Übertragung, und er lässt Kontor sie nicht löschen. Bitten Sie den Kanal, diesem Zugang das Löschen von Dateien zu erlauben.`,
  );

/** Matches `.name.<job>.tmp` only: `.a.csv.` also begins the temporary names of `a.csv.gz`, another export's upload. */
const isLeftOf = (prefix: string, name: string): boolean =>
  name.startsWith(prefix) && /^[A-Za-z0-9_-]+\.tmp$/.test(name.slice(prefix.length));
