import { CallError } from '#client/call.ts';

const LONGEST_WAIT_SECONDS = 30;

/** Why something waits, in German, and for how many seconds more; 0: it is being tried again. */
export type Waiting = { readonly reason: string; readonly seconds: number };

/** A fault of the server's own that is still there after so many tries stays. */
const MOST_FAULTS = 5;

/**
 * Whether the same may succeed a little later: the line is broken, the server is away or has no room, too much is under way, bytes were spoilt
 * on the way.
 */
export const mayPass = (error: unknown, failures = 0): error is CallError =>
  error instanceof CallError &&
  (error.code === 'unreachable' ||
    error.code === 'wrong_checksum' ||
    error.code === 'upload_cut' ||
    error.status === 408 ||
    error.status === 429 ||
    error.status === 503 ||
    (error.status >= 500 && failures < MOST_FAULTS));

/** Twice as long each time. */
export const waitSeconds = (failures: number): number => Math.min(LONGEST_WAIT_SECONDS, 2 ** (failures - 1));

type Patience = { onWait: (waiting: Waiting | null) => void; signal: AbortSignal };

/** Does something until it succeeds or fails for good. `work` gets how often it has failed. */
export async function untilDone<T>(work: (failures: number) => Promise<T>, { onWait, signal }: Patience): Promise<T> {
  for (let failures = 0; ;) {
    try {
      const done = await work(failures);
      onWait(null);
      return done;
    } catch (error) {
      signal.throwIfAborted();
      if (!mayPass(error, failures)) throw error;
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

/** A second; or until the browser says that the line is back, then true. */
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
