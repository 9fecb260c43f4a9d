import { readOrderFile, type ReadOrders } from '#orders/files/order-file.ts';
import { KontorError } from '#platform/errors.ts';
import { ConcurrencyLimiter } from '#platform/http/questions/concurrency-limiter.ts';
import type { Principal } from '#platform/http/server.ts';
import { runInThread } from '#platform/run-in-thread.ts';

/** In bytes. Reading 8 MB, 40,000 orders, took 3 s; a smaller file is read sooner than a thread has started. */
const LARGE = 200_000;
const slots = new ConcurrencyLimiter({ atOnce: 2, perCompany: 1, perUser: 1, waiting: 5, waitingPerUser: 3 });

/**
 * Reads a file of orders; a large one on a thread of its own, so that other requests are answered meanwhile.
 * @throws KontorError saying what is wrong with the file
 */
export async function readOrders(bytes: Uint8Array, principal: Principal, signal: AbortSignal): Promise<ReadOrders> {
  if (bytes.length <= LARGE && !isGzipped(bytes)) return readOrderFile(bytes);
  const module = new URL('./read-orders-worker.ts', import.meta.url);
  return slots.run(principal, signal, () => runInThread<ReadOrders>(module, bytes, { signal, tooLarge }));
}

/** Unpacked it may be a hundred times as large. */
const isGzipped = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const tooLarge = (cause: unknown) =>
  new KontorError(
    413,
    'too_large',
    'Die Datei ist zu groß, um sie zu lesen. Es wurde nichts gespeichert. Bitte teilen Sie sie.',
    { cause },
  );
