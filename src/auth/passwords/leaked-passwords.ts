import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * Marks of leaked passwords of twelve characters and more, in rising order: of the million most frequent in the ten million that
 * Mark Burnett published in 2015, and of other lists of the SecLists collection. `scripts/leaked-passwords.ts` writes it.
 */
export const leakedFile = new URL('leaked-passwords.bin', import.meta.url);
/** 40 bits: with 55,000 marks one of 20 million other passwords would be taken for a leaked one. */
export const MARK_BYTES = 5;

let read: Promise<Buffer> | undefined;

/** The first bits of a password's SHA-256; capital letters do not make it another one. */
export const leakedMark = (password: string): number =>
  createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().readUIntBE(0, MARK_BYTES);

/** Whether a password stands in the list of leaked ones, whatever the case of its letters. */
export async function isLeaked(password: string): Promise<boolean> {
  // Should reading fail once, the next password tries again.
  read ??= readFile(leakedFile).catch((error: unknown) => {
    read = undefined;
    throw error;
  });
  const marks = await read;
  const wanted = leakedMark(password);
  let low = 0;
  let high = marks.length / MARK_BYTES;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const mark = marks.readUIntBE(middle * MARK_BYTES, MARK_BYTES);
    if (mark === wanted) return true;
    if (mark < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
}
