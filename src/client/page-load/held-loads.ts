/** A load of page data that failed and is being retried. */
export type HeldLoad = {
  readonly title: string;
  readonly message: string;
  /** Retries at once. */
  readonly again: () => void;
};

type Fetch = typeof globalThis.fetch;

/** Statuses of proxies, and of a server that is still starting. */
const notReached: ReadonlySet<number> = new Set([502, 503, 504]);
/** Pauses between the attempts; the last one repeats. */
const pausesMs: readonly number[] = [2000, 4000, 8000, 15_000, 30_000];

let held: HeldLoad | null = null;
const listeners = new Set<() => void>();

/** The load that is being retried, in the form that `useSyncExternalStore` takes. */
export const heldLoads = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  current: () => held,
};

function show(next: HeldLoad | null): void {
  held = next;
  for (const listener of listeners) listener();
}

/**
 * Keeps the current page when the router's request for data gets no answer: the router itself would replace everything by an
 * error page, including forms with typed text, and has no hook for it. Such a request is held and retried until it succeeds or
 * the visitor navigates elsewhere. A server error (500) is held only for a reload of the same page; on the way to another page
 * its answer says what is wrong.
 */
export function holdFailedLoads(over: Fetch, here: () => string): Fetch {
  return async (input, init) => {
    const page = pageOf(input);
    if (page === undefined) return over(input, init);
    for (let tries = 0; ; tries += 1) {
      const answer = await over(input, init).catch((error: unknown) => {
        if (init?.signal?.aborted === true) throw error;
        return undefined;
      });
      const failure = failureOf(answer, page === here());
      if (answer !== undefined && failure === undefined) return answer;
      await pause(tries, failure ?? lost, init?.signal ?? undefined);
    }
  };
}

/** Returns the page whose data is requested; undefined for any other request. */
function pageOf(input: Parameters<Fetch>[0]): string | undefined {
  const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://page.invalid');
  if (!pathname.endsWith('.data') || pathname.startsWith('/api/')) return undefined;
  const page = pathname.slice(0, -'.data'.length);
  return page === '/_root' || page === '/_' ? '/' : page;
}

type Words = Pick<HeldLoad, 'title' | 'message'>;
const keptText =
  'Sie sehen den letzten Stand, und Ihre Eingaben bleiben erhalten. Kontor versucht es von selbst wieder.';
const lost: Words = {
  title: 'Verbindung unterbrochen',
  message: `Der Server ist nicht erreichbar. ${keptText}`,
};

function failureOf(answer: Response | undefined, samePage: boolean): Words | undefined {
  if (answer === undefined) return lost;
  if (notReached.has(answer.status))
    return { ...lost, message: `Der Server antwortet gerade nicht (Antwort ${answer.status}). ${keptText}` };
  if (answer.status < 500 || !samePage) return undefined;
  const id = answer.headers.get('x-request-id');
  return {
    title: 'Die Seite konnte nicht neu geladen werden',
    message: `Beim Server ist ein Fehler aufgetreten${id === null ? '' : ` (Vorgang ${id})`}. ${keptText}`,
  };
}

/**
 * Waits for the next attempt, by time or by hand, and shows why. @throws the signal's reason if the visitor navigates elsewhere
 */
function pause(tries: number, words: Words, signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const end = (done: () => void) => {
      clearTimeout(timer);
      removeEventListener('online', again);
      signal?.removeEventListener('abort', aborted);
      show(null);
      done();
    };
    const again = () => end(resolve);
    const aborted = () => end(() => reject(signal?.reason));
    const timer = setTimeout(again, pausesMs[Math.min(tries, pausesMs.length - 1)]);
    addEventListener('online', again);
    signal?.addEventListener('abort', aborted);
    show({ ...words, again });
  });
}
