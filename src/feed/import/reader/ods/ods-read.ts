import fs from 'node:fs';
import type { DetectedFormat } from '#shared/import/schema.ts';
import type { DataFile } from '#feed/import/reader/archive/unpack.ts';
import { UnpackMeter, ZipArchive } from '#feed/import/reader/archive/zip.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { type OnSheetRow, readSheetOf } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { readXmlMember } from '#feed/import/reader/xml/xml-member.ts';
import { OdsPart } from './ods-part.ts';

/** Reads an OpenDocument spreadsheet (.ods) as LibreOffice writes it: the chosen sheet, or the first visible one with data. */
export async function readOds(run: ImportRun, file: DataFile): Promise<DetectedFormat> {
  const zip = await ZipArchive.open(file.path, run.limits);
  try {
    const packed = fs.statSync(file.path).size;
    let last: OdsPart | undefined;
    const format = await readSheetOf(run, async (onRow, warnings, onBytes) => {
      last = await readOdsSheets({ limits: run.limits, warnings, onBytes }, zip, packed, onRow);
      return last.sheets;
    });
    last?.sheets.find(({ name }) => name === format.sheet)?.notes.tell(run.warnings);
    return format;
  } finally {
    zip.close();
  }
}

type Reading = Pick<ImportRun, 'limits' | 'warnings' | 'onBytes'>;

/** Reads all sheets of an OpenDocument spreadsheet. `packed`: the file's size in bytes. */
export async function readOdsSheets(
  { limits, warnings, onBytes }: Reading,
  zip: ZipArchive,
  packed: number,
  onRow: OnSheetRow,
): Promise<OdsPart> {
  const entry = zip.find('content.xml');
  if (!entry || (await isLocked(zip))) refuseLocked();
  const meter = new UnpackMeter(limits, packed);
  const part = new OdsPart(limits, onRow, (characters) => meter.add(characters));
  await readXmlMember(zip, entry, part, { limits, warnings, meter, onBytes });
  return part;
}

/** Whether the content is encrypted with a password; the manifest then says so. */
async function isLocked(zip: ZipArchive): Promise<boolean> {
  const entry = zip.find('META-INF/manifest.xml');
  return entry !== undefined && (await zip.text(entry, 1_000_000)).includes('encryption-data');
}

function refuseLocked(): never {
  throw new Refusal(
    'password',
    'Die Datei ist mit einem Kennwort geschützt. Es wurde nichts importiert. Bitte entfernen Sie das Kennwort.',
  );
}
