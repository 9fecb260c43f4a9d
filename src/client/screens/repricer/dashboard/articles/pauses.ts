/** Milliseconds of work after which the page may answer clicks. */
const longest = 30;

/**
 * Makes a function to call between steps of long work: where the last pause is long past it lets the page do something else.
 * @throws the signal's reason where nobody waits for the work any more
 */
export function pauses(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  const pause = async () => {
    await new Promise((resume) => setTimeout(resume));
    signal.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < longest ? undefined : pause());
}
