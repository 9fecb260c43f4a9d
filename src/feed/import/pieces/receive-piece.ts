import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { sizeText } from '#shared/values/size-text.ts';
import { LEAST_PIECE, MOST_PIECE } from '#shared/import/upload-calls.ts';
import { uploadCut } from '#feed/import/receive.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import type { Store } from '#platform/storage/store.ts';

/** Where a piece starts in the upload in bytes, the checksum the client announced for it, and the size of the whole upload. */
type Wanted = { readonly offset: number; readonly sha256: string; readonly size: number };

/**
 * Stores a piece durably; the upload does not count it until addPiece. A piece that is cut off, too large, too small or of
 * another checksum is removed again. Returns its size in bytes.
 * @throws 413, 422
 */
export async function receivePiece(
  store: Store,
  path: string,
  content: Readable,
  { offset, sha256, size }: Wanted,
): Promise<number> {
  const most = Math.min(MOST_PIECE, size - offset);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted() {
    try {
      // The connection stays open after a refusal: server.ts drops the remaining body, or the next request would wait behind it.
      for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > most) throw pieceTooLarge(most);
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof KontorError ? error : uploadCut(error);
    }
  }
  try {
    // Room for all bytes still to come, and for the whole file once more when the pieces are joined.
    await store.receive(path, counted(), size - offset + size);
    if (bytes < Math.min(LEAST_PIECE, size - offset))
      throw unprocessable(
        'piece_too_small',
        `Ein Stück, das nicht das letzte ist, hat mindestens ${sizeText(LEAST_PIECE)}. Es wurde nicht übernommen.`,
      );
    if (hash.digest('hex') !== sha256)
      throw unprocessable(
        'wrong_checksum',
        'Das Stück kam anders an, als es gesendet wurde (Prüfsumme). Es wurde nicht übernommen; bitte senden Sie es noch einmal.',
      );
    return bytes;
  } catch (error) {
    await store.remove([path]);
    throw error;
  }
}

export const pieceTooLarge = (most: number) =>
  new KontorError(
    413,
    'piece_too_large',
    `Das Stück ist größer als ${sizeText(most)}, mehr nimmt Kontor hier nicht an. Es wurde nicht übernommen.`,
  );
