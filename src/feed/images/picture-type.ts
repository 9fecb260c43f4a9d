import { imageHead } from './image-size.ts';

/** So many first bytes tell what kind of picture a file is. */
export const TYPE_BYTES = 64;

const mediaTypes = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const;

/**
 * The media type of a picture that pages may show, told by its first bytes, whatever its server calls it; undefined for everything else.
 * SVG is a document that may hold scripts, and is none.
 */
export function pictureType(head: Buffer): string | undefined {
  if (isAvif(head)) return 'image/avif';
  const format = imageHead(head)?.format;
  return format === undefined || format === 'bmp' || format === 'tiff' ? undefined : mediaTypes[format];
}

/** AVIF begins with a box that names what it is compatible with: four bytes length, `ftyp`, its brand, a version, further brands. */
function isAvif(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.readUInt32BE(0), head.length);
  for (let at = 8; at + 4 <= end; at += 4)
    if (at !== 12 && ['avif', 'avis'].includes(head.toString('latin1', at, at + 4))) return true;
  return false;
}
