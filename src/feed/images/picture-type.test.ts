import { expect, it } from 'vitest';
import { pictureType } from './picture-type.ts';

const box = (length: number, ...brands: string[]) => {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(length, 0);
  bytes.write(`ftyp${brands.join('')}`, 4, 'latin1');
  return bytes;
};

it.each<[string, Buffer, string | undefined]>([
  ['JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'image/jpeg'],
  ['PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
  ['GIF', Buffer.from('GIF89a'), 'image/gif'],
  ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
  ['AVIF', box(28, 'avif', '\0\0\0\0', 'mif1', 'miaf'), 'image/avif'],
  ['AVIF as a compatible brand', box(28, 'mif1', '\0\0\0\0', 'miaf', 'avif'), 'image/avif'],
  ['a brand after the end of its box', box(16, 'mif1', '\0\0\0\0', 'avif'), undefined],
  ['a minor version that reads like a brand', box(20, 'mif1', 'avif', 'heic'), undefined],
  ['HEIC', box(24, 'heic', '\0\0\0\0', 'mif1', 'heic'), undefined],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
  ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>'), undefined],
  ['an HTML page before an image', Buffer.from('<script>\x89PNG\r\n\x1a\n', 'latin1'), undefined],
  ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(40)]), undefined],
  ['TIFF', Buffer.from('II*\0aaaa', 'latin1'), undefined],
  ['an empty file', Buffer.alloc(0), undefined],
  ['a truncated box', Buffer.from('\0\0\0\x1cftyp', 'latin1'), undefined],
])('T11 the first bytes of %s decide whether it is displayed, and as which type', (_name, head, type) => {
  expect(pictureType(head)).toBe(type);
});
