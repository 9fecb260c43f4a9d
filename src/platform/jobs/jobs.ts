import { setTimeout as wait } from 'node:timers/promises';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { isDiskFull } from '#platform/errors.ts';
import { discardFiles, type JobFile, placeFiles, prepareFiles, syncFolders } from '#platform/job-files.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { ClockSkewRecovery } from './clock-skew.ts';

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled', 'blocked'] as const;
export type JobState = (typeof jobStates)[number];

/** A row of the jobs table. `payload`, `progress` and `result` are JSON texts that only their own subject reads. */
export type Job = {
  company: string;
  id: string;
  kind: string;
  subject: string;
  state: JobState;
  payload: string;
  progress: string;
  result: string;
  message: string | null;
  fence: number;
  attempts: number;
  cancel: boolean;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

/**
 * How a job ended. `files` get their names and `effect` runs in the transaction that marks the end, and only if the lease still
 * holds: what becomes visible cannot come from a worker that was overtaken. Nothing in `effect` waits for a disk or a network; the
 * contents of `files` are forced to the disk before the transaction begins. `after` runs in any case, last: it clears away, and is
 * told whether the end was written.
 */
export type JobEnd = {
  /** again: it stays queued and is tried once more after `seconds`; its result is there then. */
  state: 'done' | 'failed' | 'cancelled' | 'blocked' | 'again';
  seconds?: number;
  result?: unknown;
  message?: string;
  files?: readonly JobFile[];
  effect?: (trx: Trx) => Promise<void>;
  after?: (ended: boolean) => Promise<void>;
};

export type JobContext = {
  /** Aborted when the user cancels, the lease is lost or the program stops. */
  signal: AbortSignal;
  /** Remembers how far the work is; written at most twice a second. */
  progress(value: unknown): void;
};

export type JobHandler = (job: Job, context: JobContext) => Promise<JobEnd>;

const leaseSeconds = 30;
/** A third of the lease: two missed beats are forgiven, and a dead worker's job is taken over within 60 s (I10). */
const beatMs = 10_000;
const idleMs = 2000;
/** A job that took its process down three times is not tried a fourth time. */
const maxAttempts = 3;

const leaseLost = new Error('lease lost');
const stopping = new Error('stopping');
const cancelled = new Error('cancelled');

/**
 * Jobs are rows, taken by lease with heartbeat and fencing token: who takes a job raises its fence, and the end (with
 * its effect) is written only under the fence it was taken with, so a worker that slept through its lease changes
 * nothing. One job at a time for a subject (a unique index sees to it), the company with the fewest running goes first.
 */
export class Jobs {
  private readonly database: Database;
  private readonly handlers: Readonly<Record<string, JobHandler>>;
  private readonly log: Log;
  private readonly worker: string;
  private readonly strayed: ClockSkewRecovery;
  private readonly onEnd: (trx: Trx, job: Job, end: JobEnd) => Promise<void>;
  private readonly stop = new AbortController();
  private readonly running = new Map<string, AbortController>();
  private wake: AbortController = new AbortController();
  private loops: Promise<void>[] = [];

  constructor(options: {
    database: Database;
    handlers: Readonly<Record<string, JobHandler>>;
    log: Log;
    worker: string;
    /** How long a lease must stand still that the clock cannot end; tests have less patience. */
    patienceMs?: number;
    /** Joins the transaction that writes a job's end. */
    onEnd: (trx: Trx, job: Job, end: JobEnd) => Promise<void>;
  }) {
    this.database = options.database;
    this.handlers = options.handlers;
    this.log = options.log;
    this.worker = options.worker;
    this.strayed = new ClockSkewRecovery(
      options.database,
      leaseSeconds,
      options.patienceMs ?? leaseSeconds * 1000 + beatMs,
    );
    this.onEnd = options.onEnd;
  }

  /** `alone`: no other process works on this database (embedded), so every running job is an orphan of a dead process. */
  async start(parallel: number, alone: boolean): Promise<void> {
    if (alone) {
      await this.database.system(async (trx) => {
        await pg`update jobs set lease_until = now() - interval '1 second' where state = 'running'`.execute(trx);
      });
    }
    this.loops = Array.from({ length: parallel }, () => this.loop());
  }

  /** Hands running jobs back to the queue and waits until no handler runs. */
  async close(): Promise<void> {
    this.stop.abort(stopping);
    this.wake.abort();
    for (const controller of this.running.values()) controller.abort(stopping);
    await Promise.all(this.loops);
  }

  /** Looks for work at once instead of at the next round; to be called after a transaction that added a job. */
  nudge(): void {
    this.wake.abort();
  }

  /** Asks for the end of a job: a queued one ends at once, a running one when its handler notices. */
  async cancel(company: string, id: string): Promise<void> {
    await this.database.company(company, async (trx) => {
      await pg`update jobs set cancel = true, state = case when state = 'queued' then 'cancelled' else state end,
          finished_at = case when state = 'queued' then now() else finished_at end
        where company = ${company} and id = ${id} and state in ('queued', 'running')`.execute(trx);
    });
    this.running.get(id)?.abort(cancelled);
  }

  private async loop(): Promise<void> {
    while (!this.stop.signal.aborted) {
      const wake = this.wake.signal;
      const job = await this.take().catch((error: unknown) => {
        this.log.error({ err: error }, 'taking a job failed');
        return undefined;
      });
      if (job) await this.run(job);
      else {
        await this.strayed.look().catch((error: unknown) => this.log.warn({ err: error }, 'leases could not be read'));
        await wait(idleMs, undefined, { signal: wake, ref: false }).catch(() => {
          if (!this.stop.signal.aborted && this.wake.signal.aborted) this.wake = new AbortController();
        });
      }
    }
  }

  private take(): Promise<Job | undefined> {
    return this.database
      .system(async (trx) => {
        const { rows } = await pg<Job>`
        update jobs set state = 'running', fence = fence + 1, attempts = attempts + 1, worker = ${this.worker},
          lease_until = now() + make_interval(secs => ${leaseSeconds}), started_at = coalesce(started_at, now())
        where id = (
          select j.id from jobs j
          where (j.state = 'queued' and (j.not_before is null or j.not_before <= now()) and not exists (
              select 1 from jobs r where r.company = j.company and r.subject = j.subject and r.state = 'running'))
            or (j.state = 'running' and j.lease_until < now())
          order by j.state desc, (select count(*) from jobs r where r.company = j.company and r.state = 'running'), j.created_at
          limit 1 for update skip locked)
        returning *`.execute(trx);
        return rows[0];
      })
      .catch((error: unknown) => {
        // Another worker took a job of the same subject in the same moment; the next round sees it.
        if (isUniqueViolation(error)) return undefined;
        throw error;
      });
  }

  private async run(job: Job): Promise<void> {
    const controller = new AbortController();
    this.running.set(job.id, controller);
    let progress: string | undefined;
    let beating = Promise.resolve();
    const beat = () => {
      beating = this.beat(job, progress, controller).catch((error: unknown) =>
        this.log.warn({ err: error, job: job.id }, 'heartbeat failed'),
      );
    };
    const heart = setInterval(beat, beatMs);
    let lastWrite = 0;
    const context: JobContext = {
      signal: controller.signal,
      progress: (value) => {
        progress = JSON.stringify(value);
        const now = performance.now();
        if (now - lastWrite > 500) {
          lastWrite = now;
          beat();
        }
      },
    };
    let made: JobEnd | undefined;
    let ended = false;
    try {
      const end = await this.handle(job, context, (done) => {
        made = done;
      });
      await beating;
      await this.finish(job, end, progress);
      ended = end !== 'hand-back';
    } catch (error) {
      if (error === leaseLost) this.log.warn({ job: job.id }, 'lease lost, the result is dropped');
      else this.log.error({ err: error, job: job.id }, 'job could not be finished');
    } finally {
      clearInterval(heart);
      await this.clear(job, made, ended);
      this.running.delete(job.id);
      this.nudge();
    }
  }

  private async clear(job: Job, made: JobEnd | undefined, ended: boolean): Promise<void> {
    try {
      await discardFiles(job, made?.files ?? []);
      await made?.after?.(ended);
    } catch (error) {
      this.log.warn({ err: error, job: job.id }, 'clearing away failed');
    }
  }

  /** `onMade` hears of what the handler made, also where its files could not be forced to the disk. */
  private async handle(job: Job, context: JobContext, onMade: (end: JobEnd) => void): Promise<JobEnd | 'hand-back'> {
    const handler = this.handlers[job.kind];
    if (!handler) return { state: 'failed', message: 'Diese Art von Lauf kennt das Programm nicht (mehr).' };
    if (job.cancel) return { state: 'cancelled' };
    if (job.attempts > maxAttempts) {
      return {
        state: 'failed',
        message: `Der Lauf wurde ${maxAttempts}-mal unerwartet unterbrochen und nicht weiter versucht. Der bisherige Stand gilt weiter.`,
      };
    }
    try {
      const end = await handler(job, context);
      onMade(end);
      await prepareFiles(job, end.files ?? []);
      return end;
    } catch (error) {
      if (context.signal.reason === stopping) return 'hand-back';
      if (context.signal.reason === cancelled) return { state: 'cancelled' };
      if (context.signal.reason === leaseLost) throw leaseLost;
      this.log.error({ err: error, job: job.id, kind: job.kind }, 'job failed');
      return {
        state: 'failed',
        message: isDiskFull(error)
          ? 'Der Speicherplatz des Servers ist erschöpft. Der bisherige Stand gilt weiter. Bitte Speicherplatz freigeben und erneut starten.'
          : 'Der Lauf ist an einem internen Fehler gescheitert. Der bisherige Stand gilt weiter. Bitte erneut starten.',
      };
    }
  }

  /** Prolongs the lease; learns of a cancel asked for elsewhere, and of a lost lease. */
  private async beat(job: Job, progress: string | undefined, controller: AbortController): Promise<void> {
    const { rows } = await this.database.system((trx) =>
      pg<{ cancel: boolean }>`update jobs set lease_until = now() + make_interval(secs => ${leaseSeconds}),
          progress = coalesce(${progress ?? null}, progress)
        where company = ${job.company} and id = ${job.id} and fence = ${job.fence} and state = 'running'
        returning cancel`.execute(trx),
    );
    if (!rows[0]) controller.abort(leaseLost);
    else if (rows[0].cancel) controller.abort(cancelled);
  }

  private async finish(job: Job, end: JobEnd | 'hand-back', progress: string | undefined): Promise<void> {
    await this.database.company(job.company, async (trx) => {
      const back = end === 'hand-back';
      const again = !back && end.state === 'again';
      const done = await pg`update jobs set
          state = ${back || again ? 'queued' : end.state}, lease_until = null, worker = null,
          attempts = case when ${again} then 0 when ${back} then attempts - 1 else attempts end,
          not_before = case when ${again} then now() + make_interval(secs => ${again ? (end.seconds ?? 60) : 0}) end,
          result = case when ${back} then result else ${back ? '{}' : JSON.stringify(end.result ?? {})} end, message = ${back ? null : (end.message ?? null)},
          finished_at = case when ${back || again} then null else now() end, progress = coalesce(${progress ?? null}, progress)
        where company = ${job.company} and id = ${job.id} and fence = ${job.fence} and state = 'running'`.execute(trx);
      if (done.numAffectedRows !== 1n) throw leaseLost;
      if (back) return;
      await placeFiles(job, end.files ?? []);
      await end.effect?.(trx);
      await this.onEnd(trx, job, end);
    });
    if (end !== 'hand-back') await syncFolders(end.files ?? []);
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
