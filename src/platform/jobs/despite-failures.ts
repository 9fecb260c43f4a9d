/**
 * Works on each item although an earlier one failed: one that fails every time must not keep the others from ever being reached.
 * `failed` is told of each failure.
 * @throws the first failure, at the end; the signal's reason at once
 */
export async function despiteFailures<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { signal, failed }: { signal: AbortSignal; failed: (error: unknown, item: T) => void },
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    signal.throwIfAborted();
    try {
      await work(item);
    } catch (error) {
      signal.throwIfAborted();
      failed(error, item);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
