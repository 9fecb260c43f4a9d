import type { Clock } from './clock.ts';

/** By how many ms the deadline may be noticed late, at most. */
const CHECK_MS = 100;

/**
 * Runs work with a signal that aborts once the clock reaches `until`. It polls the clock instead of using a timer: a timer does
 * not count while the machine sleeps, although the deadline comes closer.
 */
export async function withDeadline<T>(
  clock: Clock,
  until: Date,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const check = () => {
    if (clock.now() >= until) ending.abort(new Error('the deadline of this call has passed'));
  };
  const timer = setInterval(check, CHECK_MS);
  try {
    return await work(ending.signal);
  } finally {
    clearInterval(timer);
  }
}
