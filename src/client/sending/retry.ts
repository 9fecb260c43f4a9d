import { CallError } from '#client/call.ts';

const LONGEST_WAIT_SECONDS = 30;

/** Why a transfer waits, in German, and for how many more seconds; 0: it is being tried again. */
export type Waiting = { readonly reason: string; readonly seconds: number };

/** A server fault that persists after this many attempts counts as permanent. */
const MOST_FAULTS = 5;

/**
 * Tells whether a retry may succeed: the connection is broken, the server is down or full, too many requests are running, or
 * bytes were damaged on the way.
 */
export const isTransient = (error: unknown, failures = 0): error is CallError =>
  error instanceof CallError &&
  (error.code === 'unreachable' ||
    error.code === 'wrong_checksum' ||
    error.code === 'upload_cut' ||
    error.status === 408 ||
    error.status === 429 ||
    error.status === 503 ||
    (error.status >= 500 && failures < MOST_FAULTS));

/** Returns seconds to wait, doubled with each failure. */
export const waitSeconds = (failures: number): number => Math.min(LONGEST_WAIT_SECONDS, 2 ** (failures - 1));

type RetryOptions = { onWait: (waiting: Waiting | null) => void; signal: AbortSignal };

/** Retries until success or a permanent failure. `work` gets the number of failures so far. */
export async function retryUntilDone<T>(
  work: (failures: number) => Promise<T>,
  { onWait, signal }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ;) {
    try {
      const done = await work(failures);
      onWait(null);
      return done;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error, failures)) throw error;
      failures++;
      const reason = error.code === 'unreachable' ? 'Die Verbindung ist unterbrochen.' : error.message;
      for (let seconds = waitSeconds(failures); seconds > 0; seconds--) {
        onWait({ reason, seconds });
        if (await pause(signal)) break;
      }
      onWait({ reason, seconds: 0 });
    }
  }
}

/** Waits a second and resolves to false, or resolves to true as soon as the browser reports that it is online. */
async function pause(signal: AbortSignal): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const stop = () => reject(signal.reason);
  const online = () => resolve(true);
  const timer = setTimeout(() => resolve(false), 1000);
  signal.addEventListener('abort', stop, { once: true });
  addEventListener('online', online, { once: true });
  try {
    signal.throwIfAborted();
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    removeEventListener('online', online);
  }
}
