import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { deleteProcesses, livingWorkers, type ProcessRole, reportAlive, SEEN_EVERY_MS } from './processes.ts';

type OwnProcessDeps = { database: Database; log: Log; role: ProcessRole; program: string };

/** How many of the workers look after the same thing: when one dies, the others continue without having to notice. */
const TOGETHER = 3;

/** This process as known to the others: by host name and process id. */
export class OwnProcess {
  readonly name = `${hostname()}/${process.pid}`;
  private readonly deps: OwnProcessDeps;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** Workers that were alive a minute ago; undefined: not read yet. */
  private known: readonly string[] | undefined;
  private taken = new Map<string, boolean>();

  constructor(deps: OwnProcessDeps) {
    this.deps = deps;
  }

  /** Number of processes that take jobs and decide prices, as of a minute ago. */
  get workers(): number {
    return this.known?.length ?? 1;
  }

  /**
   * Whether this worker is one of the few that look after something (a mailbox, an account). This depends on the names alone, so
   * that all workers agree, and a worker that joins or leaves moves only its own share. Several workers may do the same; that is
   * harmless.
   */
  takes(what: string): boolean {
    const known = this.known ?? [];
    if (known.length <= TOGETHER) return true;
    const cached = this.taken.get(what);
    if (cached !== undefined) return cached;
    const own = rankOf(this.name, what);
    const takes = known.filter((name) => rankOf(name, what) > own).length < TOGETHER;
    this.taken.set(what, takes);
    return takes;
  }

  async start(): Promise<void> {
    const { database } = this.deps;
    await database.system((trx) => deleteProcesses(trx, this.name, database.embedded));
    await this.look();
    // The embedded database has no other processes.
    if (!database.embedded) this.timer = setInterval(() => void this.saySafely(), SEEN_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const { database } = this.deps;
    // Without the database nobody can be notified; a silent process is shown as such and removed after a day.
    await database.system((trx) => deleteProcesses(trx, this.name, false)).catch(() => {});
  }

  /** Reports that this process is alive, and reads which others are. */
  async look(): Promise<void> {
    const { database, role, program } = this.deps;
    const living = await database.systemUnnoticed(async (trx) => {
      await reportAlive(trx, { name: this.name, role, program });
      return livingWorkers(trx);
    });
    if (living.join(' ') !== this.known?.join(' ')) this.taken = new Map();
    this.known = living;
  }

  private saySafely(): Promise<void> {
    return this.look().catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'this process could not report that it is alive'),
    );
  }
}

/** Rank of a worker for a thing; the highest ranks get it (rendezvous hashing). */
const rankOf = (name: string, what: string): string => createHash('sha256').update(`${name}\n${what}`).digest('hex');
