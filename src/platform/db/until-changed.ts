import type { Database, Trx } from './database.ts';

/**
 * What `read` finds, in a system transaction, read anew only after something changed: it must depend on nothing but rows, so not on the
 * time. On a server what another process changed counts about a second late.
 */
export class UntilChanged<T> {
  private readonly read: (trx: Trx) => Promise<T>;
  private readonly known = new WeakMap<Database, { count: number; value: Promise<T> }>();

  constructor(read: (trx: Trx) => Promise<T>) {
    this.read = read;
  }

  of(database: Database): Promise<T> {
    if (!database.hearsOfChanges) return database.system(this.read);
    const { count } = database.activity;
    const known = this.known.get(database);
    if (known?.count === count) return known.value;
    const value = database.system(this.read);
    this.known.set(database, { count, value });
    // What could not be read is tried again by the next who asks.
    value.catch(() => this.known.delete(database));
    return value;
  }
}
