import { describe, expect, it } from 'vitest';
import { imageHead } from './image-size.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number) => Buffer.concat([u16(value >> 16), u16(value & 65_535)]);
const le = (value: number, length: number) => {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
};
const png = (width: number, height: number) =>
  Buffer.concat([latin('\x89PNG\r\n\x1a\n'), u32(13), latin('IHDR'), u32(width), u32(height), Buffer.alloc(20)]);
const segment = (marker: number, length: number) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(length + 2), Buffer.alloc(length)]);
const frame = (marker: number, width: number, height: number) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(17), Buffer.from([8]), u16(height), u16(width), Buffer.alloc(20)]);
const soi = Buffer.from([0xff, 0xd8]);
const riff = (kind: string, body: Buffer) =>
  Buffer.concat([latin('RIFF'), le(100, 4), latin('WEBP'), latin(kind), le(50, 4), body]);

const cases: [string, Buffer, ReturnType<typeof imageHead>][] = [
  ['PNG', png(640, 480), { format: 'png', width: 640, height: 480 }],
  ['truncated PNG', png(640, 480).subarray(0, 20), { format: 'png', width: null, height: null }],
  ['GIF', Buffer.concat([latin('GIF89a'), le(320, 2), le(200, 2)]), { format: 'gif', width: 320, height: 200 }],
  [
    'JPEG',
    Buffer.concat([soi, segment(0xe0, 14), frame(0xc0, 1200, 900)]),
    { format: 'jpg', width: 1200, height: 900 },
  ],
  [
    'progressive JPEG after a long preview',
    Buffer.concat([soi, segment(0xe1, 40_000), segment(0xdb, 65), segment(0xc4, 30), frame(0xc2, 800, 600)]),
    { format: 'jpg', width: 800, height: 600 },
  ],
  [
    'JPEG with fill bytes',
    Buffer.concat([soi, Buffer.from([0xff, 0xff]), frame(0xc0, 5, 6).subarray(1)]),
    { format: 'jpg', width: 5, height: 6 },
  ],
  [
    'truncated JPEG',
    Buffer.concat([soi, segment(0xe1, 200).subarray(0, 100)]),
    { format: 'jpg', width: null, height: null },
  ],
  [
    'lossy WebP',
    riff('VP8 ', Buffer.concat([Buffer.alloc(6), le(1024, 2), le(768 + 16_384, 2), Buffer.alloc(4)])),
    { format: 'webp', width: 1024, height: 768 },
  ],
  [
    'lossless WebP',
    riff('VP8L', Buffer.concat([Buffer.from([0x2f]), le(99 + 199 * 16_384, 4), Buffer.alloc(10)])),
    { format: 'webp', width: 100, height: 200 },
  ],
  [
    'extended WebP',
    riff('VP8X', Buffer.concat([Buffer.alloc(4), le(2999, 3), le(1999, 3), Buffer.alloc(4)])),
    { format: 'webp', width: 3000, height: 2000 },
  ],
  [
    'BMP',
    Buffer.concat([
      latin('BM'),
      Buffer.alloc(12),
      le(40, 4),
      le(50, 4),
      Buffer.from([0xd8, 0xff, 0xff, 0xff]),
      Buffer.alloc(10),
    ]),
    { format: 'bmp', width: 50, height: 40 },
  ],
  ['TIFF', latin('II*\0aaaaaaaa'), { format: 'tiff', width: null, height: null }],
  ['an HTML page', latin('<!doctype html><html>'), undefined],
  ['an empty file', Buffer.alloc(0), undefined],
];

describe('the format and size from the first bytes of a picture', () => {
  it.each(cases)('CON-06: %s', (_name, bytes, expected) => {
    expect(imageHead(bytes)).toEqual(expected);
  });

  it('reading any truncated picture throws no error', () => {
    for (const [, bytes] of cases)
      for (let end = 0; end < Math.min(bytes.length, 200); end++) imageHead(bytes.subarray(0, end));
  });
});
