import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';
import { record } from './biff.ts';

const SECTOR = 512;
const END = 0xff_ff_ff_fe;

/** Returns a compound file with one stream, a workbook of up to 60 KB, so that its table fits in one sector. */
function compoundOf(stream: Buffer): Buffer {
  const content = Buffer.alloc(Math.ceil(stream.length / SECTOR) * SECTOR);
  stream.copy(content);
  const sectors = content.length / SECTOR;
  const head = Buffer.alloc(SECTOR);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  head.writeUInt16LE(9, 30);
  head.writeUInt16LE(6, 32);
  head.writeUInt32LE(1, 48);
  head.writeUInt32LE(4096, 56);
  for (const at of [60, 68]) head.writeUInt32LE(END, at);
  head.fill(0xff, 76);
  head.writeUInt32LE(0, 76);
  const table = Buffer.alloc(SECTOR, 0xff);
  // Sectors of the table itself, the directory, then the stream.
  for (const [at, next] of [0xff_ff_ff_fd, END].entries()) table.writeUInt32LE(next, at * 4);
  for (let at = 0; at < sectors; at += 1) table.writeUInt32LE(at === sectors - 1 ? END : at + 3, (at + 2) * 4);
  const directory = Buffer.alloc(SECTOR);
  const entry = (at: number, name: string, { kind, child, start, size }: Record<string, number>) => {
    directory.write(name, at, 'utf16le');
    directory.writeUInt16LE(name.length * 2 + 2, at + 64);
    directory.writeUInt8(kind ?? 0, at + 66);
    for (const [place, value = 0] of [
      [68, 0xff_ff_ff_ff],
      [72, 0xff_ff_ff_ff],
      [76, child],
      [116, start],
      [120, size],
    ] as const)
      directory.writeUInt32LE(value, at + place);
  };
  entry(0, 'Root Entry', { kind: 5, child: 1, start: END, size: 0 });
  entry(128, 'Workbook', { kind: 2, child: 0xff_ff_ff_ff, start: 2, size: content.length });
  return Buffer.concat([head, table, directory, content]);
}

const recordOf = (kind: number, data: Buffer = Buffer.alloc(0)) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(kind, 0);
  bytes.writeUInt16LE(data.length, 2);
  return Buffer.concat([bytes, data]);
};
const UNKNOWN = 0x0f_00;
const begin = recordOf(record.begin);

/**
 * Returns a workbook with one door (the bytes `door`) per sheet. Each sheet begins in its door, `at` bytes in, and continues
 * through all later doors and the same long tail.
 */
function workbook(sheets: number, door: Buffer, at: number): Buffer {
  const version = Buffer.alloc(16);
  version.writeUInt16LE(0x06_00);
  const beginning = recordOf(record.begin, version);
  const ending = recordOf(record.end);
  const doorsAt = beginning.length + sheets * 13 + ending.length;
  const places = Array.from({ length: sheets }, (_, n) => {
    const data = Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 65]);
    data.writeUInt32LE(doorsAt + n * door.length + at);
    return recordOf(record.sheet, data);
  });
  const tail = Array.from({ length: 5000 }, () => recordOf(UNKNOWN));
  return Buffer.concat([beginning, ...places, ending, ...Array.from({ length: sheets }, () => door), ...tail]);
}

describe('T6 a small .xls file with overlapping sheets', () => {
  const read = (stream: Buffer) => importContent(compoundOf(stream), { name: 'artikel.xls', options: { key: null } });

  test.each([
    // Hidden inside a record that the previous sheet skips: each sheet reads the tail as its own.
    ['each inside a record that the previous sheet skips', recordOf(UNKNOWN, begin), 4],
    // Nested in the previous sheet, which skips nested parts.
    ['each nested in the previous sheet', begin, 0],
    ['each as a continuation of the previous sheet', Buffer.concat([begin, recordOf(record.continuation)]), 0],
  ])('is refused before its sheets are read repeatedly: %s', async (_how, door, at) => {
    const { result } = await read(workbook(1000, door, at));
    expect(result).toMatchObject({ ok: false, code: 'xls_broken' });
  });

  test('is distinguished from one whose sheets follow one another', async () => {
    const sheet = Buffer.concat([begin, recordOf(record.end)]);
    const { result } = await read(workbook(1000, sheet, 0));
    expect(result).toMatchObject({ ok: false, code: expect.not.stringContaining('xls_broken') as string });
  });
});
