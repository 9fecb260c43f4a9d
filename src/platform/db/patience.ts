import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a request waits for connections in all: its 503 is to come within two seconds. */
const REQUEST_MS = 1800;
/** What each later wait of a request gets that has waited so long: an event stream asks for hours. */
const LEAST_MS = 100;
/** How long work waits that nobody asked for: jobs and loops rather come late than fail. */
export const OTHERS_MS = 5000;

/** How long somebody has waited for connections of the database; waits at the same time count once. */
export class Patience {
  private usedMs = 0;
  private waiting = 0;
  private since = 0;

  leftMs(): number {
    const now = this.waiting > 0 ? performance.now() - this.since : 0;
    return Math.max(LEAST_MS, REQUEST_MS - this.usedMs - now);
  }

  begin(): void {
    if (this.waiting++ === 0) this.since = performance.now();
  }

  end(): void {
    if (--this.waiting === 0) this.usedMs += performance.now() - this.since;
  }
}

const current = new AsyncLocalStorage<Patience>();

/** Does what belongs to a request, and everything that follows from it. */
export const withPatience = <T>(patience: Patience, work: () => T): T => current.run(patience, work);

/** Of the request that is answered right now: what a page asks of the API shares the page's. */
export const currentPatience = (): Patience | undefined => current.getStore();

/** Waits for a connection as long as whoever asks is patient; one that comes later is given back. */
export async function waitForConnection<C extends { release: () => void }>(connect: () => Promise<C>): Promise<C> {
  const patience = currentPatience();
  if (patience === undefined) return connect();
  const coming = connect();
  const giveUp = Promise.withResolvers<never>();
  const timer = setTimeout(
    // The same words as the driver's, by which the answer becomes a 503.
    () => giveUp.reject(new Error('timeout exceeded when trying to connect')),
    patience.leftMs(),
  );
  patience.begin();
  try {
    return await Promise.race([coming, giveUp.promise]);
  } catch (error) {
    void coming.then(
      (client) => client.release(),
      () => {},
    );
    throw error;
  } finally {
    patience.end();
    clearTimeout(timer);
  }
}
