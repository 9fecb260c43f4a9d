/** The parts of yauzl that are used here; the package has no types. */
declare module 'yauzl' {
  import type { EventEmitter } from 'node:events';
  import type { Readable } from 'node:stream';

  export type Entry = {
    readonly fileName: string;
    readonly compressedSize: number;
    readonly uncompressedSize: number;
    /** Checksum of the unpacked content; 0 if the packing program wrote none. */
    readonly crc32: number;
    readonly externalFileAttributes: number;
    isEncrypted(): boolean;
  };
  export type ZipFile = EventEmitter & {
    readEntry(): void;
    eachEntry(): AsyncIterable<Entry>;
    openReadStream(entry: Entry, answer: (...given: [Error, undefined] | [null, Readable]) => void): void;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
    close(): void;
  };
  type Options = { lazyEntries?: boolean; autoClose?: boolean };
  export function openPromise(path: string, options?: Options): Promise<ZipFile>;
  const yauzl: {
    open(path: string, options: Options, answer: (...given: [Error, undefined] | [null, ZipFile]) => void): void;
    fromBuffer(bytes: Buffer, options: Options, answer: (...given: [Error, undefined] | [null, ZipFile]) => void): void;
  };
  export default yauzl;
}
