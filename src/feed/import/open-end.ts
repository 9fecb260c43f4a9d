import { open } from 'node:fs/promises';
import type { DetectedFormat } from '#shared/import/schema.ts';

/** Formats whose rows end with their line; all others say themselves where they end, and a cut one cannot be read. */
const inLines: ReadonlySet<DetectedFormat['format']> = new Set(['csv', 'jsonl']);

/**
 * Whether a file may have been cut without anybody seeing it (T7): its last line has no end. Only to be asked where the transfer itself
 * does not tell, since many whole files end like this. Packed files are checked as they are unpacked.
 */
export async function endsOpen(path: string, { format, archive }: DetectedFormat): Promise<boolean> {
  if (archive !== undefined || !inLines.has(format)) return false;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // A character of UTF-16 has two bytes, and one of them is 0.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2));
    const last = [...buffer.subarray(0, bytesRead)].findLast((byte) => byte !== 0);
    // 0x1a: DOS says itself that nothing follows.
    return last !== 0x0a && last !== 0x0d && last !== 0x1a;
  } finally {
    await file.close();
  }
}

export const openEndText =
  'Der Server sagt nicht, wie lang die Datei ist, und ihre letzte Zeile ist nicht abgeschlossen: Vermutlich brach die Übertragung ab, und der Rest fehlt.';
export const unknownEndText =
  'Der Server sagt nicht, wie lang die Datei ist: Ob sie vollständig ankam, lässt sich nicht prüfen.';
