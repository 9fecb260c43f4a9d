import type { Database, Trx } from './database.ts';

/** Passes what was made to the repeated work. */
export type Made = (trx: Trx) => void;

/**
 * Thrown by transaction work that needs something which requires a disk or a network: its transaction ends, `make` runs outside
 * of any transaction, and the work runs again. The repeated work must accept what was made, or this loops forever.
 */
export class MakeFirst extends Error {
  readonly make: (database: Database) => Promise<Made>;
  constructor(make: (database: Database) => Promise<Made>) {
    super('something has to be made outside of the transaction first');
    this.make = make;
  }
}

/** Runs `attempt`, a transaction, until it needs nothing more. */
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
