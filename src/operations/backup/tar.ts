import { createHash } from 'node:crypto';
import { KontorError } from '#platform/errors.ts';

/** The target of a tar: a file, or a sealed file. */
type Target = { writeFile(bytes: Uint8Array): Promise<void> };
/** The source of a tar. */
type Source = {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  stat(): Promise<{ size: number }>;
  close(): Promise<void>;
};

const BLOCK = 512;
/** The largest size that eleven octal digits can express; larger ones are written in binary. */
const LARGEST_OCTAL = 0o77777777777;

/** Writes a tar file (ustar) that every tar program reads; `date` is that of its files. Sizes must be known in advance. */
export class TarWriter {
  private readonly handle: Target;
  private readonly date: Date;
  constructor(handle: Target, date: Date) {
    this.handle = handle;
    this.date = date;
  }

  /** Adds one file and returns the SHA-256 of its content. @throws if the content has another size */
  async add(name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    await this.handle.writeFile(headerOf(name, size, this.date));
    const hash = createHash('sha256');
    let written = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      written += chunk.length;
      await this.handle.writeFile(chunk);
    }
    if (written !== size) throw new Error(`${name} changed while it was read`);
    await this.handle.writeFile(new Uint8Array(padding(size)));
    return hash.digest('hex');
  }

  /** Writes the end of the tar: two empty blocks. */
  async end(): Promise<void> {
    await this.handle.writeFile(new Uint8Array(2 * BLOCK));
  }
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function headerOf(name: string, size: number, date: Date): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const cut = name.length <= 100 ? -1 : name.lastIndexOf('/', 155);
  if (name.length - cut - 1 > 100) throw new Error(`the name ${name} is too long for a TAR header`);
  header.write(name.slice(cut + 1), 0, 'utf8');
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size <= LARGEST_OCTAL) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(
    `${Math.floor(date.getTime() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  if (cut > 0) header.write(name.slice(0, cut), 345);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const sumOf = (header: Uint8Array): number => header.reduce((sum, byte) => sum + byte, 0);

/** Position and size of a file inside a tar. */
type Entry = { readonly offset: number; readonly size: number };

/** Reads a tar that `TarWriter` wrote, its entries in any order. */
export class TarReader {
  private readonly handle: Source;
  readonly entries: ReadonlyMap<string, Entry>;

  private constructor(handle: Source, entries: ReadonlyMap<string, Entry>) {
    this.handle = handle;
    this.entries = entries;
  }

  /** @throws 422 if the file is not a tar, or its end is missing */
  static async open(handle: Source): Promise<TarReader> {
    try {
      return new TarReader(handle, await entriesOf(handle));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw damaged(`Der Eintrag ${name} fehlt.`);
    for (let done = 0; done < entry.size;) {
      const chunk = Buffer.allocUnsafe(Math.min(entry.size - done, 1024 * 1024));
      const { bytesRead } = await this.handle.read(chunk, 0, chunk.length, entry.offset + done);
      if (bytesRead === 0) throw damaged('Die Datei endet zu früh.');
      done += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }

  async text(name: string): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(name)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  async sha256(name: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of this.read(name)) hash.update(chunk);
    return hash.digest('hex');
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Returns the error for a damaged backup; nothing was restored from it. */
export const damaged = (why: string): KontorError =>
  new KontorError(
    422,
    'backup_damaged',
    `Diese Sicherung ist beschädigt oder unvollständig: ${why} Es wurde nichts wiederhergestellt. Bitte nehmen Sie eine andere Sicherung.`,
  );

async function entriesOf(handle: Source): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const { size: end } = await handle.stat();
  for (let offset = 0; ;) {
    const header = Buffer.alloc(BLOCK);
    const { bytesRead } = await handle.read(header, 0, BLOCK, offset);
    if (bytesRead < BLOCK) throw damaged('Die Datei endet zu früh.');
    if (header.every((byte) => byte === 0)) return entries;
    const checksum = Number.parseInt(header.toString('latin1', 148, 154), 8);
    header.fill(' ', 148, 156);
    if (checksum !== sumOf(header)) throw damaged('Sie ist kein Archiv von Kontor, oder ein Kopf darin ist zerstört.');
    const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : parseOctal(header, 124, 135);
    const prefix = textAt(header, 345, 500);
    const name = textAt(header, 0, 100);
    if (offset + BLOCK + size > end) throw damaged('Die Datei endet zu früh.');
    entries.set(prefix === '' ? name : `${prefix}/${name}`, { offset: offset + BLOCK, size });
    offset += BLOCK + size + padding(size);
  }
}

const parseOctal = (header: Buffer, from: number, to: number): number =>
  Number.parseInt(header.toString('latin1', from, to), 8);

function textAt(header: Buffer, from: number, to: number): string {
  const text = header.toString('utf8', from, to);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
