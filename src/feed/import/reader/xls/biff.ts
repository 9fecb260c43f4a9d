import { refuseBroken } from './compound-file.ts';

/** Numbers of the record types that are read ([MS-XLS] 2.3); all others are skipped. */
export const record = {
  formula: 0x06,
  end: 0x0a,
  date1904: 0x22,
  password: 0x2f,
  continuation: 0x3c,
  codePage: 0x42,
  sheet: 0x85,
  numbers: 0xbd,
  richText: 0xd6,
  style: 0xe0,
  merged: 0xe5,
  strings: 0xfc,
  sharedText: 0xfd,
  number: 0x203,
  text: 0x204,
  truth: 0x205,
  formulaText: 0x207,
  row: 0x208,
  packedNumber: 0x27e,
  format: 0x41e,
  begin: 0x809,
} as const;

/** A record: its number and its bytes; `more` holds the continuations of a record that was too long. */
export type BiffRecord = { kind: number; data: Buffer; more: readonly Buffer[] };

/**
 * Yields the records of a stream from an offset to the end of its part (workbook or sheet), without charts and nested parts.
 * `onWalked` receives the number of bytes walked, including skipped ones.
 */
export function* recordsFrom(
  stream: Buffer,
  start: number,
  onWalked: (bytes: number) => void = () => undefined,
): Generator<BiffRecord> {
  let at = start;
  let depth = 0;
  while (at + 4 <= stream.length) {
    const kind = stream.readUInt16LE(at);
    const data = dataAt(stream, at);
    const from = at;
    at += 4 + data.length;
    const more: Buffer[] = [];
    while (at + 4 <= stream.length && stream.readUInt16LE(at) === record.continuation) {
      const piece = dataAt(stream, at);
      more.push(piece);
      at += 4 + piece.length;
    }
    onWalked(at - from);
    if (kind === record.begin) depth += 1;
    if (depth <= 1) yield { kind, data, more };
    if (kind !== record.end) continue;
    depth -= 1;
    if (depth <= 0) return;
  }
}

function dataAt(stream: Buffer, at: number): Buffer {
  const end = at + 4 + stream.readUInt16LE(at + 2);
  if (end > stream.length) refuseBroken();
  return stream.subarray(at + 4, end);
}

/**
 * Reads the values of a record in order, across its continuations. A text may be split at any character; the continuation then
 * begins with a flag that says again whether characters have one byte or two.
 */
export class BiffReader {
  private readonly pieces: readonly Buffer[];
  private piece = 0;
  private at = 0;

  constructor({ data, more }: Pick<BiffRecord, 'data' | 'more'>) {
    this.pieces = [data, ...more];
  }

  get done(): boolean {
    this.settle();
    return this.piece >= this.pieces.length;
  }

  byte(): number {
    this.settle();
    const value = this.pieces[this.piece]?.[this.at];
    if (value === undefined) refuseBroken();
    this.at += 1;
    return value;
  }

  short(): number {
    return this.byte() + this.byte() * 256;
  }

  long(): number {
    return this.short() + this.short() * 65_536;
  }

  skip(count: number): void {
    for (let left = count; left > 0;) {
      this.settle();
      const room = (this.pieces[this.piece]?.length ?? refuseBroken()) - this.at;
      const step = Math.min(room, left);
      this.at += step;
      left -= step;
    }
  }

  /** Reads a text of Excel 97 and later, whose number of characters was read before. */
  text(characters: number): string {
    const flags = this.byte();
    const runs = (flags & 8) === 0 ? 0 : this.short();
    const phonetic = (flags & 4) === 0 ? 0 : this.long();
    const text = this.characters(characters, (flags & 1) !== 0);
    this.skip(runs * 4 + phonetic);
    return text;
  }

  private characters(count: number, wide: boolean): string {
    let text = '';
    let twoBytes = wide;
    for (let left = count; left > 0;) {
      if (this.at >= (this.pieces[this.piece]?.length ?? refuseBroken())) {
        this.settle();
        twoBytes = (this.byte() & 1) !== 0;
      }
      const piece = this.pieces[this.piece] ?? refuseBroken();
      const size = twoBytes ? 2 : 1;
      const taken = Math.min(left, Math.floor((piece.length - this.at) / size));
      if (taken === 0) refuseBroken();
      text += piece.toString(twoBytes ? 'utf16le' : 'latin1', this.at, this.at + taken * size);
      this.at += taken * size;
      left -= taken;
    }
    return text;
  }

  /** Moves to the next continuation at the end of the current one. */
  private settle(): void {
    while (this.piece < this.pieces.length && this.at >= (this.pieces[this.piece]?.length ?? 0)) {
      this.piece += 1;
      this.at = 0;
    }
  }
}
