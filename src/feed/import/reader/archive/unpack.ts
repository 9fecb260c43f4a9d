import fs from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import type { ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { readSignature } from '#feed/import/reader/signature.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { writeWhole } from '#feed/import/reader/text/write-whole.ts';
import { tarEntries, tarStream } from './tar.ts';
import { refuseUnpacked, UnpackMeter, unpackError, ZipArchive } from './zip.ts';

/** An unpacked data file; `name` is a hint for its format. */
export type DataFile = { path: string; name: string; workbook: 'xlsx' | 'ods' | 'xls' | undefined };
export type Unpacked = { files: DataFile[]; archive?: 'gz' | 'zip' | 'tar' };

type Member = { fileName: string; uncompressedSize: number };

export type UnpackJob = {
  file: string;
  name: string;
  folder: string;
  limits: ImportLimits;
  warnings: Warnings;
  /** Receives the number of packed bytes read since the last call. */
  onBytes: (count: number) => void;
};

const dataNames = /\.(csv|tsv|tab|txt|json|jsonl|ndjson|xml|rss|atom|xlsx|xls|ods|html?)$/iu;

export function readHead(file: string, length = 65_536): Buffer {
  const descriptor = fs.openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, length, 0));
  } finally {
    fs.closeSync(descriptor);
  }
}

export function refuseForeign(what: string): never {
  throw new Refusal(
    'foreign_format',
    `Die Datei ist ${what}; solche Dateien liest Kontor nicht. Es wurde nichts importiert. Bitte liefern Sie CSV, JSON, XML, Excel (.xlsx, .xls) oder OpenDocument (.ods).`,
  );
}

function refuseNested(): never {
  throw new Refusal(
    'nested_archive',
    'Das Archiv enthält ein weiteres Archiv. Es wurde nichts importiert. Bitte packen Sie die Artikeldatei nur einmal.',
  );
}

async function pour(from: Readable, target: string, onChunk: (bytes: number) => void): Promise<void> {
  const descriptor = fs.openSync(target, 'w');
  try {
    for await (const data of from) {
      if (!Buffer.isBuffer(data)) continue;
      onChunk(data.length);
      writeWhole(descriptor, data);
    }
  } catch (error) {
    throw unpackError(error);
  } finally {
    fs.closeSync(descriptor);
    from.destroy();
  }
}

async function gunzip(job: UnpackJob): Promise<string> {
  const target = path.join(job.folder, 'unpacked');
  const meter = new UnpackMeter(job.limits, fs.statSync(job.file).size);
  const source = fs.createReadStream(job.file, { highWaterMark: 262_144 });
  const inflater = zlib.createGunzip({ chunkSize: 262_144 });
  let taken = 0;
  source.on('data', (data) => (taken += data.length));
  source.on('error', (error) => inflater.destroy(error));
  source.pipe(inflater);
  try {
    await pour(inflater, target, (bytes) => {
      meter.add(bytes);
      // Not in the listener above: an error thrown there would end the process.
      job.onBytes(taken);
      taken = 0;
    });
  } finally {
    source.destroy();
  }
  return target;
}

/** Returns the kind of workbook that an archive is; undefined if it is none. @throws Refusal if it is another document */
export async function workbookKind(zip: ZipArchive): Promise<DataFile['workbook']> {
  if (zip.find('xl/workbook.bin')) refuseForeign('eine binäre Excel-Arbeitsmappe (.xlsb)');
  if (zip.find('xl/workbook.xml')) return 'xlsx';
  const mime = zip.find('mimetype');
  // A workbook with a password may hold its content in one encrypted package.
  if (mime && (zip.find('content.xml') ?? zip.find('encrypted-package'))) {
    if (/opendocument\.spreadsheet/u.test(await zip.text(mime, 1000))) return 'ods';
    refuseForeign('ein OpenDocument, aber keine Tabelle (.ods)');
  }
  const holds = (pattern: RegExp) => zip.entries.some(({ fileName }) => pattern.test(fileName));
  // Any archive may contain an index.zip; Numbers adds parts of its own next to it.
  const besideIndex = /^(metadata\/|preview\.jpg$|buildversionhistory\.plist$)/iu;
  if (zip.find('index/document.iwa') ?? (holds(besideIndex) && zip.find('index.zip')))
    refuseForeign('eine Tabelle von Apple Numbers (.numbers, dort als Excel oder CSV zu exportieren)');
  if (zip.find('word/document.xml')) refuseForeign('ein Word-Dokument');
  // If a workbook was zipped again together with its folder, all its parts are inside that folder.
  if (holds(/(^|\/)\[content_types\]\.xml$/iu) && holds(/workbook\.xml$/iu)) return 'xlsx';
  if (zip.find('[content_types].xml')) refuseForeign('ein Office-Dokument ohne Arbeitsmappe');
  return undefined;
}

