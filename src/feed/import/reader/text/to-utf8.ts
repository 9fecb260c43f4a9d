import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import iconv from 'iconv-lite';
import { codePageOf, decodeLine, isSingleByte, readAs } from '#platform/text/code-page.ts';
import { byteOrderMark, declaredEncoding, linesOfPiece, wideEncoding } from '#platform/text/text-bytes.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { linePieces, safeEnd, surveyText } from './text-survey.ts';
import { Utf8Watch } from './utf8-watch.ts';
import { readHead } from '#feed/import/reader/archive/unpack.ts';
import { writeWhole } from './write-whole.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';

/** A text file in UTF-8 without NUL bytes; `start` is the offset after a byte order mark. `encoding` is the original's. */
export type Utf8File = { path: string; start: number; size: number; encoding: string };

type Conversion = {
  file: string;
  target: string;
  hint: string | undefined;
  warnings: Warnings;
  onBytes: (count: number) => void;
};

function withoutNul(bytes: Buffer): Buffer {
  return bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
}

const firstHalfAtEnd = /[\ud800-\udbff]$/;

async function decodeWhole(job: Conversion, encoding: string, start: number): Promise<Utf8File> {
  const decoder = iconv.getDecoder(encoding, { stripBOM: true });
  const descriptor = fs.openSync(job.target, 'w');
  // A surrogate pair may be split between two chunks.
  let half = '';
  const write = (text: string) => {
    const all = half + text;
    half = firstHalfAtEnd.exec(all)?.[0] ?? '';
    writeWhole(descriptor, withoutNul(Buffer.from(all.slice(0, all.length - half.length))));
  };
  try {
    for await (const data of fs.createReadStream(job.file, { start, highWaterMark: 1024 * 1024 })) {
      if (!Buffer.isBuffer(data)) continue;
      job.onBytes(data.length);
      write(decoder.write(data));
    }
    writeWhole(descriptor, Buffer.from(half + (decoder.end() ?? '')));
  } finally {
    fs.closeSync(descriptor);
  }
  return { path: job.target, start: 0, size: fs.statSync(job.target).size, encoding };
}

/** Lines that are UTF-8 stay, the others are read in the code page. */
async function decodeLines(job: Conversion, codePage: string | undefined, start: number): Promise<number> {
  const descriptor = fs.openSync(job.target, 'w');
  try {
    for await (const piece of linePieces(job.file, start, job.onBytes)) {
      if (codePage === undefined || isUtf8(piece)) {
        writeWhole(descriptor, withoutNul(piece));
        continue;
      }
      const lines = [...linesOfPiece(piece)].map((line) =>
        isUtf8(line) ? line : Buffer.from(decodeLine(line, codePage)),
      );
      writeWhole(descriptor, withoutNul(Buffer.concat(lines)));
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return fs.statSync(job.target).size;
}

async function detectAndConvert(job: Conversion, start: number, marked: boolean): Promise<Utf8File> {
  const survey = await surveyText(job.file, start, job.onBytes);
  if (survey.nulBytes > 0) {
    job.warnings.once(
      'nul_bytes',
      `Die Datei enthielt ${countText(survey.nulBytes)} ${survey.nulBytes === 1 ? 'NUL-Byte. Es wurde' : 'NUL-Bytes. Sie wurden'} entfernt, alle anderen Zeichen blieben.`,
    );
  }
  const foreign = survey.foreignLines > 0;
  const singleByte = isSingleByte(job.hint);
  const codePage = foreign ? codePageOf(survey.foreignSample, job.hint) : undefined;
  if (foreign && survey.utf8Lines > 0) {
    job.warnings.once(
      'mixed_encoding',
      `Die Datei mischt zwei Zeichensätze: ${countText(survey.foreignLines)} ${survey.foreignLines === 1 ? 'Zeile ist nicht UTF-8 und wurde' : 'Zeilen sind nicht UTF-8 und wurden'} als ${codePage} gelesen. Bitte prüfen Sie die Umlaute.`,
    );
  } else if (foreign && (marked || job.hint?.startsWith('utf-8'))) {
    job.warnings.once(
      'encoding_declared_wrong',
      `Die Datei gibt sich als UTF-8 aus, ist es aber nicht. Sie wurde als ${codePage} gelesen. Bitte prüfen Sie die Umlaute.`,
    );
  } else if (!foreign && survey.utf8Lines > 0 && singleByte) {
    job.warnings.once(
      'encoding_declared_wrong',
      `Angegeben ist der Zeichensatz ${job.hint}, die Datei ist aber UTF-8 und wurde so gelesen.`,
    );
  }
  const encoding = codePage ?? 'utf-8';
  if (!foreign && survey.nulBytes === 0) return { path: job.file, start, size: fs.statSync(job.file).size, encoding };
  const size = await decodeLines(job, codePage === undefined ? undefined : readAs(codePage), start);
  return { path: job.target, start: 0, size, encoding };
}

/** Bytes at the beginning of a file that show its format. */
const BEGINNING = 512 * 1024;

/**
 * Returns a file whose beginning is UTF-8 without NUL bytes and which nothing declares to be anything else; the reader of the
 * whole file must check the remaining bytes. Undefined if the file has to be surveyed first.
 */
export function assumedUtf8(file: string, contentType: string | undefined): Utf8File | undefined {
  const head = readHead(file, BEGINNING);
  const mark = byteOrderMark(head);
  const hint = declaredEncoding(head, contentType);
  const named = hint === undefined || /^utf-?8$/u.test(hint);
  if (!named || (mark ? mark.encoding !== 'utf-8' : wideEncoding(head) !== undefined)) return undefined;
  const size = fs.statSync(file).size;
  const whole = size > head.length ? head.subarray(0, safeEnd(head)) : head;
  if (!new Utf8Watch().holds(whole)) return undefined;
  return { path: file, start: mark?.length ?? 0, size, encoding: 'utf-8' };
}

/**
 * Converts a text file to UTF-8. The content decides, declarations are hints (they are often wrong); `chosen` is the merchant's
 * choice and is obeyed. Clean UTF-8 needs no copy.
 */
export async function toUtf8(request: {
  file: string;
  head: Buffer;
  folder: string;
  chosen: string | undefined;
  contentType: string | undefined;
  warnings: Warnings;
  onBytes: (count: number) => void;
}): Promise<Utf8File> {
  const { file, head, chosen, warnings, onBytes } = request;
  const target = path.join(request.folder, `${path.basename(file)}.utf8`);
  const job: Conversion = { file, target, hint: declaredEncoding(head, request.contentType), warnings, onBytes };
  const mark = byteOrderMark(head);
  const known: boolean = chosen === undefined || iconv.encodingExists(chosen);
  if (!known) {
    throw new Refusal(
      'unknown_encoding',
      `Der Zeichensatz „${chosen}“ ist nicht bekannt. Bitte wählen Sie zum Beispiel UTF-8, Windows-1252 oder ISO-8859-15.`,
    );
  }
  const isUtf8Choice = chosen !== undefined && /^utf-?8$/iu.test(chosen);
  if (chosen !== undefined && !isUtf8Choice) return decodeWhole(job, readAs(chosen.toLowerCase()), mark?.length ?? 0);
  const wide = mark && mark.encoding !== 'utf-8' ? mark.encoding : mark ? undefined : wideEncoding(head);
  if (wide) return decodeWhole(job, wide, mark?.length ?? 0);
  return detectAndConvert(job, mark?.length ?? 0, mark !== undefined || isUtf8Choice);
}
