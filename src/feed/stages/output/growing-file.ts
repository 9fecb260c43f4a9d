import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds until a read without new data is repeated: a million items take some seconds. */
const PAUSE_MS = 5;

/**
 * A file that is read from start to end while it is written, so that a reader of all bytes works in parallel with DuckDB instead
 * of after it. The writer may only append.
 */
export class GrowingFile {
  private readonly file: FileHandle;
  /** Resolves when writing is finished. */
  readonly written: Promise<void>;
  private complete = false;
  private constructor(file: FileHandle, written: Promise<void>) {
    this.file = file;
    this.written = written;
  }

  /** Creates the empty file and starts the writer. */
  static async begin(path: string, write: () => Promise<void>): Promise<GrowingFile> {
    const file = await open(path, 'w+');
    const written = write();
    // Handled, because the error is reported by `read` or to callers that await `written`.
    written.catch(() => {});
    return new GrowingFile(file, written);
  }

  /** Fills the memory from byte `at` on; reads less only at the end. @throws the writer's error */
  async read(memory: Uint8Array, at: number): Promise<number> {
    let read = 0;
    while (read < memory.length) {
      const { bytesRead } = await this.file.read(memory, read, memory.length - read, at + read);
      read += bytesRead;
      if (bytesRead > 0) continue;
      if (this.complete) break;
      this.complete = await Promise.race([this.written.then(() => true), wait(PAUSE_MS, false)]);
    }
    return read;
  }

  /** Resolves when writing has ended and the file is closed. */
  async close(): Promise<void> {
    await this.written.catch(() => {});
    await this.file.close();
  }
}
