import type { FilePlace } from '#operations/file-places/file-place.ts';
import { severalAtOnce } from '#operations/file-places/several.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { saveFilesPlace } from '#platform/installation-facts.ts';
import { type NewRow, replaceRows } from '#platform/storage/stored-rows.ts';
import type { ToMove } from './stored-in.ts';

/** Keys of a move carry the hash of what they hold, so one that was killed finds what it has sent. */
const keyOf = (path: string, sha256: string): string => `${path}.move-${sha256}`;
const MOVED = /\.move-[0-9a-f]{64}$/;

export type Moved = { files: number; bytes: number; sent: number };

/**
 * Copies all files to another place, each read back there; then, in one transaction, that place counts. The source stays as it is. Killed at
 * any moment it goes on when called again: what lies there and is the same is not sent once more. The program must be stopped.
 * `progress` is counted up. @throws 409 where the target holds anything else
 */
export async function moveStore(
  { database, clock }: { database: Database; clock: Clock },
  files: readonly ToMove[],
  target: FilePlace,
  progress: Moved,
): Promise<void> {
  const foreign = target.name === '' ? undefined : await target.firstFile(MOVED);
  if (foreign !== undefined)
    throw new KontorError(
      409,
      'target_not_empty',
      `Der Dateispeicher ${target.name} ist nicht leer (dort liegt etwa ${foreign}). Es wurde nichts geändert. Bitte nennen Sie mit --to einen leeren Bucket oder einen anderen Ordner darin.`,
    );
  const rows: NewRow[] = [];
  await severalAtOnce(files, async (file) => {
    const { read, ...known } = await file.known();
    const put = { ...known, object: keyOf(file.path, known.sha256) };
    const there = await target.has(put);
    const row = there ? put : await target.put(put, read);
    if (row !== undefined && target.name !== '') rows.push(row);
    progress.files++;
    progress.bytes += known.bytes;
    if (!there) progress.sent++;
  });
  await target.end();
  await database.system(async (trx) => {
    await replaceRows(trx, rows);
    await saveFilesPlace(trx, { store: target.name }, clock.now());
  });
}
