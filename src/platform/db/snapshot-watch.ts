import type { Kysely } from 'kysely';
import { secondsFromNow } from './pg.ts';
import type { Tables } from './tables.ts';

/** Interval in ms at which changes of other processes are detected. */
const WATCH_MS = 1000;
/** An older report, in seconds, is not left out: every watch has seen it, apart from one that stood still meanwhile. */
const REPORT_SECONDS = 30;

/** PostgreSQL's snapshot: all transactions before `next` have ended, except the running ones. */
type Snapshot = { readonly next: bigint; readonly running: ReadonlySet<bigint> };

/** The snapshot as text, and the ids of transactions that only reported a process as alive. */
type Reading = { readonly snapshot: string; readonly reports: readonly string[] };

/**
 * Detects changes of other processes on a server, with one statement a second: PostgreSQL's snapshot (`pg_current_snapshot`)
 * stays the same while no transaction writes, since only those that write have an id. The reports that processes are alive are
 * left out: twelve processes would otherwise end each other's rests every five seconds.
 */
export class SnapshotWatch {
  private timer: ReturnType<typeof setInterval> | undefined;
  private reading = false;
  private known: Snapshot | undefined;

  get running(): boolean {
    return this.timer !== undefined;
  }

  /** Calls `changed` after each second in which another process may have changed something. */
  start(kysely: Kysely<Tables>, changed: () => void): void {
    const check = async () => {
      if (this.reading) return;
      this.reading = true;
      if (this.compare(await read(kysely).catch(() => undefined))) changed();
      this.reading = false;
    };
    this.timer ??= setInterval(() => void check(), WATCH_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Returns whether a writing transaction has ended since the last call, apart from reports. `reading`: the state now; undefined:
   * it could not be read, and something may have changed.
   */
  compare(reading: Reading | undefined): boolean {
    const before = this.known;
    const now = reading === undefined ? undefined : snapshotOf(reading.snapshot);
    this.known = now;
    if (before === undefined || now === undefined) return true;
    const reports = new Set(reading?.reports.map(BigInt));
    const counts = (id: bigint) => !now.running.has(id) && !reports.has(id);
    // An older number means another database, for example a restored one.
    let changed = now.next < before.next || [...before.running].some(counts);
    // Ends at the first change, so it takes no more turns than there are running transactions and reports.
    for (let id = before.next; id < now.next && !changed; id++) changed = counts(id);
    return changed;
  }
}

/** Both parts come from one statement, so that the reports are exactly those that the snapshot sees. */
async function read(kysely: Kysely<Tables>): Promise<Reading> {
  const { snapshot, reports } = await kysely
    .selectNoFrom((eb) => [
      eb.cast<string>(eb.fn('pg_current_snapshot'), 'text').as('snapshot'),
      eb
        .selectFrom('processes')
        .select((of) => of.fn.agg<string | null>('string_agg', ['report_xid', of.val(' ')]).as('ids'))
        // Only recent ones: a database restored on another server counts its transactions anew.
        .where('seen_at', '>', secondsFromNow(-REPORT_SECONDS))
        .as('reports'),
    ])
    .executeTakeFirstOrThrow();
  return { snapshot, reports: reports?.split(' ') ?? [] };
}

/** Reads 'xmin:xmax:xip_list', as in '10:14:10,12'. */
function snapshotOf(text: string): Snapshot {
  const [, next = '', running = ''] = text.split(':');
  return { next: BigInt(next), running: new Set(running === '' ? [] : running.split(',').map(BigInt)) };
}
