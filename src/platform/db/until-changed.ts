import type { Database, Trx } from './database.ts';

/**
 * Caches what `read` returns, in a system transaction, until something changes in the database. `read` must depend on rows only,
 * not on the time. On a server, changes of other processes count about a second late.
 */
export class UntilChanged<T> {
  private readonly read: (trx: Trx) => Promise<T>;
  private readonly known = new WeakMap<Database, { count: number; value: Promise<T> }>();

  constructor(read: (trx: Trx) => Promise<T>) {
    this.read = read;
  }

  of(database: Database): Promise<T> {
    if (!database.detectsAllChanges) return database.system(this.read);
    const { count } = database.activity;
    const known = this.known.get(database);
    if (known?.count === count) return known.value;
    const value = database.system(this.read);
    this.known.set(database, { count, value });
    // After a failure the next caller reads again.
    value.catch(() => this.known.delete(database));
    return value;
  }
}
