import { pipeline, Transform, type Readable } from 'node:stream';
import zlib from 'node:zlib';
import { sizeText } from '#shared/values/size-text.ts';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { countText, type ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';

function broken(error: Error): Refusal {
  if (/relative path|absolute path|invalid characters/iu.test(error.message)) {
    return new Refusal(
      'zip_unsafe',
      'Das ZIP-Archiv enthält Einträge, die außerhalb des Archivs abgelegt werden wollen. Es wurde nichts importiert. Bitte packen Sie die Datei neu.',
    );
  }
  if (/unsupported compression method/iu.test(error.message)) {
    return new Refusal(
      'zip_method',
      'Das ZIP-Archiv ist mit einem Verfahren gepackt, das Kontor nicht liest. Es wurde nichts importiert. Bitte packen Sie die Datei als gewöhnliches ZIP (Verfahren „Deflate“) oder übertragen Sie sie ungepackt.',
    );
  }
  return new Refusal(
    'zip_broken',
    'Das ZIP-Archiv ist beschädigt oder unvollständig. Es wurde nichts importiert. Bitte laden oder packen Sie die Datei neu.',
  );
}

function open(from: string | Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false };
    const answer = (...[error, file]: [Error, undefined] | [null, ZipFile]) => {
      if (error) reject(broken(error));
      else resolve(file);
    };
    if (typeof from === 'string') yauzl.open(from, options, answer);
    else yauzl.fromBuffer(from, options, answer);
  });
}

function isSymlink(entry: Entry): boolean {
  return ((entry.externalFileAttributes >>> 16) & 0o170_000) === 0o120_000;
}

/** Compares a member's content with its checksum: a damaged file would give wrong values. 0: its packing program wrote none. */
function checked(source: Readable, expected: number): Readable {
  let sum = 0;
  const check = new Transform({
    transform(data: Buffer, _encoding, done) {
      sum = zlib.crc32(data, sum);
      done(null, data);
    },
    flush(done) {
      done(expected === 0 || sum === expected ? null : new Error('invalid check sum'));
    },
  });
  // Errors reach the reader of the stream.
  pipeline(source, check, () => undefined);
  return check;
}

/** The entries of a ZIP file without folders. Opening it checks names, kinds and the number of entries against the limits. */
export class ZipArchive {
  private readonly file: ZipFile;
  readonly entries: readonly Entry[];
  private constructor(file: ZipFile, entries: readonly Entry[]) {
    this.file = file;
    this.entries = entries;
  }

  /** `from`: the archive's path, or its bytes. */
  static async open(from: string | Buffer, limits: ImportLimits): Promise<ZipArchive> {
    const file = await open(from);
    try {
      return new ZipArchive(file, await ZipArchive.list(file, limits));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  private static list(file: ZipFile, limits: ImportLimits): Promise<Entry[]> {
    return new Promise((resolve, reject) => {
      const entries: Entry[] = [];
      let seen = 0;
      file.on('error', (error: Error) => reject(broken(error)));
      file.on('end', () => resolve(entries));
      file.on('entry', (entry: Entry) => {
        seen += 1;
        if (seen > limits.archiveEntries) {
          reject(
            new Refusal(
              'zip_too_many_entries',
              `Das ZIP-Archiv enthält mehr als ${countText(limits.archiveEntries)} Einträge. Es wurde nichts importiert. Bitte packen Sie nur die Artikeldatei.`,
            ),
          );
          return;
        }
        if (isSymlink(entry)) {
          reject(
            new Refusal(
              'zip_unsafe',
              'Das ZIP-Archiv enthält Verknüpfungen statt Dateien. Es wurde nichts importiert. Bitte packen Sie die Datei selbst.',
            ),
          );
          return;
        }
        if (!entry.fileName.endsWith('/')) entries.push(entry);
        file.readEntry();
      });
      file.readEntry();
    });
  }

  find(name: string): Entry | undefined {
    const entryName = name.replace(/^\//u, '').toLowerCase();
    return this.entries.find((entry) => entry.fileName.toLowerCase() === entryName);
  }

  stream(entry: Entry): Promise<Readable> {
    if (entry.isEncrypted()) {
      return Promise.reject(
        new Refusal(
          'password',
          'Die Datei ist mit einem Kennwort geschützt. Es wurde nichts importiert. Bitte entfernen Sie das Kennwort.',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      this.file.openReadStream(entry, (error, stream) => {
        if (error) reject(broken(error));
        else resolve(checked(stream, entry.crc32));
      });
    });
  }

  /** Returns the text of a small member; '' if its announced size exceeds `most` bytes. */
  async text(entry: Entry, most: number): Promise<string> {
    if (entry.uncompressedSize > most) return '';
    const pieces: Buffer[] = [];
    try {
      for await (const data of await this.stream(entry)) if (Buffer.isBuffer(data)) pieces.push(data);
    } catch (error) {
      throw unpackError(error);
    }
    return Buffer.concat(pieces).toString('utf8');
  }

  close(): void {
    this.file.close();
  }
}

/** Turns an error of a decompressing stream into a message for the merchant; returns other errors unchanged. */
export function unpackError(error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_') || /invalid|unexpected end|corrupt|bytes|too many|not enough/iu.test(error.message)) {
    return new Refusal(
      'archive_broken',
      'Die gepackte Datei ist beschädigt oder wurde nicht vollständig übertragen. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte übertragen Sie die Datei erneut.',
    );
  }
  return error;
}

export function refuseUnpacked({ archiveBytes }: ImportLimits): never {
  throw new Refusal(
    'archive_too_large',
    `Entpackt ist die Datei größer als ${sizeText(archiveBytes)}, mehr nimmt diese Installation nicht an. Es wurde nichts importiert. Bitte teilen Sie die Datei oder bitten Sie den Betreiber um eine höhere Grenze.`,
  );
}

/** Counts unpacked bytes and refuses archive bombs. */
export class UnpackMeter {
  private readonly limits: ImportLimits;
  private readonly packed: number;
  unpacked = 0;

  constructor(limits: ImportLimits, packed: number) {
    this.limits = limits;
    this.packed = Math.max(1, packed);
  }

  /** Refuses at once a size that the archive itself announces as too large; sizes it hides are counted by `add`. */
  announce(bytes: number): void {
    this.check(this.unpacked + bytes);
  }

  add(bytes: number): void {
    this.unpacked += bytes;
    this.check(this.unpacked);
  }

  private check(unpacked: number): void {
    const { archiveBytes, archiveRatio, archiveRatioFrom } = this.limits;
    if (unpacked > archiveBytes) refuseUnpacked(this.limits);
    if (unpacked > archiveRatioFrom && unpacked / this.packed > archiveRatio) {
      throw new Refusal(
        'archive_ratio',
        `Die Datei wächst beim Entpacken auf mehr als das ${archiveRatio}-Fache. So etwas kommt bei Artikeldaten nicht vor und wird zum Schutz des Servers abgelehnt. Es wurde nichts importiert. Bitte übertragen Sie die Datei ungepackt.`,
      );
    }
  }
}
