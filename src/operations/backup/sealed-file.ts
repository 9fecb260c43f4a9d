import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { KontorError } from '#platform/errors.ts';
import { damaged } from './tar.ts';

/**
 * A sealed backup: a header (magic, salt, check value of the key), then pieces of 64 KiB encrypted with AES-256-GCM, each with
 * its tag. The key is derived with the salt, so it is unique to this file; a piece's nonce is its number and whether it is the
 * last. So the file does not open if pieces were changed, exchanged, left out, or cut off at the end.
 */
const MAGIC = Buffer.from('KONTOR-SEALED-1\n');
const SALT = 16;
const MARK = 16;
const HEAD = MAGIC.length + SALT + MARK;
const PIECE = 64 * 1024;
const TAG = 16;
/** Cost of scrypt: 128 MiB and about half a second per guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const;

const derive = promisify<Buffer, Buffer, number, typeof COST, Buffer>(scrypt);

/**
 * Returns the key that the setting names: the content of a file if it is an absolute path, otherwise the setting itself. @throws
 * a German sentence if neither is usable
 */
export async function readBackupKey(setting: string | undefined): Promise<Buffer | undefined> {
  if (setting === undefined) return undefined;
  const key = setting.startsWith('/')
    ? await readFile(setting).catch(() => {
        throw new Error(`Die Schlüsseldatei ${setting} (KONTOR_BACKUP_KEY) ist nicht lesbar.`);
      })
    : Buffer.from(setting.normalize('NFC'));
  if (key.length < 12)
    throw new Error('Der Schlüssel der Sicherungen (KONTOR_BACKUP_KEY) ist zu kurz: mindestens 12 Zeichen.');
  return key;
}

const fileKey = (secret: Buffer, salt: Buffer): Promise<Buffer> => derive(secret, salt, 32, COST);
const markOf = (key: Buffer): Buffer =>
  createHmac('sha256', key).update('kontor backup key').digest().subarray(0, MARK);

/** Returns a piece's nonce, unique within a file: its number, and whether it is the last. */
function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 0);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

/** Writes into a sealed file. */
export class SealedWriter {
  private readonly handle: FileHandle;
  private readonly key: Buffer;
  private readonly head: Buffer;
  private waiting = Buffer.alloc(0);
  private pieces = 0;

  private constructor(handle: FileHandle, key: Buffer, head: Buffer) {
    this.handle = handle;
    this.key = key;
    this.head = head;
  }

  static async begin(handle: FileHandle, secret: Buffer): Promise<SealedWriter> {
    const salt = randomBytes(SALT);
    const key = await fileKey(secret, salt);
    const head = Buffer.concat([MAGIC, salt, markOf(key)]);
    await handle.writeFile(head);
    return new SealedWriter(handle, key, head);
  }

  async writeFile(bytes: Uint8Array): Promise<void> {
    let rest = Buffer.concat([this.waiting, bytes]);
    // Only the end shows which piece is the last, so one is always kept back.
    for (; rest.length > PIECE; rest = rest.subarray(PIECE)) await this.seal(rest.subarray(0, PIECE), false);
    this.waiting = Buffer.from(rest);
  }

  /** Writes the last piece; to be called once. A file without it does not open. */
  async end(): Promise<void> {
    await this.seal(this.waiting, true);
  }

  private async seal(piece: Buffer, last: boolean): Promise<void> {
    const cipher = createCipheriv('aes-256-gcm', this.key, nonceOf(this.pieces++, last));
    cipher.setAAD(this.head);
    await this.handle.writeFile(Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]));
  }
}

/** Reads a sealed file at any position. */
export class SealedReader {
  private readonly handle: FileHandle;
  private readonly key: Buffer;
  private readonly head: Buffer;
  private readonly pieces: number;
  private readonly size: number;
  private held: { number: number; content: Buffer } | undefined;

