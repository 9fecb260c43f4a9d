import { isAscii, isUtf8 } from 'node:buffer';
import { filePieces } from './file-pieces.ts';
import { linesOfPiece } from '#platform/text/text-bytes.ts';

const longestLine = 4 * 1024 * 1024;

/**
 * Yields a file in chunks that end at a line end where possible, so that no character or line is split. A chunk is valid only
 * until the next is requested.
 */
export async function* linePieces(
  path: string,
  start: number,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  let carried: Buffer = Buffer.alloc(0);
  for await (const data of filePieces(path, start)) {
    onBytes(data.length);
    const end =
      Math.max(data.lastIndexOf(10), carried.length + data.length > longestLine ? data.lastIndexOf(13) : -1) + 1;
    if (end === 0 && carried.length + data.length <= longestLine) {
      carried = Buffer.concat([carried, data]);
      continue;
    }
    const cut = end === 0 ? safeEnd(data) : end;
    // Only the line that began in the previous chunk is joined: copying the whole chunk would cost more than scanning it.
    const first = carried.length > 0 ? Math.min(cut, data.indexOf(10) + 1 || cut) : 0;
    if (first > 0) yield Buffer.concat([carried, data.subarray(0, first)]);
    if (cut > first) yield data.subarray(first, cut);
    carried = Buffer.from(data.subarray(cut));
  }
  if (carried.length > 0) yield carried;
}

/** Returns where a chunk may be cut without splitting a UTF-8 character. */
export function safeEnd(data: Buffer): number {
  for (let back = 1; back <= Math.min(3, data.length); back += 1) {
    const byte = data[data.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return data.length - back;
  }
  return data.length;
}

export type TextSurvey = {
  nulBytes: number;
  /** Number of lines that are not UTF-8. */
  foreignLines: number;
  /** Number of lines with non-ASCII characters that are UTF-8. */
  utf8Lines: number;
  /** Some of the lines that are not UTF-8. */
  foreignSample: Buffer;
};

function countBytes(piece: Buffer, byte: number): number {
  let count = 0;
  for (let at = piece.indexOf(byte); at >= 0; at = piece.indexOf(byte, at + 1)) count += 1;
  return count;
}

/** Checks in one quick pass over all bytes whether the text is UTF-8, and counts the lines that are not. */
export async function surveyText(path: string, start: number, onBytes: (count: number) => void): Promise<TextSurvey> {
  const survey: TextSurvey = { nulBytes: 0, foreignLines: 0, utf8Lines: 0, foreignSample: Buffer.alloc(0) };
  const samples: Buffer[] = [];
  let sampled = 0;
  for await (const piece of linePieces(path, start, onBytes)) {
    if (piece.includes(0)) survey.nulBytes += countBytes(piece, 0);
    if (isUtf8(piece)) {
      if (survey.utf8Lines === 0 && !isAscii(piece)) survey.utf8Lines = 1;
      continue;
    }
    for (const line of linesOfPiece(piece)) {
      if (!isUtf8(line)) {
        survey.foreignLines += 1;
        if (sampled < 262_144) {
          samples.push(Buffer.from(line.subarray(0, 65_536)));
          sampled += Math.min(line.length, 65_536);
        }
      } else if (line.some((byte) => byte > 127)) survey.utf8Lines += 1;
    }
  }
  survey.foreignSample = Buffer.concat(samples);
  return survey;
}
