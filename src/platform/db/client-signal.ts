import { AsyncLocalStorage } from 'node:async_hooks';

const clientSignals = new AsyncLocalStorage<AbortSignal>();

/** Runs `work` for a client that waits for it: database work for it is cancelled when `signal` aborts, on a server at once. */
export const withClientSignal = <T>(signal: AbortSignal, work: () => T): T => clientSignals.run(signal, work);

/** Returns the signal of the client that waits for the current work; undefined: nobody waits, or the work is to finish anyway. */
export const currentClientSignal = (): AbortSignal | undefined => clientSignals.getStore();

/** Starts work whose result any client may use: it continues when the client that started it disconnects. */
export const withoutClientSignal = <T>(work: () => T): T => clientSignals.exit(work);
