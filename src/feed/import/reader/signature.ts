import { hasRightSum } from './archive/tar.ts';

/** The file type that the first bytes show. Content takes precedence over names and headers. */
export type Signature =
  | { kind: 'gz' | 'zip' | 'tar' | 'compound' | 'text' | 'empty' }
  | { kind: 'foreign'; what: string };

const foreignMarks: [string, string][] = [
  ['89504e47', 'ein PNG-Bild'],
  ['ffd8ff', 'ein JPEG-Bild'],
  ['47494638', 'ein GIF-Bild'],
  ['25504446', 'ein PDF-Dokument'],
  ['526172211a07', 'ein RAR-Archiv'],
  ['377abcaf271c', 'ein 7-Zip-Archiv'],
  ['425a68', 'ein bzip2-Archiv'],
  ['fd377a585a00', 'ein xz-Archiv'],
  ['28b52ffd', 'ein Zstandard-Archiv'],
  ['7f454c46', 'ein Programm'],
  ['50415231', 'eine Parquet-Datei'],
  ['53514c69746520', 'eine SQLite-Datenbank'],
  ['7b5c727466', 'ein RTF-Dokument'],
];

export function readSignature(head: Buffer): Signature {
  if (head.length === 0) return { kind: 'empty' };
  const hex = head.subarray(0, 16).toString('hex');
  if (hex.startsWith('1f8b')) return { kind: 'gz' };
  if (hex.startsWith('504b0304') || hex.startsWith('504b0506')) return { kind: 'zip' };
  if (hex.startsWith('d0cf11e0a1b11ae1')) return { kind: 'compound' };
  const foreign = foreignMarks.find(([mark]) => hex.startsWith(mark));
  if (foreign) return { kind: 'foreign', what: foreign[1] };
  // Excel and report programs name such files .xls.
  if (/^MIME-Version: \d/iu.test(head.subarray(0, 20).toString('latin1')))
    return { kind: 'foreign', what: 'ein Webarchiv (.mht, in Excel zu öffnen und als .xlsx zu speichern)' };
  const magic = head.subarray(257, 265).toString('latin1');
  // A text may have 'mustard' there. NUL ends the mark in an archive, also in one with a damaged header.
  if (magic.startsWith('ustar') && (/^ustar(?: {2})?\0/u.test(magic) || hasRightSum(head.subarray(0, 512))))
    return { kind: 'tar' };
  return { kind: 'text' };
}

/**
 * Whether there are more control characters than in any text. NUL counts separately, as UTF-16 is full of it; U+0001 counts only
 * if others occur, as it can be a delimiter.
 */
export function looksBinary(head: Buffer): boolean {
  const sample = head.subarray(0, 65_536);
  let controls = 0;
  let nuls = 0;
  let parting = 0;
  for (const byte of sample) {
    if (byte === 0) nuls += 1;
    else if (byte === 1) parting += 1;
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 26 && byte < 28)
      controls += 1;
  }
  if (controls > 0 || nuls > 0) controls += parting;
  return controls > sample.length * 0.03 + 2 || nuls > sample.length * 0.1 + 8;
}
