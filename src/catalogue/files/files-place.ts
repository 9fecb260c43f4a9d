import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { type FilesPlace, filesPlace, saveFilesPlace } from '#platform/installation-facts.ts';
import { syncPath } from '#platform/storage/files.ts';
import { showTrash } from '#catalogue/trash.ts';

type PlaceDeps = { database: Database; clock: Clock; ids: Pick<Ids, 'id'> };

/** File that identifies the folder. Backups and moves skip it, because of its leading dot. */
const FOLDER_ID = '.folder-id';

const nameOf = (store: string): string => (store === '' ? 'im Datenordner' : `in ${store}`);

/**
 * Checks that this process uses the same file store as all others; to be called at the start, by one process at a time. With
 * other settings it would not find their files, and would store its own where no other process looks. `store`: the bucket as the
 * operator names it, or '' for `folder`, which must then be the one that all processes use.
 * @throws a German sentence
 */
export async function requireFilesPlace(deps: PlaceDeps, store: string, folder: string): Promise<void> {
  const { database, clock } = deps;
  const known = await database.system(async (trx): Promise<FilesPlace> => {
    const place = await filesPlace(trx);
    if (place !== undefined) return place;
    // An installation from before the first use of a bucket has snapshots, and they are in its folder.
    await showTrash(trx);
    const first = await trx.selectFrom('snapshots').select('number').limit(1).executeTakeFirst();
    const found = { store: first === undefined ? store : '' };
    await saveFilesPlace(trx, found, clock.now());
    return found;
  });
  if (known.store !== store)
    throw new Error(
      `Die Dateien dieser Installation liegen ${nameOf(known.store)}, nach den Einstellungen (KONTOR_STORE) dieses Prozesses lägen sie ${nameOf(store)}. ` +
        'Der Start wird verweigert, denn er fände keine davon. Alle Prozesse brauchen dieselben Einstellungen; den Umzug der Dateien macht npm run move-store (docs/deployment.md).',
    );
  // The embedded database is next to its files: no other process can reach it.
  if (store === '' && !database.embedded) await requireSameFolder(deps, known.folder, folder);
}

/** The first process on a database records the id of its folder; others must use the same one. */
async function requireSameFolder(
  { database, clock, ids }: PlaceDeps,
  known: string | undefined,
  folder: string,
): Promise<void> {
  const file = join(folder, FOLDER_ID);
  const own = await idOf(folder);
  if (known === undefined) {
    const id = own === '' ? await markFolder(file, ids.id()) : own;
    await database.system((trx) => saveFilesPlace(trx, { store: '', folder: id }, clock.now()));
  } else if (own !== known) throw otherFolder(folder, file, known);
}

/**
 * Refuses a command on another folder: it would not find the installation's files and must not treat that one as complete.
 * `known`: undefined if no process has recorded its folder yet. @throws a German sentence
 */
export async function refuseOtherFolder(folder: string, known: string | undefined): Promise<void> {
  if (known === undefined || (await idOf(folder)) === known) return;
  throw new Error(
    `Der Ordner ${folder} ist nicht der, in dem die Dateien dieser Installation liegen. Es wurde nichts getan. Bitte setzen Sie KONTOR_DATA wie für das laufende Kontor. ` +
      `Ist es derselbe Ordner, umgezogen oder aus einer Kopie zurückgeholt, so schreiben Sie ${known} in die Datei ${join(folder, FOLDER_ID)}.`,
  );
}

const idOf = async (folder: string): Promise<string> =>
  (await readFile(join(folder, FOLDER_ID), 'utf8').catch(() => '')).trim();

async function markFolder(file: string, id: string): Promise<string> {
  await writeFile(file, `${id}\n`, { mode: 0o600, flush: true });
  await syncPath(dirname(file));
  return id;
}

const otherFolder = (folder: string, file: string, id: string): Error =>
  new Error(
    `Der Ordner ${folder} ist nicht der, in dem die Dateien dieser Installation liegen: ein anderer Prozess hat an derselben Datenbank schon mit einem anderen Ordner gearbeitet. ` +
      'Der Start wird verweigert, denn kein Prozess fände, was der andere ablegt: Hochgeladenes würde nicht importiert, Ergebnisse würden nicht ausgeliefert. ' +
      'Bitte geben Sie allen Prozessen denselben Ordner (KONTOR_DATA, etwa auf einem gemeinsamen Laufwerk), oder legen Sie die Dateien in einen Bucket (KONTOR_STORE, docs/operations.md). ' +
      `Ist es derselbe Ordner, umgezogen oder aus einer Kopie zurückgeholt, so schreiben Sie ${id} in die Datei ${file} und starten noch einmal.`,
  );
