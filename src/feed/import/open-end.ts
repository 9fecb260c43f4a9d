import { open } from 'node:fs/promises';
import type { DetectedFormat } from '#shared/import/schema.ts';

/** Formats whose rows end with a line break. All other formats mark their own end, and a truncated file cannot be read. */
const inLines: ReadonlySet<DetectedFormat['format']> = new Set(['csv', 'jsonl']);

/**
 * Returns whether a file may have been truncated unnoticed (T7): its last line has no line break. Call it only when the transfer
 * does not reveal the end, since many complete files end like this. Archives are checked while they are unpacked.
 */
export async function endsOpen(path: string, { format, archive }: DetectedFormat): Promise<boolean> {
  if (archive !== undefined || !inLines.has(format)) return false;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // A UTF-16 character has two bytes, one of which is 0 here.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2));
    const last = [...buffer.subarray(0, bytesRead)].findLast((byte) => byte !== 0);
    // 0x1a is the DOS end-of-file mark: nothing follows it.
    return last !== 0x0a && last !== 0x0d && last !== 0x1a;
  } finally {
    await file.close();
  }
}

export const openEndText =
  'Der Server sagt nicht, wie lang die Datei ist, und ihre letzte Zeile ist nicht abgeschlossen: Vermutlich brach die Übertragung ab, und der Rest fehlt.';
export const unknownEndText =
  'Der Server sagt nicht, wie lang die Datei ist: Ob sie vollständig ankam, lässt sich nicht prüfen.';
