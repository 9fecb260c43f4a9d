import type { Database, Trx } from './database.ts';

/** Tells the work that is done once more what was made for it. */
export type Made = (trx: Trx) => void;

/**
 * Thrown by work that lacks something which takes a disk or a network: its transaction ends, `make` runs while none is open, and the work
 * is done once more. Whoever throws it must make do with what was made, or it is made for ever.
 */
export class MakeFirst extends Error {
  readonly make: (database: Database) => Promise<Made>;
  constructor(make: (database: Database) => Promise<Made>) {
    super('something has to be made outside of the transaction first');
    this.make = make;
  }
}

/** Does `attempt`, a transaction, until it lacks nothing. */
export async function withMade<T>(database: Database, attempt: (made: readonly Made[]) => Promise<T>): Promise<T> {
  const made: Made[] = [];
  for (;;) {
    try {
      return await attempt(made);
    } catch (error) {
      if (!(error instanceof MakeFirst)) throw error;
      made.push(await error.make(database));
    }
  }
}
