import { type FileHandle, open } from 'node:fs/promises';
import { type Changes, encodedInteger, structListHead, ThriftReader } from './thrift.ts';

/** Every Parquet file begins and ends with it. */
const MAGIC = Buffer.from('PAR1');
/** The length of the metadata, and the magic bytes after it. */
const TAIL_BYTES = 8;
const PIECE_BYTES = 4 * 1024 * 1024;

/** Ids of the fields of a file's metadata. Source: parquet.thrift of Apache Parquet, `FileMetaData`. */
const SCHEMA = 2;
const ROWS = 3;
const ROW_GROUPS = 4;

/** Integers of a row group that are places in the file (`RowGroup`, `ColumnChunk`, `ColumnMetaData`); 0 stands for none. */
function placesMovedBy(bytes: number): Changes {
  const moved = (place: number): number => (place === 0 ? 0 : place + bytes);
  const ofColumn = { 9: moved, 10: moved, 11: moved, 14: moved };
  return { 1: { 2: moved, 3: ofColumn, 4: moved, 6: moved }, 5: moved };
}

/** The metadata of one file: its bytes, and where the fields stand that joining changes. */
type Metadata = {
  readonly bytes: Buffer;
  readonly schema: Buffer;
  readonly rows: Place & { readonly count: number };
  readonly groups: Place;
};
type Place = { readonly start: number; readonly end: number };

/**
 * Joins Parquet files of the same columns to one: it copies their row groups as they are, because unpacking and packing them again
 * takes as long as computing many of them (docs/decisions/0020).
 */
export class JoinedParquet {
  private readonly target: FileHandle;
  private at = MAGIC.length;
  private first: Metadata | undefined;
  private rows = 0;
  private groups = 0;
  private readonly encodedGroups: Buffer[] = [];

  private constructor(target: FileHandle) {
    this.target = target;
  }

  /** Writes the file `target` with what `fill` adds. @returns its number of rows */
  static async write(target: string, fill: (joined: JoinedParquet) => Promise<void>): Promise<number> {
    const handle = await open(target, 'w');
    try {
      await handle.write(MAGIC, 0, MAGIC.length, 0);
      const joined = new JoinedParquet(handle);
      await fill(joined);
      await joined.finish();
      return joined.rows;
    } finally {
      await handle.close();
    }
  }

  /** Adds the rows of a file after those added before. @throws if its columns differ from those of the first file */
  async add(path: string, signal: AbortSignal): Promise<void> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const metadata = await readMetadata(file, size);
      this.first ??= metadata;
      if (!metadata.schema.equals(this.first.schema)) throw new Error(`${path} has other columns than the first file`);
      this.takeGroups(metadata);
      const end = size - TAIL_BYTES - metadata.bytes.length;
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      for (let from = MAGIC.length; from < end;) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, end - from), from);
        if (bytesRead === 0) throw new Error(`${path} became shorter`);
        await this.append(piece.subarray(0, bytesRead));
        from += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  /** Keeps the descriptions of a file's row groups, with the places that they will have. */
  private takeGroups({ bytes, rows, groups }: Metadata): void {
    const changes = placesMovedBy(this.at - MAGIC.length);
    const reader = new ThriftReader(bytes, groups.start);
    const { count } = reader.listHead();
    const start = reader.place;
    for (let index = 0; index < count; index++) reader.struct(undefined, changes);
    this.encodedGroups.push(reader.changedFrom(start));
    this.groups += count;
    this.rows += rows.count;
  }

  private async finish(): Promise<void> {
    const { first } = this;
    if (first === undefined) throw new Error('nothing was joined');
    const { bytes, rows, groups } = first;
    const metadata = [
      bytes.subarray(0, rows.start),
      encodedInteger(this.rows),
      bytes.subarray(rows.end, groups.start),
      structListHead(this.groups),
      ...this.encodedGroups,
      bytes.subarray(groups.end),
    ];
    const length = Buffer.alloc(4);
    length.writeUInt32LE(metadata.reduce((sum, part) => sum + part.length, 0));
    for (const part of [...metadata, length, MAGIC]) await this.append(part);
  }

  private async append(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await this.target.write(bytes, written, bytes.length - written, this.at + written);
      written += bytesWritten;
    }
    this.at += bytes.length;
  }
}

async function readMetadata(file: FileHandle, size: number): Promise<Metadata> {
  const tail = await readAt(file, size - TAIL_BYTES, TAIL_BYTES);
  if (size < MAGIC.length + TAIL_BYTES || !tail.subarray(4).equals(MAGIC)) throw new Error('not a Parquet file');
  const length = tail.readUInt32LE(0);
  const bytes = await readAt(file, size - TAIL_BYTES - length, length);
  const places = new Map<number, Place>();
  new ThriftReader(bytes).struct((id, start, end) => places.set(id, { start, end }));
  const [schema, rows, groups] = [places.get(SCHEMA), places.get(ROWS), places.get(ROW_GROUPS)];
  if (schema === undefined || rows === undefined || groups === undefined) throw new Error('incomplete metadata');
  return {
    bytes,
    schema: bytes.subarray(schema.start, schema.end),
    rows: { ...rows, count: new ThriftReader(bytes, rows.start).integer() },
    groups,
  };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, Math.max(0, position));
  if (bytesRead !== length) throw new Error('the file is shorter than it says');
  return bytes;
}
