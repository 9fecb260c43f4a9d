import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { codePageOf, decodeLine, readAs } from './code-page.ts';
import { byteOrderMark, declaredEncoding, linesOfPiece, wideEncoding } from './text-bytes.ts';

/** Bytes of lines that are not UTF-8 by which the code page is chosen; more say nothing new. */
const JUDGED_BYTES = 64 * 1024;

/**
 * The text of a small file. Its content decides: UTF-16 and UTF-32 by a mark or their NUL bytes, UTF-8 where a line is valid, and for all other
 * lines the code page that reads best (Windows, DOS or Mac). An XML declaration counts only where the bytes do not say more.
 */
export function textOfBytes(bytes: Uint8Array): string {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = byteOrderMark(data);
  const wide = mark === undefined ? wideEncoding(data) : mark.encoding;
  const content = data.subarray(mark?.length ?? 0);
  if (wide !== undefined && wide !== 'utf-8') return iconv.decode(content, wide);
  if (isUtf8(content)) return content.toString('utf8');
  const lines = [...linesOfPiece(content)];
  const foreign = Buffer.concat(lines.filter((line) => !isUtf8(line))).subarray(0, JUDGED_BYTES);
  const codePage = readAs(codePageOf(foreign, declaredEncoding(data, undefined)));
  return lines.map((line) => (isUtf8(line) ? line.toString('utf8') : decodeLine(line, codePage))).join('');
}
