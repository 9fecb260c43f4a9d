/** Byte order marks of UTF-16, which Excel and other Windows programs write where they do not write UTF-8. */
const wide: readonly (readonly [number, number, string])[] = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
];

/**
 * Returns the text of a chosen file: UTF-16 by its byte order mark, UTF-8 if it is valid, else the code page of German Windows.
 */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding = wide.find(([first, second]) => bytes[0] === first && bytes[1] === second)?.[2];
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
