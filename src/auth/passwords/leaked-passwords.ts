import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * Hash prefixes of leaked passwords with at least twelve characters, in ascending order: from the million most frequent among the
 * ten million that Mark Burnett published in 2015, and from other lists of the SecLists collection. Written by
 * `scripts/leaked-passwords.ts`.
 */
export const leakedFile = new URL('leaked-passwords.bin', import.meta.url);
/** 40 bits: with 55,000 prefixes, one in 20 million other passwords is taken for a leaked one. */
export const MARK_BYTES = 5;

let read: Promise<Buffer> | undefined;

/** Returns the first bits of a password's SHA-256, ignoring case. */
export const leakedMark = (password: string): number =>
  createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().readUIntBE(0, MARK_BYTES);

/** Whether a password is in the list of leaked ones, ignoring case. */
export async function isLeaked(password: string): Promise<boolean> {
  // If reading fails, the next password tries again.
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
