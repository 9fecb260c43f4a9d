import { ListRefused } from './draft.ts';

const marks: readonly (readonly [number, number, string])[] = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
];

/** Decodes a list: UTF-16 if it has a BOM or NULs, else UTF-8 if valid, else Windows-1252. @throws ListRefused if not text */
export function listText(bytes: Uint8Array): string {
  const marked = marks.find(([first, second]) => bytes[0] === first && bytes[1] === second);
  return decoded(bytes, marked?.[2] ?? wideIn(bytes));
}

function decoded(bytes: Uint8Array, wide: string | undefined): string {
  if (wide !== undefined) return clean(new TextDecoder(wide).decode(bytes));
  try {
    return clean(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return clean(new TextDecoder('windows-1252').decode(bytes));
  }
}

/** UTF-16 without a BOM has a NUL in nearly every second byte, and none in the others. */
function wideIn(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, 2000);
  const nuls = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (bytes.length % 2 > 0 || even + odd < start.length * 0.4 || Math.min(even, odd) > 0) return undefined;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** NUL cannot be stored. */
function clean(text: string): string {
  if (text.includes('\0')) throw new ListRefused('Die Datei ist keine Textdatei (sie enthält NUL-Zeichen).');
  return text;
}
