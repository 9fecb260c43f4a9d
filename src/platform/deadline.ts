import type { Clock } from '#platform/clock.ts';

/** How late an end may be noticed, at most. */
const LOOK_MS = 100;

/**
 * Does some work with a signal that aborts once the clock shows `until`. It looks at the clock instead of counting by itself: a
 * machine that slept has counted nothing, while everybody else's time went on.
 */
export async function withDeadline<T>(
  clock: Clock,
  until: Date,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const look = () => {
    if (clock.now() >= until) ending.abort(new Error('the time for this call is over'));
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    return await work(ending.signal);
  } finally {
    clearInterval(timer);
  }
}
