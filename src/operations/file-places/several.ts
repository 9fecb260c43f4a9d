/** On their way at a time: small files wait for answers, not for bytes. */
const AT_ONCE = 4;
/** Answers that are waited for while a file is written. */
const AHEAD = 8;

/** Does `work` with each, some at a time. After a failure none is begun; it is thrown once those under way have ended. */
export async function severalAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items].values();
  let failed = false;
  const some = async () => {
    for (const item of rest) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, some));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Gives what was begun with each, in their order; the next ones are begun meanwhile. */
export async function* begunAhead<T, R>(
  items: readonly T[],
  begin: (item: T) => Promise<R>,
): AsyncGenerator<[item: T, begun: R]> {
  const waiting: { item: T; begun: Promise<R> }[] = [];
  for (let next = 0; next < items.length || waiting.length > 0;) {
    for (const item of items.slice(next, next + AHEAD - waiting.length)) {
      const begun = begin(item);
      // Its failure is thrown when its turn has come.
      begun.catch(() => {});
      waiting.push({ item, begun });
      next++;
    }
    const first = waiting.shift();
    if (first !== undefined) yield [first.item, await first.begun];
  }
}
