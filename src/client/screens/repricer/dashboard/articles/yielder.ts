/** Milliseconds of work before the page must be able to respond to clicks. */
const longest = 30;

/**
 * Makes a function to call between steps of long work: it pauses if the last pause is too long ago. @throws the signal's reason
 * if the work is no longer wanted
 */
export function createYielder(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  const pause = async () => {
    await new Promise((resume) => setTimeout(resume));
    signal.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < longest ? undefined : pause());
}
