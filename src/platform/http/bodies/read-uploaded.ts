import type { KontorError } from '#platform/errors.ts';
import { ConcurrencyLimiter } from '#platform/http/questions/concurrency-limiter.ts';
import type { Principal } from '#platform/http/server.ts';
import { runInThread } from '#platform/run-in-thread.ts';

/** In bytes. A smaller file is read sooner than a thread has started. */
const LARGE = 200_000;
const slots = new ConcurrencyLimiter({ atOnce: 2, perCompany: 1, perUser: 1, waiting: 5, waitingPerUser: 3 });

/**
 * `read`: reads the file. `module`: runs `read` in a thread (`answerFromThread`); without `read` every file is read there.
 * `amounts`: it reads amounts and knows the marks of numbers in a sheet.
 */
export type UploadReader<Read> = {
  readonly read?: (bytes: Uint8Array) => Read;
  readonly module: URL;
  readonly amounts?: boolean;
  readonly tooLarge: (cause: unknown) => KontorError;
};

/**
 * Reads an uploaded file; a large one on a thread of its own, so that other requests are answered meanwhile.
 * @throws what `read` throws, if it is a KontorError; `tooLarge` if it takes too much time or memory
 */
export async function readUploaded<Read>(
  { read, module, tooLarge }: UploadReader<Read>,
  bytes: Uint8Array,
  principal: Principal,
  signal: AbortSignal,
): Promise<Read> {
  if (read !== undefined && bytes.length <= LARGE && !isGzipped(bytes)) return read(bytes);
  return slots.run(principal, signal, () => runInThread<Read>(module, bytes, { signal, tooLarge }));
}

/** Unpacked it may be hundreds of times as large. */
const isGzipped = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
