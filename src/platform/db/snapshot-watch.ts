import type { Kysely } from 'kysely';
import type { Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** Interval in ms at which changes of other processes are detected. */
const WATCH_MS = 1000;

/** PostgreSQL's snapshot: all transactions before `next` have ended, except the running ones. */
type Snapshot = { readonly next: bigint; readonly running: ReadonlySet<bigint> };

/**
 * Detects changes of other processes on a server, with one statement a second: PostgreSQL's snapshot (`pg_current_snapshot`)
 * stays the same while no transaction writes, since only those that write have an id.
 */
export class SnapshotWatch {
  private timer: ReturnType<typeof setInterval> | undefined;
  private reading = false;
  private known: Snapshot | undefined;
  private readonly ignored = new Set<bigint>();

  get running(): boolean {
    return this.timer !== undefined;
  }

  /** Calls `changed` after each second in which another process may have changed something. */
  start(kysely: Kysely<Tables>, changed: () => void): void {
    const check = async () => {
      if (this.reading) return;
      this.reading = true;
      const now = await kysely
        .selectNoFrom((eb) => eb.cast<string>(eb.fn('pg_current_snapshot'), 'text').as('snapshot'))
        .executeTakeFirst()
        .then((row) => row?.snapshot)
        .catch(() => undefined);
      if (this.compare(now)) changed();
      this.reading = false;
    };
    this.timer ??= setInterval(() => void check(), WATCH_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Leaves out a transaction of this process. Call it after its writes and before its end. */
  async ignore(trx: Trx): Promise<void> {
    const row = await trx
      .selectNoFrom((eb) => eb.cast<string | null>(eb.fn('pg_current_xact_id_if_assigned'), 'text').as('id'))
      .executeTakeFirstOrThrow();
    if (row.id !== null) this.ignored.add(BigInt(row.id));
  }

  /**
   * Returns whether a writing transaction has ended since the last call, apart from `ignored` ones. `text`: the snapshot now;
   * undefined: it could not be read, and something may have changed.
   */
  compare(text: string | undefined, ignored: Set<bigint> = this.ignored): boolean {
    const before = this.known;
    const now = text === undefined ? undefined : snapshotOf(text);
    this.known = now;
    if (before === undefined || now === undefined) return true;
    const counts = (id: bigint) => !now.running.has(id) && !ignored.has(id);
    // An older number means another database, for example a restored one.
    let changed = now.next < before.next || [...before.running].some(counts);
    // Ends at the first change, so it takes no more turns than there are running and ignored transactions.
    for (let id = before.next; id < now.next && !changed; id++) changed = counts(id);
    for (const id of ignored) if (id < now.next && !now.running.has(id)) ignored.delete(id);
    return changed;
  }
}

/** Reads 'xmin:xmax:xip_list', as in '10:14:10,12'. */
function snapshotOf(text: string): Snapshot {
  const [, next = '', running = ''] = text.split(':');
  return { next: BigInt(next), running: new Set(running === '' ? [] : running.split(',').map(BigInt)) };
}
