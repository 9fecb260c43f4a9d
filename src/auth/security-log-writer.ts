import type { Trx } from '#platform/db/database.ts';
import type { AuditEvent } from '#platform/http/audit.ts';
import type { Log } from '#platform/telemetry/log.ts';

type WriterDeps = {
  log: Log;
  /** Adds an event to its company's log, within the transaction of the change if there is one. */
  add: (event: AuditEvent, trx?: Trx) => Promise<void>;
  windowMs?: number;
};

/** Most refusals per minute that are written, per person and kind, and per company; beyond that they are only counted. */
const MOST_OF_PERSON = 10;
const MOST_OF_COMPANY = 100;

/** The refusals within one minute: how many were written, and how many were only counted. */
type Window = { written: number; leftOut: number; timer: NodeJS.Timeout; summary: Summary };
type Summary = Omit<AuditEvent, 'what'>;

/**
 * Writes the security log. Successful actions are always written. Refused or failed ones cost an attacker nothing, so they must
 * not be able to fill the log: each process counts those beyond a limit per minute, and writes their number when the minute ends.
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

  /** Writes the counts that are still pending. */
  async close(): Promise<void> {
    await Promise.all([...this.windows.keys()].map((key) => this.end(key)));
  }

  private hasRoom(event: AuditEvent): boolean {
    const { company, kind, result, by, actorId, subject } = event;
    const anonymous = { actor: '', actorId: '', by: 'nobody', address: '', subject: '' } as const;
    const all = this.windowOf(company, { company, kind: 'access', result: 'refused', ...anonymous });
    if (all.written >= MOST_OF_COMPANY) {
      all.leftOut++;
      return false;
    }
    // Without a sign-in there is no name: then the count is per attacked account.
    const countedActor = by === 'nobody' ? subject : actorId;
    const own = this.windowOf(JSON.stringify([company, kind, result, by, countedActor]), {
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
      .catch((error: unknown) =>
        this.deps.log.error({ err: error, leftOut }, 'refused requests could not be written to the security log'),
      );
  }
}
