import fs from 'node:fs';
import { Readable } from 'node:stream';
import { countText, type ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';

/** A file in a TAR archive; `start` is its first byte there. */
export type TarEntry = { fileName: string; uncompressedSize: number; start: number };

const BLOCK = 512;
/** Longest extended header that is read: it holds little more than a name. */
const MOST_HEADER = 65_536;

function refuseBroken(): never {
  throw new Refusal(
    'archive_broken',
    'Das TAR-Archiv ist beschädigt oder unvollständig. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte packen oder übertragen Sie die Datei erneut.',
  );
}

function refuseUnsafe(what: string): never {
  throw new Refusal(
    'tar_unsafe',
    `Das TAR-Archiv enthält ${what}. Es wurde nichts importiert. Bitte packen Sie die Artikeldatei selbst neu.`,
  );
}

const textAt = (header: Buffer, from: number, length: number): string => {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
};

/** An octal number, or a binary one where the first bit is set (files beyond 8 GB); NaN if it is neither. */
function numberAt(header: Buffer, from: number, length: number): number {
  if (((header[from] ?? 0) & 0x80) !== 0) return header.readUIntBE(from + length - 6, 6);
  const digits = textAt(header, from, length).trim();
  return /^[0-7]*$/u.test(digits) ? Number.parseInt(`0${digits}`, 8) : Number.NaN;
}

/** The sum of all bytes of a header, its own field counted as blanks. */
export function hasRightSum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  return sum === numberAt(header, 148, 8);
}

/** The `path` of an extended header: lines of `<length> <name>=<value>`. */
const paxPath = (content: Buffer): string | undefined =>
  /^\d+ path=(.*)$/mu.exec(content.toString('utf8'))?.[1]?.split('\0', 1)[0];

/**
 * Returns the files of a TAR archive, without its folders; names are checked, contents are not read. Links are skipped with a
 * warning.
 * @throws Refusal of a damaged or cut archive, of links without any file, of sparse files, of paths out of the archive, and of too
 * many entries
 */
export function tarEntries(file: string, limits: ImportLimits, warnings: Warnings): TarEntry[] {
  const descriptor = fs.openSync(file, 'r');
  try {
    const { entries, links } = listEntries(descriptor, limits);
    if (links.length > 0) warnOfLinks(warnings, entries, links);
    return entries;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** A link names a file whose content the archive may lack, so a file of a catalogue can be missing. */
function warnOfLinks(warnings: Warnings, entries: readonly TarEntry[], links: readonly string[]): void {
  if (entries.length === 0) refuseUnsafe('nur Verknüpfungen und keine Dateien');
  const names = links
    .slice(0, 5)
    .map((name) => `„${name}“`)
    .join(', ');
  warnings.once(
    'tar_links_skipped',
    `Das TAR-Archiv enthält Verknüpfungen. Sie wurden nicht gelesen: ${names}${links.length > 5 ? ` und ${countText(links.length - 5)} weitere` : ''}. Falls darin Artikel stehen, packen Sie bitte die Dateien selbst.`,
  );
}

function listEntries(descriptor: number, limits: ImportLimits): { entries: TarEntry[]; links: string[] } {
  const { size: whole } = fs.fstatSync(descriptor);
  const bytes = (at: number, length: number): Buffer => {
    const buffer = Buffer.alloc(length);
    return fs.readSync(descriptor, buffer, 0, length, at) === length ? buffer : refuseBroken();
  };
  const entries: TarEntry[] = [];
  const links: string[] = [];
  let longName: string | undefined;
  let seen = 0;
  for (let at = 0; at < whole;) {
    const header = bytes(at, BLOCK);
    if (header.every((byte) => byte === 0)) return { entries, links };
    const size = numberAt(header, 124, 12);
    const start = at + BLOCK;
    if (!hasRightSum(header) || !Number.isSafeInteger(size) || start + size > whole) refuseBroken();
    seen += 1;
    if (seen > 2 * limits.archiveEntries) refuseMany(limits);
    const type = textAt(header, 156, 1);
    const prefix = textAt(header, 345, 155);
    const short = textAt(header, 0, 100);
    if (type === 'x' || type === 'L') {
      if (size > MOST_HEADER) refuseBroken();
      const content = bytes(start, size);
      if (type === 'x' && /^\d+ GNU\.sparse\./mu.test(content.toString('utf8'))) refuseSparse();
      longName = type === 'L' ? textAt(content, 0, size) : (paxPath(content) ?? longName);
    } else if (type !== 'g' && type !== 'K') {
      const fileName = longName ?? (prefix === '' ? short : `${prefix}/${short}`);
      longName = undefined;
      if (type === 'S') refuseSparse();
      // Nothing is written by the name of a link.
      if (type === '1' || type === '2') links.push(fileName);
      else if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/iu.test(fileName))
        refuseUnsafe('Einträge, die außerhalb des Archivs abgelegt werden wollen');
      if ((type === '' || type === '0' || type === '7') && !fileName.endsWith('/'))
        entries.push({ fileName: fileName.replace(/^(?:\.\/)+/u, ''), uncompressedSize: size, start });
      if (entries.length > limits.archiveEntries) refuseMany(limits);
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  // A block of zeros ends every whole archive: without one, files may be missing.
  return refuseBroken();
}

function refuseSparse(): never {
  throw new Refusal(
    'tar_sparse',
    'Das TAR-Archiv enthält eine Datei, die mit ausgelassenen Bereichen gepackt ist (GNU sparse). Es wurde nichts importiert. Bitte packen Sie die Datei ohne die Option „--sparse“.',
  );
}

function refuseMany({ archiveEntries }: ImportLimits): never {
  throw new Refusal(
    'tar_too_many_entries',
    `Das TAR-Archiv enthält mehr als ${countText(archiveEntries)} Einträge. Es wurde nichts importiert. Bitte packen Sie nur die Artikeldatei.`,
  );
}

/** Returns the content of an entry. */
export const tarStream = (file: string, { start, uncompressedSize }: TarEntry): Readable =>
  // A stream of a file reads at least one byte.
  uncompressedSize === 0
    ? Readable.from([])
    : fs.createReadStream(file, { start, end: start + uncompressedSize - 1, highWaterMark: 262_144 });
