import type { Trx } from '#platform/db/database.ts';
import type { AuditEvent } from '#platform/http/audit.ts';
import type { Log } from '#platform/telemetry/log.ts';

type WriterDeps = {
  log: Log;
  /** Adds an event to the log of its company, within the transaction of the change where there is one. */
  add: (event: AuditEvent, trx?: Trx) => Promise<void>;
  windowMs?: number;
};

/** So many refusals of one person and kind are written in a window, and so many of a company; of those beyond only the number. */
const MOST_OF_PERSON = 10;
const MOST_OF_COMPANY = 100;

/** What is refused in a window: how often it was written, and how often not. */
type Window = { written: number; leftOut: number; timer: NodeJS.Timeout; summary: Summary };
type Summary = Omit<AuditEvent, 'what'>;

/**
 * Writes the security log. What is done is always written. What is refused or fails costs whoever tries it nothing, so nobody must be able
 * to fill the log with it: what is too much in a minute is counted, by each process for itself, and the number written when the minute is over.
 */
export class SecurityLogWriter {
  private readonly deps: WriterDeps;
  private readonly windows = new Map<string, Window>();

  constructor(deps: WriterDeps) {
    this.deps = deps;
  }

  async write(event: AuditEvent, trx?: Trx): Promise<void> {
    if (trx === undefined && (event.result === 'refused' || event.result === 'failed') && !this.hasRoom(event)) return;
    await this.deps.add(event, trx);
  }

  /** Writes the numbers that are still to be written. */
  async close(): Promise<void> {
    await Promise.all([...this.windows.keys()].map((key) => this.end(key)));
  }

  private hasRoom(event: AuditEvent): boolean {
    const { company, kind, result, by, actorId, subject } = event;
    const nobody = { actor: '', actorId: '', by: 'nobody', address: '', subject: '' } as const;
    const all = this.windowOf(company, { company, kind: 'access', result: 'refused', ...nobody });
    if (all.written >= MOST_OF_COMPANY) {
      all.leftOut++;
      return false;
    }
    // Who is not signed in has no name; then it is the account that he tries to get into.
    const who = by === 'nobody' ? subject : actorId;
    const own = this.windowOf(JSON.stringify([company, kind, result, by, who]), {
      ...event,
      subject: by === 'nobody' ? subject : '',
    });
    if (own.written >= MOST_OF_PERSON) {
      own.leftOut++;
      return false;
    }
    own.written++;
    all.written++;
    return true;
  }

  private windowOf(key: string, summary: Summary): Window {
    const known = this.windows.get(key);
    if (known !== undefined) return known;
    const timer = setTimeout(() => void this.end(key), this.deps.windowMs ?? 60_000).unref();
    const window = { written: 0, leftOut: 0, timer, summary };
    this.windows.set(key, window);
    return window;
  }

  private async end(key: string): Promise<void> {
    const window = this.windows.get(key);
    if (window === undefined) return;
    this.windows.delete(key);
    clearTimeout(window.timer);
    const { leftOut, summary } = window;
    if (leftOut === 0) return;
    const what = `${leftOut} weitere in einer Minute, nicht einzeln aufgeführt`;
    await this.deps
      .add({ ...summary, what })
      .catch((error: unknown) => this.deps.log.error({ err: error, leftOut }, 'refusals could not be recorded'));
  }
}
