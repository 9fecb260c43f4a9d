import type { Rule } from '#engine/ir/rules.ts';
import { storedBytes, previewBase } from '#engine/analysis/rule-preview.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import type { Live } from '#engine/duckdb/rule-batches.ts';
import { forEverybody } from '#platform/db/asker.ts';
import type { DuckDb, DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { batchTable, rowOf } from './ask-items.ts';

/** A making that takes longer is broken off: nobody may wait for it any more. */
const MOST_MS = 30_000;

export type Ready = { readonly session: DuckDbSession; readonly relation: Relation };

export type StoredItemsRequest = {
  readonly items: Relation;
  readonly above: readonly Rule[];
  readonly fields: Live;
  /** More than this is not kept. */
  readonly most: number;
};

/**
 * Items behind some rules in a temporary table on a connection of their own. They are made once, whoever still waits for
 * them, but not for longer than half a minute; the connection is closed when they are dropped and nobody asks any more.
 */
export class StoredItems {
  readonly fields: Live;
  /** undefined: they cannot be kept, because they are too large or their making failed or was broken off. */
  readonly made: Promise<Ready | undefined>;
  state: 'making' | 'ready' | 'refused' = 'making';
  bytes = 0;
  users = 0;
  private session: DuckDbSession | undefined;
  private dropped = false;

  constructor(duckdb: DuckDb, question: StoredItemsRequest) {
    this.fields = question.fields;
    this.made = forEverybody(() => this.make(duckdb, question));
  }

  /** They went with the process that held them. */
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

  /** Work with the items; undefined if there are none. Whoever goes away first leaves the making alone. */
  async use<T>(work: (ready: Ready) => Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
    this.users += 1;
    try {
      const ready = await untilGone(this.made, signal);
      return ready && (await work(ready));
    } finally {
      this.users -= 1;
      this.closeUnused();
    }
  }

  /** Gives the memory back once the last question is answered; what is still being made is broken off. */
  drop(): void {
    this.dropped = true;
    this.closeUnused();
  }

  private closeUnused(): void {
    if (this.dropped && this.users === 0) this.session?.close();
  }
}

/** The promise's value, unless the asker goes away first; the promise itself goes on. */
async function untilGone<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
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
