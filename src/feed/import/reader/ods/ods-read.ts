import fs from 'node:fs';
import type { Entry } from 'yauzl';
import type { DetectedFormat } from '#shared/import/schema.ts';
import type { DataFile } from '#feed/import/reader/archive/unpack.ts';
import { UnpackMeter, ZipArchive } from '#feed/import/reader/archive/zip.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { type OnSheetRow, readSheetOf } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { readXmlMember } from '#feed/import/reader/xml/xml-member.ts';
import { OdsPart } from './ods-part.ts';

/** Reads an OpenDocument spreadsheet (.ods) as LibreOffice writes it: the chosen sheet, or the first visible one with data. */
export async function readOds(run: ImportRun, file: DataFile): Promise<DetectedFormat> {
  const zip = await ZipArchive.open(file.path, run.limits);
  try {
    const entry = zip.find('content.xml');
    if (!entry || (await isLocked(zip))) refuseLocked();
    const packed = fs.statSync(file.path).size;
    let last: OdsPart | undefined;
    const format = await readSheetOf(run, async (onRow, warnings, onBytes) => {
      last = await readContent(run, { zip, entry, packed }, { onRow, warnings, onBytes });
      return last.sheets;
    });
    last?.sheets.find(({ name }) => name === format.sheet)?.notes.tell(run.warnings);
    return format;
  } finally {
    zip.close();
  }
}

type Content = { zip: ZipArchive; entry: Entry; packed: number };
type Listener = { onRow: OnSheetRow; warnings: Warnings; onBytes: (bytes: number) => void };

async function readContent(run: ImportRun, { zip, entry, packed }: Content, listener: Listener): Promise<OdsPart> {
  const { onRow, warnings, onBytes } = listener;
  const meter = new UnpackMeter(run.limits, packed);
  const part = new OdsPart(run.limits, onRow, (characters) => meter.add(characters));
  await readXmlMember(zip, entry, part, { limits: run.limits, warnings, meter, onBytes });
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
