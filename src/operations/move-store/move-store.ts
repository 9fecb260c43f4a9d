import type { FilePlace } from '#operations/file-places/file-place.ts';
import { severalAtOnce } from '#operations/file-places/several.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { saveFilesPlace } from '#platform/installation-facts.ts';
import { type NewRow, replaceRows } from '#platform/storage/stored-rows.ts';
import type { ToMove } from './stored-in.ts';

/** Returns the key of a moved file. It contains the content's hash, so that a move that was killed finds what it has sent. */
const keyOf = (path: string, sha256: string): string => `${path}.move-${sha256}`;
const MOVED = /\.move-[0-9a-f]{64}$/;

export type Moved = { files: number; bytes: number; sent: number };

/**
 * Copies all files to another place and reads each back; then one transaction makes that place the current one. The source stays
 * unchanged. After a kill it continues when called again: identical files are not sent again. The program must be stopped.
 * `progress` is counted up. @throws 409 if the target holds other files
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
    const exists = await target.has(put);
    const row = exists ? put : await target.put(put, read);
    if (row !== undefined && target.name !== '') rows.push(row);
    progress.files++;
    progress.bytes += known.bytes;
    if (!exists) progress.sent++;
  });
  await target.end();
  await database.system(async (trx) => {
    await replaceRows(trx, rows);
    await saveFilesPlace(trx, { store: target.name }, clock.now());
  });
}
