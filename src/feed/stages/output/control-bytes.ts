import { open } from 'node:fs/promises';

const CHUNK = 1024 * 1024;
const [TAB, LINE_FEED, RETURN, BLANK] = [0x09, 0x0a, 0x0d, 0x20];

/** Whether a UTF-8 file holds control characters other than tabs and line breaks. */
export async function holdsControls(path: string, signal?: AbortSignal): Promise<boolean> {
  const bytes = new Uint8Array(CHUNK);
  const file = await open(path);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(bytes, 0, CHUNK);
      if (bytesRead === 0) return false;
      bytes.fill(BLANK, bytesRead, bytesRead + 3);
      if (someControl(bytes, Math.ceil(bytesRead / 4))) return true;
    }
  } finally {
    await file.close();
  }
}

/** Four bytes at once: the sum has a high bit where a byte is below 0x20, which most are not. */
function someControl(bytes: Uint8Array, count: number): boolean {
  const words = new Int32Array(bytes.buffer, 0, count);
  for (let index = 0; index < count; index++) {
    const word = words[index] ?? 0;
    if (((word - 0x20202020) & ~word & 0x80808080) === 0) continue;
    for (let at = index * 4; at < index * 4 + 4; at++) {
      const byte = bytes[at] ?? BLANK;
      if (byte < BLANK && byte !== TAB && byte !== LINE_FEED && byte !== RETURN) return true;
    }
  }
  return false;
}
