import fs from 'node:fs';
import { countText } from './limits.ts';
import type { RejectedRow } from '#shared/import/schema.ts';
import { writeWhole } from '#feed/import/reader/text/write-whole.ts';

const rawLimit = 10_000;
const bufferLimit = 256 * 1024;
/** Characters of the whole list: otherwise a file without any acceptable row would be written a second time. */
const listLimit = 512 * 1024 * 1024;

/** Writes the rows that are not in the snapshot, one JSON object a line. The file always exists afterwards. */
export class RejectedRows {
  private readonly descriptor: number;
  private buffered: string[] = [];
  private bufferedLength = 0;
  private closed = false;
  private listed = 0;
  rejected = 0;
  duplicates = 0;
  /** Rows counted but not written, because the list is already too long to read. */
  unlisted = 0;

  constructor(path: string) {
    this.descriptor = fs.openSync(path, 'w');
  }

  add(row: RejectedRow): void {
    if (row.kind === 'rejected') this.rejected += 1;
    else this.duplicates += 1;
    if (this.listed > listLimit) {
      this.unlisted += 1;
      return;
    }
    const raw = row.raw.length > rawLimit ? row.raw.slice(0, rawLimit) : row.raw;
    const text = `${JSON.stringify({ ...row, raw: raw.toWellFormed() })}\n`;
    this.buffered.push(text);
    this.bufferedLength += text.length;
    this.listed += text.length;
    if (this.bufferedLength > bufferLimit) this.flush();
  }

  reject(line: number, reason: string, raw: string): void {
    this.add({ kind: 'rejected', line, reason, raw });
  }

  unlistedText(): string {
    return `Die Liste der nicht übernommenen Zeilen ist sehr lang; ${countText(this.unlisted)} weitere sind gezählt, stehen aber nicht darin.`;
  }

  private flush(): void {
    if (this.buffered.length === 0) return;
    writeWhole(this.descriptor, this.buffered.join(''));
    this.buffered = [];
    this.bufferedLength = 0;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.flush();
    fs.fsyncSync(this.descriptor);
    fs.closeSync(this.descriptor);
  }
}
