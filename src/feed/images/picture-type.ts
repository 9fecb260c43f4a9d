import { imageHead } from './image-size.ts';

/** The number of first bytes that suffice to detect the type of a picture. */
export const TYPE_BYTES = 64;

const mediaTypes = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const;

/**
 * Returns the media type of a picture that pages may show, detected by its first bytes regardless of the server's header;
 * undefined for everything else. SVG is refused: it is a document that may contain scripts.
 */
export function pictureType(head: Buffer): string | undefined {
  if (isAvif(head)) return 'image/avif';
  const format = imageHead(head)?.format;
  return format === undefined || format === 'bmp' || format === 'tiff' ? undefined : mediaTypes[format];
}

/** Whether the file is AVIF: it begins with a box of length (four bytes), `ftyp`, its brand, a version and compatible brands. */
function isAvif(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.readUInt32BE(0), head.length);
  for (let at = 8; at + 4 <= end; at += 4)
    if (at !== 12 && ['avif', 'avis'].includes(head.toString('latin1', at, at + 4))) return true;
  return false;
}
