import type { ImageRule } from '#shared/channels/schema.ts';
import type { ImageCheck } from './look.ts';

/** Faults of a picture, in the order of their bits. */
export const imageKinds = ['image_gone', 'no_image', 'image_small', 'image_heavy'] as const;
export type ImageKind = (typeof imageKinds)[number];

/** Returns a picture's faults by the channel's rule. A size that the file's beginning does not contain is no fault. */
export function judgeImage({ status, format, width, height, bytes }: ImageCheck, rule: ImageRule): ImageKind[] {
  if (status < 200 || status >= 300) return ['image_gone'];
  if (format === null || (rule.formats.length > 0 && !rule.formats.includes(format))) return ['no_image'];
  const kinds: ImageKind[] = [];
  const known = width !== null && height !== null;
  const small = known && (width < rule.minWidth || height < rule.minHeight);
  if (small || (known && rule.minLongSide !== undefined && Math.max(width, height) < rule.minLongSide))
    kinds.push('image_small');
  if (rule.maxBytes !== undefined && bytes !== null && bytes > rule.maxBytes) kinds.push('image_heavy');
  return kinds;
}

/** Returns the channel's limit, for the sentence about each kind of fault. */
export function expectedOf(kind: ImageKind, rule: ImageRule): string {
  if (kind === 'image_heavy') return `${Math.round((rule.maxBytes ?? 0) / 1_000_000)} MB`;
  if (kind !== 'image_small') return '';
  return rule.minLongSide === undefined
    ? `mindestens ${rule.minWidth} × ${rule.minHeight} Pixel`
    : `längere Seite mindestens ${rule.minLongSide} Pixel`;
}