/** Returns the data files of an archive: files named like data, without notes and system files, of one format only. */
function chooseMembers<T extends Member>(entries: readonly T[], warnings: Warnings): T[] {
  const visible = entries.filter(
    (entry) =>
      !/(^|\/)(__MACOSX\/|META-INF\/|\.|Thumbs\.db$|desktop\.ini$)/iu.test(entry.fileName) &&
      entry.uncompressedSize > 0,
  );
  const named = visible.filter((entry) => dataNames.test(entry.fileName));
  const archives = visible.filter((entry) => /\.(zip|gz|7z|rar|tar|tgz|bz2|xz)$/iu.test(entry.fileName));
  if (named.length === 0 && archives.length > 0) refuseNested();
  const groups = new Map<string, T[]>();
  for (const entry of named.length > 0 ? named : visible) {
    const kind = /\.([a-z]+)$/iu.exec(entry.fileName)?.[1]?.toLowerCase() ?? '';
    const list = groups.get(kind) ?? [];
    groups.set(kind, [...list, entry]);
  }
  if (groups.size > 1) groups.delete('txt');
  const size = (list: readonly T[]) => list.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  const [largest, ...others] = [...groups.values()].toSorted((a, b) => size(b) - size(a));
  if (others.length > 0) {
    const names = others
      .flat()
      .slice(0, 5)
      .map((entry) => `„${entry.fileName}“`)
      .join(', ');
    warnings.once('zip_members_skipped', `Das Archiv enthält Dateien verschiedener Art. Nicht gelesen: ${names}.`);
  }
  return (largest ?? []).toSorted((a, b) => entries.indexOf(a) - entries.indexOf(b));
}

async function unzip(job: UnpackJob, file: string, folder: string, nested: boolean): Promise<DataFile[]> {
  const zip = await ZipArchive.open(file, job.limits);
  try {
    const workbook = await workbookKind(zip);
    if (workbook) return [{ path: file, name: job.name, workbook }];
    if (nested) refuseNested();
    const chosen = chooseMembers(zip.entries, job.warnings);
    if (chosen.length === 0) {
      throw new Refusal(
        'zip_empty',
        'Das ZIP-Archiv enthält keine Artikeldatei. Es wurde nichts importiert. Bitte packen Sie eine CSV-, JSON-, XML- oder Excel-Datei.',
      );
    }
    const meter = new UnpackMeter(job.limits, fs.statSync(file).size);
    const files: DataFile[] = [];
    for (const entry of chosen) {
      const target = path.join(folder, `member-${files.length}`);
      meter.announce(entry.uncompressedSize);
      const { compressedSize: packed, uncompressedSize: whole } = entry;
      await pour(await zip.stream(entry), target, (bytes) => {
        meter.add(bytes);
        job.onBytes((bytes / whole) * packed);
      });
      files.push(await inspect(job, target, entry.fileName, true));
    }
    return files;
  } finally {
    zip.close();
  }
}

/** The members of a TAR archive; `packed`: the bytes of the file that came, which count as taken in while members are copied. */
async function untar(job: UnpackJob, file: string, packed: number): Promise<DataFile[]> {
  const chosen = chooseMembers(tarEntries(file, job.limits, job.warnings), job.warnings);
  if (chosen.length === 0) {
    throw new Refusal(
      'archive_empty',
      'Das TAR-Archiv enthält keine Artikeldatei. Es wurde nichts importiert. Bitte packen Sie eine CSV-, JSON-, XML- oder Excel-Datei.',
    );
  }
  const whole = chosen.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (whole > job.limits.archiveBytes) refuseUnpacked(job.limits);
  const files: DataFile[] = [];
  for (const entry of chosen) {
    const target = path.join(job.folder, `member-${files.length}`);
    await pour(tarStream(file, entry), target, (bytes) => job.onBytes((bytes / whole) * packed));
    files.push(await inspect(job, target, entry.fileName, true));
  }
  return files;
}

/** Checks whether an unpacked file is text or a workbook; refuses anything else. */
async function inspect(job: UnpackJob, file: string, name: string, nested: boolean): Promise<DataFile> {
  const signature = readSignature(readHead(file));
  if (signature.kind === 'foreign') refuseForeign(signature.what);
  if (signature.kind === 'gz' || signature.kind === 'tar') refuseNested();
  if (signature.kind === 'compound') return { path: file, name, workbook: 'xls' };
  if (signature.kind !== 'zip') return { path: file, name, workbook: undefined };
  const [inner] = await unzip({ ...job, name }, file, job.folder, nested);
  return inner ?? refuseNested();
}

/** Unpacks gz, zip, tar and tar.gz (content decides, not the name) into the work folder, within limits of size, ratio and entries. */
export async function unpack(job: UnpackJob): Promise<Unpacked> {
  const signature = readSignature(readHead(job.file));
  if (signature.kind === 'foreign') refuseForeign(signature.what);
  if (signature.kind === 'zip') {
    const files = await unzip(job, job.file, job.folder, false);
    return files[0]?.workbook && files[0].path === job.file ? { files } : { files, archive: 'zip' };
  }
  if (signature.kind === 'compound') return { files: [{ path: job.file, name: job.name, workbook: 'xls' }] };
  if (signature.kind === 'tar')
    return { files: await untar(job, job.file, fs.statSync(job.file).size), archive: 'tar' };
  if (signature.kind !== 'gz') return { files: [{ path: job.file, name: job.name, workbook: undefined }] };
  const file = await gunzip(job);
  if (readSignature(readHead(file)).kind === 'tar') {
    const files = await untar(job, file, 0);
    fs.rmSync(file);
    return { files, archive: 'tar' };
  }
  return { files: [await inspect(job, file, job.name.replace(/\.gz$/iu, ''), true)], archive: 'gz' };
}
