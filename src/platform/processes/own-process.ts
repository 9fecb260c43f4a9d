import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { forgetProcesses, livingWorkers, type ProcessRole, sayThere, SEEN_EVERY_MS } from './processes.ts';

type OwnProcessDeps = { database: Database; log: Log; role: ProcessRole; program: string };

/** So many workers look after the same thing where each of many would: when one dies, nobody has to notice first. */
const TOGETHER = 3;

/** This process, as the others know it: by its machine and number. */
export class OwnProcess {
  readonly name = `${hostname()}/${process.pid}`;
  private readonly deps: OwnProcessDeps;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** Workers that answered a minute ago; undefined: nobody was asked yet. */
  private known: readonly string[] | undefined;
  private taken = new Map<string, boolean>();

  constructor(deps: OwnProcessDeps) {
    this.deps = deps;
  }

  /** How many processes begin jobs and decide prices, as of a minute ago. */
  get workers(): number {
    return this.known?.length ?? 1;
  }

  /**
   * Whether this worker is one of the few that look after something (a mailbox, an account). Which ones they are follows from the names
   * alone, so that all agree, and a worker that comes or goes moves only its own share. A few may do the same: it is right all the same.
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
    await database.system((trx) => forgetProcesses(trx, this.name, database.embedded));
    await this.look();
    // On the embedded database there is no other that would ask.
    if (!database.embedded) this.timer = setInterval(() => void this.saySafely(), SEEN_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const { database } = this.deps;
    // Without the database nobody can be told; whoever is silent is shown as such, and gone after a day.
    await database.system((trx) => forgetProcesses(trx, this.name, false)).catch(() => {});
  }

  /** Says that it is there, and sees who else is. */
  async look(): Promise<void> {
    const { database, role, program } = this.deps;
    const living = await database.system(async (trx) => {
      await sayThere(trx, { name: this.name, role, program });
      return livingWorkers(trx);
    });
    if (living.join(' ') !== this.known?.join(' ')) this.taken = new Map();
    this.known = living;
  }

  private saySafely(): Promise<void> {
    return this.look().catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'this process could not say that it is there'),
    );
  }
}

/** By the highest of these a thing is given out (rendezvous hashing). */
const rankOf = (name: string, what: string): string => createHash('sha256').update(`${name}\n${what}`).digest('hex');
