/** A load of page data that did not get through and is tried again. */
export type HeldLoad = {
  readonly title: string;
  readonly message: string;
  /** Tries at once. */
  readonly again: () => void;
};

type Fetch = typeof globalThis.fetch;

/** Answers of something in between, and of a server that is just starting. */
const notReached: ReadonlySet<number> = new Set([502, 503, 504]);
/** Pauses between the tries, the last one for all further. */
const pausesMs: readonly number[] = [2000, 4000, 8000, 15_000, 30_000];

let held: HeldLoad | null = null;
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`: what is held just now. */
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
 * Keeps the page that stands where the router asks for data and no answer comes: the router itself would put an error page in the
 * place of everything, forms with what was typed included, and has no hook for it. Such a request is held and tried again until it
 * gets through or the visitor goes elsewhere. A server that failed (500) is held only where the same page is loaded anew; on the way
 * to another page its answer says what is wrong.
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

/** The page that data are asked for; undefined for any other request. */
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

/** Waits for the next try, by time or by hand, and shows why. @throws the signal's reason when the visitor goes elsewhere */
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
