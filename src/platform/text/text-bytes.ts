import iconv from 'iconv-lite';

/** Yields the lines of a chunk with their line ends; a lone CR also ends a line. */
export function* linesOfPiece(piece: Buffer): Generator<Buffer> {
  const feed = piece.indexOf(10);
  const mark = feed < 0 || piece.subarray(0, feed).filter((byte) => byte === 13).length > 2 ? 13 : 10;
  let start = 0;
  while (start < piece.length) {
    const end = piece.indexOf(mark, start);
    const next = end < 0 ? piece.length : end + 1;
    yield piece.subarray(start, next);
    start = next;
  }
}

export type ByteOrderMark = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

export function byteOrderMark(head: Buffer): { encoding: ByteOrderMark; length: number } | undefined {
  const hex = head.subarray(0, 4).toString('hex');
  if (hex.startsWith('fffe0000')) return { encoding: 'utf-32le', length: 4 };
  if (hex.startsWith('0000feff')) return { encoding: 'utf-32be', length: 4 };
  if (hex.startsWith('efbbbf'))
    return {
      encoding: 'utf-8',
      length: hex === 'efbbbfef' && head.subarray(3, 6).toString('hex') === 'efbbbf' ? 6 : 3,
    };
  if (hex.startsWith('fffe')) return { encoding: 'utf-16le', length: 2 };
  if (hex.startsWith('feff')) return { encoding: 'utf-16be', length: 2 };
  return undefined;
}

/** Detects UTF-16 and UTF-32 without a byte order mark by the positions of their NUL bytes. */
export function wideEncoding(head: Buffer): ByteOrderMark | undefined {
  const length = Math.min(head.length, 65_536) & ~3;
  if (length < 8) return undefined;
  const nuls = [0, 0, 0, 0];
  for (let index = 0; index < length; index += 1) if (head[index] === 0) nuls[index & 3] = (nuls[index & 3] ?? 0) + 1;
  const quarter = length / 4;
  const share = nuls.map((count) => count / quarter);
  const [a = 0, b = 0, c = 0, d = 0] = share;
  if (b > 0.6 && c > 0.9 && d > 0.9 && a < 0.2) return 'utf-32le';
  if (a > 0.9 && b > 0.9 && c > 0.6 && d < 0.2) return 'utf-32be';
  if (b > 0.6 && d > 0.6 && a < 0.2 && c < 0.2) return 'utf-16le';
  if (a > 0.6 && c > 0.6 && b < 0.2 && d < 0.2) return 'utf-16be';
  return undefined;
}

/** Returns the encoding named by an XML declaration, an HTML meta element or an HTTP header. */
export function declaredEncoding(head: Buffer, contentType: string | undefined): string | undefined {
  const text = head.subarray(0, 1024).toString('latin1');
  const declared =
    /<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/iu.exec(text)?.[1] ??
    /<meta[^>]*charset\s*=\s*["']?([\w.:-]+)/iu.exec(text)?.[1] ??
    /charset\s*=\s*"?([\w.:-]+)/iu.exec(contentType ?? '')?.[1];
  return declared && iconv.encodingExists(declared) ? declared.toLowerCase() : undefined;
}
