import { AsyncLocalStorage } from 'node:async_hooks';

/** Total time in ms that a request waits for connections: its 503 must come within two seconds. */
const REQUEST_MS = 1800;
/** Further wait in ms granted each time to a request that has used up its total: an event stream runs queries for hours. */
const LEAST_MS = 100;
/** Wait in ms for work without a waiting client: jobs and loops should rather be late than fail. */
export const OTHERS_MS = 5000;

/** Counts the time that a request has waited for database connections; parallel waits count once. */
export class ConnectionWait {
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

const current = new AsyncLocalStorage<ConnectionWait>();

/** Runs the work of a request, including everything it starts asynchronously. */
export const withConnectionWait = <T>(wait: ConnectionWait, work: () => T): T => current.run(wait, work);

/** Returns the counter of the current request; API requests made by a page share the page's. */
export const currentConnectionWait = (): ConnectionWait | undefined => current.getStore();

/** Waits for a connection within the time left to the current request; a connection that comes later is released. */
export async function waitForConnection<C extends { release: () => void }>(connect: () => Promise<C>): Promise<C> {
  const wait = currentConnectionWait();
  if (wait === undefined) return connect();
  const coming = connect();
  const giveUp = Promise.withResolvers<never>();
  const timer = setTimeout(
    // Same text as the driver's, which the error handler turns into a 503.
    () => giveUp.reject(new Error('timeout exceeded when trying to connect')),
    wait.leftMs(),
  );
  wait.begin();
  try {
    return await Promise.race([coming, giveUp.promise]);
  } catch (error) {
    void coming.then(
      (client) => client.release(),
      () => {},
    );
    throw error;
  } finally {
    wait.end();
    clearTimeout(timer);
  }
}
