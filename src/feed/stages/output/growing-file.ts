import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Until the file is looked at again where nothing new stands in it: a million items take some seconds. */
const PAUSE_MS = 5;

/**
 * A file that somebody writes, read from its start to where it ends once he is done: whoever looks at each byte does so beside the
 * calculator instead of behind it. The writer makes the file longer and changes nothing in it.
 */
export class GrowingFile {
  private readonly file: FileHandle;
  /** Fulfilled when nothing is written any more. */
  readonly written: Promise<void>;
  private complete = false;
  private constructor(file: FileHandle, written: Promise<void>) {
    this.file = file;
    this.written = written;
  }

  /** Makes the file, empty, and has it written. */
  static async begin(path: string, write: () => Promise<void>): Promise<GrowingFile> {
    const file = await open(path, 'w+');
    const written = write();
    // Whoever reads learns of it, or whoever waits for it.
    written.catch(() => {});
    return new GrowingFile(file, written);
  }

  /** Fills the memory with what stands from `at` on, less only at the end. @throws what its writer throws */
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

  /** Nobody writes it any more when this resolves. */
  async close(): Promise<void> {
    await this.written.catch(() => {});
    await this.file.close();
  }
}
