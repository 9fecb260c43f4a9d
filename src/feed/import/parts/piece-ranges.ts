import { createHash } from 'node:crypto';
import type { Store } from '#platform/storage/store.ts';
import { fileChanged } from '#platform/storage/store-errors.ts';
import type { Piece } from '#feed/import/pieces/uploads.ts';

/** A piece of an uploaded file, and where it is stored. */
export type StoredPiece = Piece & { readonly path: string };

/** Returns where the parts of a file border on each other: at the starts of pieces, so that each part has at least `bytes`. */
export function bordersOf(pieces: readonly Piece[], bytes: number): number[] {
  const last = pieces.at(-1);
  const end = last === undefined ? 0 : last.start + last.bytes;
  const borders: number[] = [];
  for (const { start } of pieces) {
    const isFull = start - (borders.at(-1) ?? 0) >= bytes;
    // The last part is not shorter than the others, but up to twice as long.
    if (isFull && end - start >= bytes) borders.push(start);
  }
  return borders;
}

/**
 * Yields the bytes of a file from `from` to before `to`. Of whole pieces the checksum is tested; the piece at a border is read
 * wholly by the part that begins there. @throws 503 file_changed
 */
export async function* bytesBetween(
  store: Pick<Store, 'stream'>,
  pieces: readonly StoredPiece[],
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  for (const { path, start, bytes, sha256 } of pieces) {
    const end = start + bytes;
    if (end <= from || start >= to) continue;
    const begin = Math.max(from, start);
    // A part that begins within its first piece reads all of it, for the checksum.
    const isWhole = to >= end;
    const range = isWhole ? undefined : { start: begin - start, end: to - start - 1 };
    const hash = createHash('sha256');
    let at = isWhole ? start : begin;
    for await (const chunk of (await store.stream(path, range)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      const skipped = Math.max(0, Math.min(chunk.length, begin - at));
      at += chunk.length;
      if (skipped < chunk.length) yield chunk.subarray(skipped);
    }
    if (isWhole && hash.digest('hex') !== sha256) throw fileChanged(path);
  }
}
