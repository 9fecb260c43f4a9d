import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { diskFull, isDiskFull, KontorError } from '#platform/errors.ts';
import { incomingFile } from '#platform/storage/disk-room.ts';
import { decoderOf, fileNameOf, tooLargeText } from './body.ts';
import type { PaceWatch } from './pace.ts';

/** `endKnown`: the server announced where the file ends; otherwise a cut connection looks like its end. */
export type Download = { bytes: number; contentType: string | undefined; fileName: string; endKnown: boolean };

export type SaveLimits = {
  /** Limit in bytes, after decoding. */
  maxBytes: number;
  signal?: AbortSignal;
  onBytes?: (bytes: number, total: number) => void;
};

/** Largest growth of a compressed transfer when decoded, as for archives; checked only above a size that is harmless. */
const MOST_GROWTH = 200;
const GROWTH_FROM = 64 * 1024 * 1024;
const WRITTEN_TOGETHER = 1024 * 1024;

/**
 * Writes the decoded body of a response to `file`.
 * @throws 422 if it is cut off, too large, too slow or implausibly compressed, 503 if the disk has no room
 */
export async function saveBody(
  { url, answer }: { url: URL; answer: Dispatcher.ResponseData },
  file: string,
  { maxBytes, signal, onBytes, watch }: SaveLimits & { watch: PaceWatch },
): Promise<Download> {
  const header = (name: string) => [answer.headers[name]].flat()[0];
  const total = Number(header('content-length') ?? 0);
  const decoder = decoderOf(header('content-encoding'));
  let [received, bytes] = [0, 0];
  if (decoder === undefined && total > maxBytes) {
    answer.body.on('error', () => undefined).destroy();
    throw new KontorError(422, 'too_large', tooLargeText(maxBytes));
  }
  const arriving = passing((length) => {
    received += length;
    watch.count(length);
  });
  const decoded = passing((length) => {
    bytes += length;
    onBytes?.(bytes, total);
    if (bytes > maxBytes) throw new KontorError(422, 'too_large', tooLargeText(maxBytes));
    if (decoder !== undefined && bytes > GROWTH_FROM && bytes > received * MOST_GROWTH) throw tooDense();
  });
  const until = { signal: signal ? AbortSignal.any([signal, watch.signal]) : watch.signal };
  try {
    const { watched, sink } = await incomingFile(file, total, WRITTEN_TOGETHER);
    if (decoder) await pipeline(answer.body, arriving, decoder, decoded, watched, sink, until);
    else await pipeline(answer.body, arriving, decoded, watched, sink, until);
  } catch (error) {
    signal?.throwIfAborted();
    watch.signal.throwIfAborted();
    if (isDiskFull(error)) throw diskFull(error);
    if (error instanceof KontorError) throw error;
    throw new KontorError(
      422,
      'download_cut',
      'Die Übertragung der Datei brach vorzeitig ab. Der bisherige Stand gilt weiter; bitte erneut versuchen.',
      { cause: error },
    );
  }
  const chunked = /\bchunked\b/i.test(header('transfer-encoding') ?? '');
  return {
    bytes,
    contentType: header('content-type'),
    fileName: fileNameOf(header('content-disposition'), url),
    endKnown: header('content-length') !== undefined || chunked || decoder !== undefined,
  };
}

/** Passes each chunk's length to `onChunk`; an error that it throws ends the transfer. */
const passing = (onChunk: (length: number) => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        onChunk(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });

const tooDense = () =>
  new KontorError(
    422,
    'too_dense',
    `Die Übertragung ist auf mehr als das ${MOST_GROWTH}-Fache gepackt und wurde beendet. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte stellen Sie die Datei ungepackt bereit.`,
  );
