import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { workbookKind } from '#feed/import/reader/archive/unpack.ts';
import { unpackError, UnpackMeter, ZipArchive } from '#feed/import/reader/archive/zip.ts';
import type { ImportLimits } from '#feed/import/reader/limits.ts';
import { readSignature } from '#feed/import/reader/signature.ts';
import { unprocessable } from '#platform/errors.ts';

/** A packed workbook may be as large as one that is uploaded as it is. Being packed itself, it hardly grows. */
const packedLimits = { archiveBytes: 64 * 1024 * 1024, archiveRatioFrom: 1024 * 1024 };

export const isWorkbookName = (name: string): boolean =>
  /\.(?:xlsx|xlsm|xls|ods)$/iu.test(name) && !/(?:^|\/)(?:__MACOSX\/|\.|~\$)/u.test(name);

/**
 * Returns the workbook inside of a gz, or the only one in a ZIP archive, which may contain notes and pictures besides; a workbook
 * as it is. @throws KontorError if it contains none or several; Refusal if it is broken or becomes too large
 */
export async function unpackedWorkbook(file: Buffer, importLimits: ImportLimits): Promise<Buffer> {
  const limits = { ...importLimits, ...packedLimits };
  const { kind } = readSignature(file);
  if (kind === 'gz') {
    const gunzip = createGunzip();
    gunzip.end(file);
    return workbookIn(await whole(gunzip, new UnpackMeter(limits, file.length)), limits);
  }
  if (kind !== 'zip') return file;
  const zip = await ZipArchive.open(file, limits);
  try {
    if ((await workbookKind(zip)) !== undefined) return file;
    const [entry, ...others] = zip.entries.filter(({ fileName }) => isWorkbookName(fileName));
    if (entry === undefined) throw unprocessable('unreadable', noneText);
    if (others.length > 0) throw unprocessable('unreadable', severalText);
    const meter = new UnpackMeter(limits, file.length);
    meter.announce(entry.uncompressedSize);
    return await workbookIn(await whole(await zip.stream(entry), meter), limits);
  } finally {
    zip.close();
  }
}

/** Returns an unpacked file. @throws Refusal if it is broken or becomes too large */
export async function whole(stream: Readable, meter: UnpackMeter): Promise<Buffer> {
  const pieces: Buffer[] = [];
  try {
    for await (const data of stream) {
      if (!Buffer.isBuffer(data)) continue;
      meter.add(data.length);
      pieces.push(data);
    }
  } catch (error) {
    throw unpackError(error);
  }
  return Buffer.concat(pieces);
}

/** @throws KontorError if the unpacked file is no workbook: as in imports, a file may be packed only once */
async function workbookIn(file: Buffer, limits: ImportLimits): Promise<Buffer> {
  const { kind } = readSignature(file);
  if (kind === 'compound') return file;
  if (kind !== 'zip') throw unprocessable('unreadable', noneText);
  const zip = await ZipArchive.open(file, limits);
  try {
    if ((await workbookKind(zip)) === undefined) throw unprocessable('unreadable', noneText);
    return file;
  } finally {
    zip.close();
  }
}

const noneText =
  'Die Datei ist ein ZIP-Archiv oder gepackt (gz), enthält aber keine Arbeitsmappe. Es wurde nichts gespeichert. Bitte entpacken Sie die Datei und wählen Sie die, die darin liegt.';
const severalText =
  'Das ZIP-Archiv enthält mehrere Arbeitsmappen. Es wurde nichts gespeichert. Bitte entpacken Sie es und wählen Sie die richtige.';
