/** Formats that are recognised by their first bytes. */
export const imageFormats = ['jpg', 'png', 'gif', 'webp', 'bmp', 'tiff'] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** Size in pixels; null if the beginning of the file does not contain it. */
export type ImageHead = { format: ImageFormat; width: number | null; height: number | null };

const unknown = { width: null, height: null };

/** Detects format and size of a picture from its first bytes; undefined if it is no picture. Reads only the given bytes. */
export function imageHead(bytes: Buffer): ImageHead | undefined {
  if (starts(bytes, 0, '\x89PNG\r\n\x1a\n')) return { format: 'png', ...pair(bytes, 16, 4, 'big') };
  if (starts(bytes, 0, 'GIF87a') || starts(bytes, 0, 'GIF89a'))
    return { format: 'gif', ...pair(bytes, 6, 2, 'little') };
  if (starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP')) return { format: 'webp', ...webpSize(bytes) };
  if (starts(bytes, 0, 'BM') && bytes.length >= 26) return { format: 'bmp', ...bmpSize(bytes) };
  if (starts(bytes, 0, 'II*\0') || starts(bytes, 0, 'MM\0*')) return { format: 'tiff', ...unknown };
  if (starts(bytes, 0, '\xff\xd8\xff')) return { format: 'jpg', ...jpegSize(bytes) };
  return undefined;
}

type Size = Pick<ImageHead, 'width' | 'height'>;

const starts = (bytes: Buffer, at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text;

/** Reads width and height from two consecutive numbers. */
function pair(bytes: Buffer, at: number, length: number, order: 'big' | 'little'): Size {
  if (bytes.length < at + 2 * length) return unknown;
  const read = (from: number) => (order === 'big' ? bytes.readUIntBE(from, length) : bytes.readUIntLE(from, length));
  return { width: read(at), height: read(at + length) };
}

/** Heights are negative if the lines are stored from top to bottom. */
function bmpSize(bytes: Buffer): Size {
  if (bytes.readUInt32LE(14) === 12) return pair(bytes, 18, 2, 'little');
  return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
}

function webpSize(bytes: Buffer): Size {
  if (bytes.length < 30) return unknown;
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  // The two upper bits of each number are a scale.
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) % 16_384, height: bytes.readUInt16LE(28) % 16_384 };
  if (kind !== 'VP8L') return unknown;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed % 16_384) + 1, height: (Math.floor(packed / 16_384) % 16_384) + 1 };
}

/** The size is in the first frame header, after segments of any length (previews, colour profiles). */
function jpegSize(bytes: Buffer): Size {
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return unknown;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    const bare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    const length = bare ? 0 : bytes.readUInt16BE(at + 2);
    if (!bare && length < 2) return unknown;
    at += 2 + length;
  }
  return unknown;
}
