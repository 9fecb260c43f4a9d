import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { linesOf } from '#platform/text/lines-of.ts';
import { fileEntry, Manifest, MANIFEST, MANIFEST_HASH, tableEntry } from './manifest.ts';
import { openForReading } from './sealed-file.ts';
import { damaged, TarReader } from './tar.ts';

/** A backup whose every byte was verified. */
export type Backup = { readonly archive: TarReader; readonly manifest: Manifest; readonly sealed: boolean };

/**
 * Opens and verifies a backup. @throws 422 if anything is missing or changed, or if it is from a newer program than the
 * migrations in `folder` belong to
 */
export async function openBackup(file: string, folder: string, key?: Buffer): Promise<Backup> {
  const { handle, sealed } = await openForReading(file, key);
  const archive = await TarReader.open(handle);
  try {
    const manifest = await readManifest(archive);
    await refuseNewer(manifest, folder);
    await checkEntries(archive, manifest);
    return { archive, manifest, sealed };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

const FirstFormat = z.object({ format: z.literal(1) });

async function readManifest(archive: TarReader): Promise<Manifest> {
  const text = await archive.text(MANIFEST);
  if (createHash('sha256').update(text).digest('hex') !== (await archive.text(MANIFEST_HASH)))
    throw damaged('Ihr Verzeichnis wurde verändert.');
  const content: unknown = JSON.parse(text);
  if (FirstFormat.safeParse(content).success)
    throw new KontorError(
      422,
      'backup_older',
      'Diese Sicherung hat eine ältere Form. Bitte stellen Sie sie mit der Fassung von Kontor wieder her, mit der gesichert wurde, und bringen Sie diese danach auf den neuesten Stand.',
    );
  const parsed = Manifest.safeParse(content);
  if (!parsed.success) throw damaged('Ihr Verzeichnis hat eine unbekannte Form.');
  return parsed.data;
}

async function refuseNewer({ migrations, program }: Manifest, folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name));
  for (const { name, checksum } of migrations) {
    if (!files.includes(name))
      throw new KontorError(
        422,
        'backup_newer',
        `Diese Sicherung stammt von einer neueren Fassung von Kontor (${program}). Bitte stellen Sie sie mit jener oder einer späteren Fassung wieder her.`,
      );
    const text = await readFile(join(folder, name), 'utf8');
    if (createHash('sha256').update(text).digest('hex') !== checksum)
      throw new KontorError(
        422,
        'backup_other_schema',
        `Die Sicherung wurde mit einer anderen Fassung der Migration ${name} gemacht. Bitte nehmen Sie die Programmdateien, mit denen gesichert wurde.`,
      );
  }
}

async function checkEntries(archive: TarReader, { tables, files }: Manifest): Promise<void> {
  const listed = [
    ...tables.map(({ name, sha256 }) => ({ name: tableEntry(name), sha256 })),
    ...files.map(({ path, sha256 }) => ({ name: fileEntry(path), sha256 })),
  ];
  if (archive.entries.size !== listed.length + 2) throw damaged('Sie enthält anderes, als ihr Verzeichnis sagt.');
  for (const { path } of files)
    if (path.split('/').some((part) => part === '..' || part === '')) throw damaged('Ein Name darin ist ungültig.');
  for (const { name, sha256 } of listed)
    if ((await archive.sha256(name)) !== sha256) throw damaged(`Der Eintrag ${name} wurde verändert.`);
}

const Line = z.string();
const PIECE_BYTES = 2 * 1024 * 1024;

/** Yields the rows of a table in batches. */
export async function* storedRows(archive: TarReader, table: string): AsyncGenerator<string[]> {
  // The reader of the lines gets the errors of both.
  const unpacked = pipeline(archive.read(tableEntry(table)), createGunzip(), () => {});
  let piece: string[] = [];
  let bytes = 0;
  for await (const line of linesOf(unpacked)) {
    piece.push(Line.parse(JSON.parse(line)));
    bytes += line.length;
    if (bytes < PIECE_BYTES) continue;
    yield piece;
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield piece;
}
