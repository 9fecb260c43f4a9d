/** Number of concurrent transfers: small files wait for answers, not for bytes. */
const AT_ONCE = 4;
/** Number of requests started in advance while a file is written. */
const AHEAD = 8;

/**
 * Runs `work` on each item, a few at a time; returns the results in the items' order. After a failure no further one is started;
 * the error is thrown once the running ones have ended.
 */
export async function severalAtOnce<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const rest = [...items].entries();
  const results: R[] = [];
  let failed = false;
  const some = async () => {
    for (const [index, item] of rest) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, some));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/**
 * Yields each item with its started request, in order; the next requests are started meanwhile. If the consumer stops early, `end`
 * ends the last yielded request and those that were started ahead of it.
 */
export async function* prefetch<T, R>(
  items: readonly T[],
  begin: (item: T) => Promise<R>,
  end: (begun: R) => Promise<void>,
): AsyncGenerator<[item: T, begun: R]> {
  const open: { item: T; begun: Promise<R> }[] = [];
  try {
    for (let next = 0; next < items.length || open.length > 0; open.shift()) {
      for (const item of items.slice(next, next + AHEAD - open.length)) {
        const started = begin(item);
        // A failure is thrown when the item is yielded.
        started.catch(() => {});
        open.push({ item, begun: started });
        next++;
      }
      const [first] = open;
      if (first !== undefined) yield [first.item, await first.begun];
    }
  } finally {
    // What made the consumer stop is what matters, not that a request cannot be ended properly.
    await Promise.allSettled(open.map(({ begun }) => begun.then(end)));
  }
}
