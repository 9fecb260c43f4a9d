import { isUtf8 } from 'node:buffer';
import { safeEnd } from './text-survey.ts';

/** Checks whether consecutive chunks of a file are UTF-8 without NUL bytes, even if they split a character. */
export class Utf8Watch {
  private parted: Buffer = Buffer.alloc(0);

  /** Returns whether all chunks so far are valid. The chunk is not kept. */
  holds(piece: Buffer): boolean {
    if (piece.includes(0)) return false;
    let from = 0;
    if (this.parted.length > 0) {
      while (from < Math.min(3, piece.length) && isContinuation(piece[from] ?? 0)) from += 1;
      if (!isUtf8(Buffer.concat([this.parted, piece.subarray(0, from)]))) return false;
    }
    const end = Math.max(from, safeEnd(piece));
    this.parted = Buffer.from(piece.subarray(end));
    return isUtf8(piece.subarray(from, end));
  }

  /** Whether the last chunk ended with a complete character. */
  ended(): boolean {
    return isUtf8(this.parted);
  }
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;
