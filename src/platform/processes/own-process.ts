import { hostname } from 'node:os';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { countWorkers, forgetProcesses, type ProcessRole, sayThere, SEEN_EVERY_MS } from './processes.ts';

type OwnProcessDeps = { database: Database; log: Log; role: ProcessRole; program: string };

/** This process, as the others know it: by its machine and number. */
export class OwnProcess {
  readonly name = `${hostname()}/${process.pid}`;
  private readonly deps: OwnProcessDeps;
  private timer: ReturnType<typeof setInterval> | undefined;
  private known = 1;

  constructor(deps: OwnProcessDeps) {
    this.deps = deps;
  }

  /** How many processes begin jobs and decide prices, as of a minute ago. */
  get workers(): number {
    return this.known;
  }

  async start(): Promise<void> {
    const { database } = this.deps;
    await database.system((trx) => forgetProcesses(trx, this.name, database.embedded));
    await this.say();
    // On the embedded database there is no other that would ask.
    if (!database.embedded) this.timer = setInterval(() => void this.saySafely(), SEEN_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const { database } = this.deps;
    await database.system((trx) => forgetProcesses(trx, this.name, false)).catch(() => {});
  }

  private async say(): Promise<void> {
    const { database, role, program } = this.deps;
    this.known = await database.system(async (trx) => {
      await sayThere(trx, { name: this.name, role, program });
      return countWorkers(trx);
    });
  }

  private saySafely(): Promise<void> {
    return this.say().catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'this process could not say that it is there'),
    );
  }
}
