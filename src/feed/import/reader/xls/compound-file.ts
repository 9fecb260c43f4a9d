import { Refusal } from '#feed/import/reader/refusal.ts';

/** A directory entry: a stream, a storage (folder of streams) or the root; `left`, `right` and `child` are directory indexes. */
type Entry = { name: string; kind: number; left: number; right: number; child: number; start: number; size: number };
const STREAM = 2;
const ROOT = 5;

/** From this value on, a sector number is a mark: end of a chain, free, part of a table. */
const noSector = 0xff_ff_ff_fa;
const entryBytes = 128;

export function refuseBroken(): never {
  throw new Refusal(
    'xls_broken',
    'Die Excel-Datei (.xls) ist beschädigt oder wurde nicht vollständig übertragen. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte speichern Sie sie neu, am besten als .xlsx, und übertragen Sie sie erneut.',
  );
}

/**
 * Microsoft's compound file ([MS-CFB]), the container of .xls: a small file system of sectors chained by tables. Every offset is
 * checked, and no chain is longer than the file, so a circular chain ends.
 */
export class CompoundFile {
  private readonly bytes: Buffer;
  private readonly sectorBytes: number;
  private readonly miniBytes: number;
  private readonly miniBelow: number;
  private readonly table: Uint32Array;
  private readonly miniTable: Uint32Array;
  private readonly mini: Buffer;
  /** Streams directly in the root: those in storages belong to embedded documents. */
  private readonly streams: readonly Entry[];

  /** @throws Refusal if this is no compound file, or it is truncated */
  constructor(bytes: Buffer) {
    if (bytes.length < 512) refuseBroken();
    this.bytes = bytes;
    this.sectorBytes = 2 ** bytes.readUInt16LE(30);
    this.miniBytes = 2 ** bytes.readUInt16LE(32);
    this.miniBelow = bytes.readUInt32LE(56);
    if (![512, 4096].includes(this.sectorBytes) || this.miniBytes !== 64) refuseBroken();
    this.table = this.numbers(this.tableSectors());
    const directory = entriesOf(this.chain(bytes.readUInt32LE(48)));
    const root = directory.find(({ kind }) => kind === ROOT);
    this.streams = root ? childrenOf(directory, root).filter(({ kind }) => kind === STREAM) : [];
    this.miniTable = this.numbers(this.sectorsFrom(bytes.readUInt32LE(60)));
    this.mini = root ? this.chain(root.start).subarray(0, root.size) : Buffer.alloc(0);
  }

  /** Returns the bytes of a stream of the root, ignoring case in its name; undefined if there is none. */
  stream(name: string): Buffer | undefined {
    const found = this.streams.find((stream) => stream.name.toLowerCase() === name.toLowerCase());
    if (!found) return undefined;
    const bytes = found.size < this.miniBelow ? this.miniChain(found.start) : this.chain(found.start);
    if (bytes.length < found.size) refuseBroken();
    return bytes.subarray(0, found.size);
  }

  private sector(number: number): Buffer {
    const start = (number + 1) * this.sectorBytes;
    if (start >= this.bytes.length) refuseBroken();
    return this.bytes.subarray(start, start + this.sectorBytes);
  }

  private numbers(sectors: readonly number[]): Uint32Array {
    const each = this.sectorBytes / 4;
    const numbers = new Uint32Array(sectors.length * each).fill(noSector);
    for (const [place, number] of sectors.entries()) {
      const sector = this.sector(number);
      for (let at = 0; at < Math.floor(sector.length / 4); at += 1)
        numbers[place * each + at] = sector.readUInt32LE(at * 4);
    }
    return numbers;
  }

  /** Returns the sectors that hold the table of all sectors: 109 in the header, further ones in a chain of lists. */
  private tableSectors(): number[] {
    const sectors: number[] = [];
    const all = Math.ceil(this.bytes.length / this.sectorBytes);
    // A table names each sector once; some programs leave unused room after it.
    const mostSectors = Math.ceil(all / (this.sectorBytes / 4)) + 109;
    const take = (number: number) => {
      if (number < noSector) sectors.push(number);
      if (sectors.length > mostSectors) refuseBroken();
    };
    for (let at = 76; at < 512; at += 4) take(this.bytes.readUInt32LE(at));
    let list = this.bytes.readUInt32LE(68);
    for (let seen = 0; list < noSector; seen += 1) {
      if (seen > all) refuseBroken();
      const sector = this.sector(list);
      if (sector.length < this.sectorBytes) refuseBroken();
      for (let at = 0; at < this.sectorBytes - 4; at += 4) take(sector.readUInt32LE(at));
      list = sector.readUInt32LE(this.sectorBytes - 4);
    }
    return sectors;
  }

  private sectorsFrom(start: number): number[] {
    return chainOf(this.table, start);
  }

  private chain(start: number): Buffer {
    return Buffer.concat(this.sectorsFrom(start).map((number) => this.sector(number)));
  }

  private miniChain(start: number): Buffer {
    return Buffer.concat(
      chainOf(this.miniTable, start).map((number) =>
        this.mini.subarray(number * this.miniBytes, (number + 1) * this.miniBytes),
      ),
    );
  }
}

function chainOf(table: Uint32Array, start: number): number[] {
  const chain: number[] = [];
  for (let at = start; at < noSector; at = table[at] ?? refuseBroken()) {
    chain.push(at);
    if (chain.length > table.length) refuseBroken();
  }
  return chain;
}

function entriesOf(directory: Buffer): Entry[] {
  return Array.from({ length: Math.floor(directory.length / entryBytes) }, (_, index) => {
    const at = index * entryBytes;
    const nameBytes = Math.min(directory.readUInt16LE(at + 64), 64);
    return {
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      kind: directory.readUInt8(at + 66),
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    };
  });
}

/** Returns the entries in a storage, a tree of siblings; each is visited once. */
function childrenOf(directory: readonly Entry[], { child }: Entry): Entry[] {
  const found = new Set<Entry>();
  const places = [child];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const entry = directory[place];
    if (!entry || found.has(entry)) continue;
    found.add(entry);
    places.push(entry.left, entry.right);
  }
  return [...found];
}
