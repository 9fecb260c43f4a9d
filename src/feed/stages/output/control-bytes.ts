import type { GrowingFile } from './growing-file.ts';

const CHUNK = 1024 * 1024;
const [TAB, LINE_FEED, RETURN, BLANK] = [0x09, 0x0a, 0x0d, 0x20];

/** Whether a UTF-8 file contains control characters other than tabs and line breaks. */
export async function holdsControls(file: GrowingFile, signal?: AbortSignal): Promise<boolean> {
  const bytes = new Uint8Array(CHUNK);
  for (let at = 0; ; at += CHUNK) {
    signal?.throwIfAborted();
    const read = await file.read(bytes, at);
    if (someControl(bytes.fill(BLANK, read))) return true;
    if (read < CHUNK) return false;
  }
}

/** Tests sixteen bytes at once: the sum has a high bit set if a byte is below 0x20, which is rare. */
function someControl(bytes: Uint8Array): boolean {
  const words = new Int32Array(bytes.buffer);
  for (let index = 0; index < words.length; index += 4) {
    const low =
      below(words[index] ?? 0) |
      below(words[index + 1] ?? 0) |
      below(words[index + 2] ?? 0) |
      below(words[index + 3] ?? 0);
    if ((low & HIGH_BITS) !== 0 && isControlWithin(bytes, index * 4, index * 4 + 16)) return true;
  }
  return false;
}

const HIGH_BITS = 0x80808080 | 0;
const below = (word: number) => (word - 0x20202020) & ~word;

function isControlWithin(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? BLANK;
    if (byte < BLANK && byte !== TAB && byte !== LINE_FEED && byte !== RETURN) return true;
  }
  return false;
}
