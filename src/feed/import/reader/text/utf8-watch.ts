import { isUtf8 } from 'node:buffer';
import { safeEnd } from './text-survey.ts';

/** Looks whether the pieces of a file, one after the other, are UTF-8 without NUL bytes, wherever they part a character. */
export class Utf8Watch {
  private parted: Buffer = Buffer.alloc(0);

  /** Whether all pieces up to this one are. The piece is not kept. */
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

  /** Whether the last piece ended with a whole character. */
  ended(): boolean {
    return isUtf8(this.parted);
  }
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;
