import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { diskFull, isDiskFull, KontorError } from '#platform/errors.ts';
import { incomingFile } from '#platform/storage/disk-room.ts';
import { decoderOf, fileNameOf, tooLargeText } from './body.ts';
import type { PaceWatch } from './pace.ts';

/** `endKnown`: the server said where the file ends; else a cut connection looks like the end. */
export type Download = { bytes: number; contentType: string | undefined; fileName: string; endKnown: boolean };

export type SaveLimits = {
  /** After decoding. */
  maxBytes: number;
  signal?: AbortSignal;
  onBytes?: (bytes: number, total: number) => void;
};

/** What is packed for the transfer may grow so many times; the same as of packed files. It counts only past a size that is harmless. */
const MOST_GROWTH = 200;
const GROWTH_FROM = 64 * 1024 * 1024;
const WRITTEN_TOGETHER = 1024 * 1024;

/** Writes the body of an answer to `file`, decoded. @throws 422 for one that is cut, too large, too slow or packed beyond belief, 503 where the disk has no room */
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

/** Looks at the length of each piece that passes; what it throws ends the transfer. */
const passing = (look: (length: number) => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        look(chunk.length);
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
