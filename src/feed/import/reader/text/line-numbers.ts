import fs from 'node:fs';
import { writeWhole } from './write-whole.ts';

const blockLength = 65_536;

/** Stores a line number for each row of a file on disk: there may be more rows than fit in memory. */
export class LineNumbers {
  private readonly path: string;
  private readonly last = new Float64Array(blockLength);
  private readonly read = new Float64Array(blockLength);
  private readAt = -1;
  private descriptor: number | undefined;
  private count = 0;

  constructor(path: string) {
    this.path = path;
  }

  add(line: number): void {
    this.last[this.count % blockLength] = line;
    this.count += 1;
    if (this.count % blockLength > 0) return;
    this.descriptor ??= fs.openSync(this.path, 'w+');
    writeWhole(this.descriptor, this.last);
  }

  /** Returns a row's line number. Ordinals from 0 in the order of `add`; fast for ascending ordinals. */
  at(ordinal: number): number {
    const block = Math.floor(ordinal / blockLength);
    if (block === Math.floor(this.count / blockLength)) return this.last[ordinal % blockLength] ?? 0;
    if (this.descriptor === undefined) return 0;
    if (this.readAt !== block)
      fs.readSync(this.descriptor, this.read, 0, this.read.byteLength, block * blockLength * 8);
    this.readAt = block;
    return this.read[ordinal % blockLength] ?? 0;
  }

  close(): void {
    if (this.descriptor !== undefined) fs.closeSync(this.descriptor);
    this.descriptor = undefined;
  }
}
