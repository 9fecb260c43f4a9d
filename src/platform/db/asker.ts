import { AsyncLocalStorage } from 'node:async_hooks';

const asker = new AsyncLocalStorage<AbortSignal>();

/** Does `work` for somebody who waits for it: what the database computes for it ends when `signal` aborts, on a server at once. */
export const forAsker = <T>(signal: AbortSignal, work: () => T): T => asker.run(signal, work);

/** Of whoever waits for what is computed now; undefined: nobody does, or it is to be done all the same. */
export const askerSignal = (): AbortSignal | undefined => asker.getStore();

/** Begins work for all who may come to ask for it, or for nobody: it goes on when the one who asked first has gone. */
export const forEverybody = <T>(work: () => T): T => asker.exit(work);
