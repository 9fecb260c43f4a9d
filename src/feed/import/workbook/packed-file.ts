import type { PackedFile, SheetTable } from '#platform/http/bodies/workbook-upload.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { workbookKind } from '#feed/import/reader/archive/unpack.ts';
import { UnpackMeter, ZipArchive } from '#feed/import/reader/archive/zip.ts';
import { defaultLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { readSignature } from '#feed/import/reader/signature.ts';
import { isWorkbookName, whole } from './packed-workbook.ts';
import { workbookTables } from './workbook-tables.ts';

/** As much as a file may have that is uploaded as it is. */
const limits = { ...defaultLimits, archiveBytes: 20 * 1024 * 1024, archiveRatioFrom: 1024 * 1024 };

const MOST_NAMED = 5;
const isTextName = (name: string): boolean => /\.(?:csv|tsv|tab|txt|json|jsonl|ndjson|xml)$/iu.test(name);
const isHidden = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.|~\$)/u.test(name);
const isNotes = (name: string): boolean => /\.txt$/iu.test(name);

/** Returns the sheets of a workbook, or the only file of a ZIP archive. @throws KontorError saying what is wrong */
export async function packedTables(bytes: Uint8Array): Promise<SheetTable[] | PackedFile> {
  return (await packedFile(Buffer.from(bytes))) ?? workbookTables(bytes);
}

/** Returns the only table or document of a ZIP archive; undefined if the file is a workbook, holds one, or is unreadable. */
async function packedFile(archive: Buffer): Promise<PackedFile | undefined> {
  if (readSignature(archive).kind !== 'zip') return undefined;
  const zip = await ZipArchive.open(archive, limits).catch(noneIfRefused);
  if (zip === undefined) return undefined;
  try {
    // A workbook or another Office document is a ZIP as well: the reader of workbooks reads it, or says what it is.
    if ((await workbookKind(zip).catch(() => 'other')) !== undefined) return undefined;
    const visible = zip.entries.filter(({ fileName, uncompressedSize }) => !isHidden(fileName) && uncompressedSize > 0);
    if (visible.some(({ fileName }) => isWorkbookName(fileName))) return undefined;
    const texts = visible.filter(({ fileName }) => isTextName(fileName));
    const tables = texts.filter(({ fileName }) => !isNotes(fileName));
    const [entry, ...others] = tables.length > 0 ? tables : texts;
    if (entry === undefined) return undefined;
    const names = [entry, ...others].map(({ fileName }) => fileName);
    if (others.length > 0) throw unprocessable('unreadable', severalText(names));
    const meter = new UnpackMeter(limits, archive.length);
    meter.announce(entry.uncompressedSize);
    const file = await whole(await zip.stream(entry), meter);
    if (readSignature(file).kind !== 'text') throw unprocessable('unreadable', noText(entry.fileName));
    return { name: entry.fileName, file };
  } catch (error) {
    throw error instanceof Refusal ? refusalOf(error) : error;
  } finally {
    zip.close();
  }
}

function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
  return undefined;
}

function refusalOf({ code, message }: Refusal): KontorError {
  if (code === 'archive_ratio' || code === 'archive_too_large') return new KontorError(413, 'too_large', largeText);
  return unprocessable('unreadable', code === 'password' ? message : brokenText);
}

function severalText(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map((name) => `„${name}“`);
  const more = names.length > MOST_NAMED ? ` und ${names.length - MOST_NAMED} weitere` : '';
  return `Das ZIP-Archiv enthält mehrere Dateien: ${named.join(', ')}${more}. Es wurde nichts gespeichert. Bitte entpacken Sie es und wählen Sie die richtige.`;
}

const noText = (name: string): string =>
  `Die Datei „${name}“ im ZIP-Archiv ist weder eine Tabelle noch ein anderer Text. Es wurde nichts gespeichert. Bitte entpacken Sie das Archiv und wählen Sie die Datei mit der Tabelle; ein Archiv in einem Archiv wird nicht gelesen.`;
const largeText =
  'Das ZIP-Archiv wird entpackt zu groß: Erlaubt sind 20 MB und das 200-Fache des Archivs. Es wurde nichts gespeichert. Bitte teilen Sie die Datei, oder wählen Sie sie ungepackt.';
const brokenText =
  'Das ZIP-Archiv ist beschädigt oder unvollständig. Es wurde nichts gespeichert. Bitte packen Sie die Datei neu, oder wählen Sie sie ungepackt.';
