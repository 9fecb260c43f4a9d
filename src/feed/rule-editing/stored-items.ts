import type { Rule } from '#engine/ir/rules.ts';
import { storedBytes, previewBase } from '#engine/analysis/rule-preview.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import type { Live } from '#engine/duckdb/rule-batches.ts';
import { withoutClientSignal } from '#platform/db/client-signal.ts';
import type { DuckDb, DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { batchTable, rowOf } from './ask-items.ts';

/** The most milliseconds for making a table; then it is aborted, as no one may be waiting any more. */
const MOST_MS = 30_000;

export type Ready = { readonly session: DuckDbSession; readonly relation: Relation };

export type StoredItemsRequest = {
  readonly items: Relation;
  readonly above: readonly Rule[];
  readonly fields: Live;
  /** The most bytes that are stored. */
  readonly most: number;
};

/**
 * Stores items after some rules in a temporary table on a connection of its own. The table is completed even if no caller waits
 * any more, but within half a minute; the connection is closed once the table is dropped and no query uses it.
 */
export class StoredItems {
  readonly fields: Live;
  /** undefined if the items cannot be stored: they are too large, or making the table failed or was aborted. */
  readonly made: Promise<Ready | undefined>;
  state: 'making' | 'ready' | 'refused' = 'making';
  bytes = 0;
  users = 0;
  private session: DuckDbSession | undefined;
  private dropped = false;

  constructor(duckdb: DuckDb, question: StoredItemsRequest) {
    this.fields = question.fields;
    this.made = withoutClientSignal(() => this.make(duckdb, question));
  }

  /** Whether the items were lost with the process that held them. */
  get isLost(): boolean {
    return this.session?.isLost === true;
  }

  private async make(duckdb: DuckDb, { items, above, fields, most }: StoredItemsRequest): Promise<Ready | undefined> {
    try {
      const session = await duckdb.session();
      this.session = session;
      this.closeUnused();
      const { statements, relation } = previewBase(items, above, { live: fields, table: batchTable });
      const timeout = AbortSignal.timeout(MOST_MS);
      for (const statement of statements) await session.all(statement, timeout);
      const bytes = Number((await rowOf(session, storedBytes(relation)))['bytes']);
      if (bytes > most) return this.refuse();
      this.bytes = bytes;
      this.state = 'ready';
      return { session, relation };
    } catch {
      return this.refuse();
    }
  }

  private refuse(): undefined {
    this.state = 'refused';
    this.session?.close();
  }

  /** Runs `work` on the items; undefined if there are none. A caller that aborts does not stop the making of the table. */
  async use<T>(work: (ready: Ready) => Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
    this.users += 1;
    try {
      const ready = await untilAborted(this.made, signal);
      return ready && (await work(ready));
    } finally {
      this.users -= 1;
      this.closeUnused();
    }
  }

  /** Frees the memory after the last query; aborts a table that is still being made. */
  drop(): void {
    this.dropped = true;
    this.closeUnused();
  }

  private closeUnused(): void {
    if (this.dropped && this.users === 0) this.session?.close();
  }
}

/** The promise's value, or a rejection if `signal` aborts first; the promise itself continues. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  const over = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over.signal });
  });
  try {
    const first = await Promise.race([promise.then((value) => ({ value })), stopped]);
    signal.throwIfAborted();
    return first?.value ?? promise;
  } finally {
    over.abort();
  }
}
