import { open, type FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { GrowingFile } from '#feed/stages/output/growing-file.ts';

/** A part of an archive: bytes, or a file that may exceed memory and may still be growing; `look` receives each block of it. */
export type ZipPart = {
  readonly name: string;
  readonly content: Buffer | { readonly file: GrowingFile; readonly look?: (block: Buffer) => void };
};

/** Facts for a part's entry in the central directory. `grows`: the size is known only after its bytes are written. */
type Entry = {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
  wide: boolean;
  far: boolean;
  grows: boolean;
};

const deflate = promisify(deflateRaw);
/** Bytes read, packed and written as one block, without a window on the previous one: at this size that costs nothing. */
const blockBytes = 4 * 1024 * 1024;
/** For a sheet, level 1 makes the file a tenth larger and is no faster; level 3 a tenth smaller, in a fifth more time. */
const level = 2;
/** Ends a stream of deflated blocks: an empty last block. */
const lastBlock = Buffer.from([0x03, 0x00]);
/** From this number of bytes on, sizes and offsets take eight bytes. Below 4 GiB, since packing may enlarge a file slightly. */
const wideFrom = 0xf000_0000;
/** 1 January 1980, the earliest date in an archive: constant, so that equal items produce equal bytes. */
const firstDay = 0x0021;

/**
 * Writes a ZIP archive (APPNOTE 6.3.10: deflate, ZIP64 where needed) to `target`, packed on all cores and flushed to disk.
 * Libraries pack on one core and compute the checksum in JavaScript: twice the work for a workbook's sheet. `limit`: bytes from
 * which ZIP64 is used; tests use a small one.
 */
export async function writeZip(
  target: string,
  parts: readonly ZipPart[],
  signal?: AbortSignal,
  limit = wideFrom,
): Promise<void> {
  const output = await open(target, 'w');
  try {
    const entries: Entry[] = [];
    let offset = 0;
    for (const part of parts) {
      const entry = await writePart(output, part, { offset, far: offset >= limit }, limit, signal);
      entries.push(entry);
      offset += localHeader(entry).length + entry.packed;
    }
    await writeAll(output, directory(entries, offset, offset >= limit), offset);
    await output.sync();
  } finally {
    await output.close();
  }
}

/** Repeats partial writes: a write may silently take only what there is room for, and the next one reports a full disk. */
async function writeAll(output: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let written = 0;
  while (written < bytes.length)
    written += (await output.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
}

/** Writes the part's bytes after the space for its header, which is written last, when checksum and sizes are known. */
async function writePart(
  output: FileHandle,
  part: ZipPart,
  place: { offset: number; far: boolean },
  limit: number,
  signal?: AbortSignal,
): Promise<Entry> {
  const { content } = part;
  const size = Buffer.isBuffer(content) ? content.length : 0;
  const grows = !Buffer.isBuffer(content);
  const entry: Entry = { name: Buffer.from(part.name), crc: 0, packed: 0, size, ...place, wide: size >= limit, grows };
  const start = entry.offset + localHeader(entry).length;
  const write = async (bytes: Buffer) => {
    await writeAll(output, bytes, start + entry.packed);
    entry.packed += bytes.length;
  };
  const packing: Promise<Buffer>[] = [];
  // Buffers for reuse: allocating memory for each block takes a tenth of the packing time.
  const free: Buffer[] = [];
  let read = 0;
  for (;;) {
    signal?.throwIfAborted();
    const memory = free.pop() ?? Buffer.allocUnsafe(grows ? blockBytes : 0);
    const block = await blockAt(content, read, memory);
    if (block.length === 0) break;
    read += block.length;
    entry.crc = crc32(block, entry.crc);
    if (!Buffer.isBuffer(content)) content.look?.(block);
    const packed = deflate(block, { level, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1024 * 1024 });
    packing.push(packed.finally(() => free.push(memory)));
    const oldest = packing.length > availableParallelism() ? packing.shift() : undefined;
    if (oldest) await write(await oldest);
  }
  for (const block of packing) await write(await block);
  await write(lastBlock);
  entry.size = read;
  entry.wide = read >= limit;
  await writeAll(output, localHeader(entry), entry.offset);
  return entry;
}

async function blockAt(content: ZipPart['content'], at: number, memory: Buffer): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content.subarray(at, at + blockBytes);
  return memory.subarray(0, await content.file.read(memory, at));
}

/** The fields common to both headers: version, flag for UTF-8 names, deflate, time, checksum and the two sizes. */
function facts({ crc, packed, size, wide }: Entry): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt16LE(wide ? 45 : 20, 0);
  bytes.writeUInt16LE(0x0800, 2);
  bytes.writeUInt16LE(8, 4);
  bytes.writeUInt16LE(firstDay, 8);
  bytes.writeUInt32LE(crc, 10);
  bytes.writeUInt32LE(wide ? 0xffff_ffff : packed, 14);
  bytes.writeUInt32LE(wide ? 0xffff_ffff : size, 18);
  return bytes;
}

const uint16 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
};
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const uint64 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => bytes.writeBigUInt64LE(BigInt(value), index * 8));
  return bytes;
};

/** The extra field of ZIP64 with the values that do not fit four bytes. */
const inEightBytes = (...values: readonly number[]) =>
  values.length === 0 ? Buffer.alloc(0) : Buffer.concat([uint16(1, values.length * 8), uint64(...values)]);

/** A filler as long as the ZIP64 extra field for two sizes: Open Packaging's growth hint, made to reserve space. */
const room = Buffer.concat([uint16(0xa220, 16, 0xa028, 0), Buffer.alloc(12)]);

function localHeader(entry: Entry): Buffer {
  const narrow = entry.grows ? room : inEightBytes();
  const extra = entry.wide ? inEightBytes(entry.size, entry.packed) : narrow;
  return Buffer.concat([
    Buffer.from('PK\x03\x04'),
    facts(entry),
    uint16(entry.name.length, extra.length),
    entry.name,
    extra,
  ]);
}

function centralHeader(entry: Entry): Buffer {
  const { wide, far } = entry;
  const extra = inEightBytes(...(wide ? [entry.size, entry.packed] : []), ...(far ? [entry.offset] : []));
  return Buffer.concat([
    Buffer.from('PK\x01\x02'),
    uint16(45),
    facts(entry),
    uint16(entry.name.length, extra.length, 0, 0, 0, 0, 0),
    uint32(far ? 0xffff_ffff : entry.offset),
    entry.name,
    extra,
  ]);
}

function directory(entries: readonly Entry[], offset: number, far: boolean): Buffer {
  const headers = Buffer.concat(entries.map(centralHeader));
  const { length: count } = entries;
  const end64 = Buffer.concat([
    Buffer.from('PK\x06\x06'),
    uint64(44),
    uint16(45, 45),
    uint32(0),
    uint32(0),
    uint64(count, count, headers.length, offset),
    Buffer.from('PK\x06\x07'),
    uint32(0),
    uint64(offset + headers.length),
    uint32(1),
  ]);
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06'),
    uint16(0, 0, count, count),
    uint32(headers.length),
    uint32(far ? 0xffff_ffff : offset),
    uint16(0),
  ]);
  return far ? Buffer.concat([headers, end64, end]) : Buffer.concat([headers, end]);
}
