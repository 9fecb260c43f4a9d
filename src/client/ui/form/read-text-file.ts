/** Texts of Excel and of other programs of Windows begin with the mark of their bytes' order, where they are no UTF-8. */
const wide: readonly (readonly [number, number, string])[] = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
];

/** The text of a file that somebody chose: UTF-16 by its mark, UTF-8 where it is valid, else the code page of German Windows. */
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