  private constructor(handle: FileHandle, key: Buffer, head: Buffer, bytes: number) {
    this.handle = handle;
    this.key = key;
    this.head = head;
    this.pieces = Math.ceil(bytes / (PIECE + TAG));
    this.size = bytes - this.pieces * TAG;
  }

  /** @throws 422 if the key is wrong, or the end is missing */
  static async begin(handle: FileHandle, head: Buffer, secret: Buffer): Promise<SealedReader> {
    const key = await fileKey(secret, head.subarray(MAGIC.length, MAGIC.length + SALT));
    if (!timingSafeEqual(markOf(key), head.subarray(MAGIC.length + SALT)))
      throw new KontorError(
        422,
        'backup_wrong_key',
        'Mit diesem Schlüssel (KONTOR_BACKUP_KEY) lässt sich die Sicherung nicht öffnen: Es ist ein anderer als der, mit dem sie verschlüsselt wurde, oder der Anfang der Datei ist zerstört. Es wurde nichts wiederhergestellt. Bitte setzen Sie den Schlüssel von damals.',
      );
    const reader = new SealedReader(handle, key, head, (await handle.stat()).size - HEAD);
    if (reader.pieces < 1) throw damaged('Die Datei endet zu früh.');
    await reader.piece(reader.pieces - 1);
    return reader;
  }

  async stat(): Promise<{ size: number }> {
    return { size: this.size };
  }

  async read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const until = Math.min(position + length, this.size);
    let at = position;
    while (at < until) {
      const number = Math.floor(at / PIECE);
      const piece = await this.piece(number);
      const copied = piece.copy(buffer, offset + at - position, at - number * PIECE, until - number * PIECE);
      at += copied;
    }
    return { bytesRead: Math.max(0, at - position) };
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async piece(number: number): Promise<Buffer> {
    if (this.held?.number === number) return this.held.content;
    const sealed = Buffer.alloc(PIECE + TAG);
    const { bytesRead } = await this.handle.read(sealed, 0, sealed.length, HEAD + number * (PIECE + TAG));
    if (bytesRead < TAG) throw damaged('Die Datei endet zu früh.');
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonceOf(number, number === this.pieces - 1));
    decipher.setAAD(this.head);
    decipher.setAuthTag(sealed.subarray(bytesRead - TAG, bytesRead));
    try {
      const content = Buffer.concat([decipher.update(sealed.subarray(0, bytesRead - TAG)), decipher.final()]);
      this.held = { number, content };
      return content;
    } catch {
      throw damaged('Ein Stück der verschlüsselten Datei wurde verändert, vertauscht oder abgeschnitten.');
    }
  }
}

/** Opens a file. @throws 422 if there is none, or it is a folder or not readable */
async function openFile(file: string): Promise<FileHandle> {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw missing(file, cause);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw missing(file);
}

const missing = (file: string, cause?: unknown) =>
  new KontorError(
    422,
    'backup_missing',
    `Unter „${file}“ liegt keine lesbare Datei. Bitte prüfen Sie den Pfad und die Rechte. Es wurde nichts wiederhergestellt.`,
    { cause },
  );

/** Opens a backup for reading, sealed or not. @throws 422 if it is not there, or is sealed and the key is missing or wrong */
export async function openForReading(
  file: string,
  secret: Buffer | undefined,
): Promise<{ handle: FileHandle | SealedReader; sealed: boolean }> {
  const handle = await openFile(file);
  try {
    const head = Buffer.alloc(HEAD);
    const { bytesRead } = await handle.read(head, 0, HEAD, 0);
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return { handle, sealed: false };
    if (bytesRead < HEAD) throw damaged('Die Datei endet zu früh.');
    if (secret === undefined)
      throw new KontorError(
        422,
        'backup_sealed',
        'Diese Sicherung ist verschlüsselt. Bitte setzen Sie KONTOR_BACKUP_KEY auf die Passphrase oder die Schlüsseldatei, mit der gesichert wurde.',
      );
    return { handle: await SealedReader.begin(handle, head, secret), sealed: true };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
