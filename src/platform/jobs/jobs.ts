import { setTimeout as wait } from 'node:timers/promises';
import { secondsFromNow } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { folderStore } from '#platform/storage/folder-store.ts';
import type { JobFiles } from '#platform/storage/store.ts';
import type { JobRunner } from './job-definition.ts';
import { isUniqueViolation } from '#platform/errors.ts';
import { endOfFault } from './job-fault.ts';
import { type Pool, poolNames, pools } from './job-pools.ts';
import { type Job, type JobContext, type JobEnd, Overtaken } from './job.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { ClockSkewRecovery } from './clock-skew.ts';
import { cancelNoted, cancelledOr } from './cancel-job.ts';
import { jobMetrics } from './job-metrics.ts';
import { asJob, reportSpan } from './job-span.ts';
import { type Metrics, noMetrics } from '#platform/telemetry/metrics.ts';
import { noTraces, type Traces } from '#platform/telemetry/spans.ts';
import { nextJob } from './next-job.ts';
import { storeEnd } from './store-end.ts';
import { JobTaker } from './take-job.ts';

const leaseSeconds = 30;
/** A third of the lease: two missed beats are forgiven, and a dead worker's job is taken over within 60 s (I10). */
const beatMs = 10_000;
/** Interval between two checks for jobs while one runs, and between checks for changes during a longer rest, in ms. */
const idleMs = 2000;
/** A job that took its process down three times is not tried a fourth time. */
const maxAttempts = 3;

const leaseLost = new Error('lease lost');
const stopping = new Error('stopping');
const cancelled = new Error('cancelled');

type Running = { id: string; pool: Pool | undefined; controller: AbortController; over: Promise<void> };

/**
 * The job queue: jobs are rows, taken by lease with heartbeat and fencing token. Taking a job raises its fence, and the end
 * (with its effect) is written only under that fence, so a worker that slept through its lease changes nothing. A unique index
 * allows one running job per subject. Each pool has its own slots (job-pools.ts), which companies take in turns (take-job.ts).
 */
export class Jobs {
  private readonly database: Database;
  private readonly runners: ReadonlyMap<string, JobRunner>;
  private readonly log: Log;
  private readonly worker: string;
  private readonly files: JobFiles;
  private readonly clockSkew: ClockSkewRecovery;
  private readonly metrics: ReturnType<typeof jobMetrics>;
  private readonly traces: Traces;
  private readonly onEnd: (trx: Trx, job: Job, end: JobEnd) => Promise<void>;
  private readonly stop = new AbortController();
  private readonly running = new Set<Running>();
  private readonly taker = new JobTaker();
  private wake: AbortController = new AbortController();
  private polling: Promise<void> | undefined;

  constructor(options: {
    database: Database;
    /** Where the files of jobs are stored; by default in local folders. */
    files?: JobFiles;
    /** One runner for each kind. */
    runners: readonly JobRunner[];
    log: Log;
    worker: string;
    /** How long, in ms, a lease that the clock cannot end must be unchanged before it is taken over; shorter in tests. */
    patienceMs?: number;
    metrics?: Metrics;
    traces?: Traces | undefined;
    /** Runs in the transaction that writes a job's end. */
    onEnd: (trx: Trx, job: Job, end: JobEnd) => Promise<void>;
  }) {
    this.database = options.database;
    this.runners = new Map(options.runners.map((runner) => [runner.kind, runner]));
    if (this.runners.size < options.runners.length) throw new Error('two runners for one kind of job');
    this.log = options.log;
    this.worker = options.worker;
    this.files = options.files ?? folderStore;
    this.clockSkew = new ClockSkewRecovery(
      options.database,
      leaseSeconds,
      options.patienceMs ?? leaseSeconds * 1000 + beatMs,
    );
    this.metrics = jobMetrics(options.metrics ?? noMetrics, this.runners.keys());
    this.traces = options.traces ?? noTraces;
    this.onEnd = options.onEnd;
  }

  /** `alone`: no other process uses this database (embedded), so every running job is an orphan of a dead process. */
  async start(alone: boolean): Promise<void> {
    if (alone) {
      await this.database.system(async (trx) => {
        await trx
          .updateTable('jobs')
          .set({ lease_until: secondsFromNow(-1) })
          .where('state', '=', 'running')
          .execute();
      });
    }
    this.polling = this.poll();
  }

  /** Hands running jobs back to the queue and waits until no handler runs. */
  async close(): Promise<void> {
    this.stop.abort(stopping);
    this.wake.abort();
    await this.polling;
    for (const { controller } of this.running) controller.abort(stopping);
    await Promise.all([...this.running].map(({ over }) => over));
  }

  /** Checks for jobs at once instead of at the next poll; call it after a transaction that added a job. */
  nudge(): void {
    this.wake.abort();
  }

  /** Cancels a job: a queued one ends at once, a running one when its handler notices. */
  async cancel(company: string, id: string, note?: (trx: Trx) => Promise<void>): Promise<void> {
    await cancelNoted(this.database, { company, id }, this.onEnd, note);
    for (const one of this.running) if (one.id === id) one.controller.abort(cancelled);
  }

  /** Starts jobs while there are slots, and checks again when a job has ended or was added. */
  private async poll(): Promise<void> {
    while (!this.stop.signal.aborted) {
      const { count: changes } = this.database.activity;
      const wake = this.wake.signal;
      const job = await this.take().catch((error: unknown) => {
        this.log.error({ err: error }, 'taking a job failed');
        return undefined;
      });
      if (job === 'contended') continue;
      if (job) {
        this.begin(job);
        continue;
      }
      await this.clockSkew.look().catch((error: unknown) => this.log.warn({ err: error }, 'leases could not be read'));
      const restMs = await this.restMs();
      for (let passed = 0; passed < restMs && !wake.aborted; passed += idleMs) {
        await wait(Math.min(idleMs, restMs - passed), undefined, { signal: wake, ref: false }).catch(() => {});
        if (this.database.activity.count !== changes) break;
      }
      if (!this.stop.signal.aborted && this.wake.signal.aborted) this.wake = new AbortController();
    }
  }

  /** Returns the rest in ms until a waiting job may start; short while a job runs in any process, as its worker may die. */
  private async restMs(): Promise<number> {
    const open = await this.database.system(nextJob).catch(() => undefined);
    if (open === undefined || open.running === true) return idleMs;
    const untilDue = open.seconds === null ? Infinity : open.seconds * 1000;
    return Math.min(untilDue, this.database.activity.restMs());
  }

  private take(): Promise<Job | 'contended' | undefined> {
    const busy = (pool: Pool) => [...this.running].filter((one) => one.pool === pool).length;
    const free = new Set(poolNames.filter((pool) => busy(pool) < pools[pool]));
    const known = new Map([...this.runners.values()].map(({ kind, pool }) => [kind, pool]));
    return this.database
      .system((trx) => this.taker.take(trx, { worker: this.worker, leaseSeconds, pools: known, free }))
      .catch((error: unknown) => {
        // Another worker took a job of the same subject at the same moment; the next check sees it.
        if (isUniqueViolation(error)) return 'contended';
        throw error;
      });
  }

  private begin(job: Job): void {
    const controller = new AbortController();
    const over = asJob(this.traces, job, () => this.run(job, controller)).finally(() => {
      this.running.delete(entry);
      this.nudge();
    });
    const entry: Running = { id: job.id, pool: this.runners.get(job.kind)?.pool, controller, over };
    this.running.add(entry);
  }

  private async run(job: Job, controller: AbortController): Promise<void> {
    const begin = performance.now();
    const report = (outcome: string) => {
      reportSpan(outcome);
      this.metrics.ended(job.kind, outcome, (performance.now() - begin) / 1000);
    };
    let progress: string | undefined;
    let lastBeat = Promise.resolve();
    const beat = () => {
      lastBeat = this.beat(job, progress, controller).catch(this.warning(job, 'heartbeat failed'));
    };
    const beatTimer = setInterval(beat, beatMs);
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
    let outcome: JobEnd | undefined;
    let ended = false;
    try {
      const end = await this.handle(job, context, (done) => {
        outcome = done;
      });
      await lastBeat;
      const stored = await this.finish(job, end, progress).catch((error: unknown) => {
        if (!(error instanceof Overtaken)) throw error;
        return this.finish(job, { state: 'again', seconds: 0, message: error.message }, progress);
      });
      // If its files could not be prepared or it was overtaken, the attempt did not end as the handler reported.
      ended = stored !== 'hand-back' && (outcome === undefined || stored === outcome);
      report(stored === 'hand-back' ? stored : stored.state);
    } catch (error) {
      report(error === leaseLost ? 'lease-lost' : 'unwritten');
      if (error === leaseLost) this.log.warn({ job: job.id }, 'lease lost, the result is dropped');
      else this.log.error({ err: error, job: job.id }, 'job could not be finished');
    } finally {
      clearInterval(beatTimer);
      await this.clear(job, outcome, ended);
    }
  }

  private readonly warning = (job: Job, message: string) => (error: unknown) =>
    this.log.warn({ err: error, job: job.id }, message);

  private async clear(job: Job, outcome: JobEnd | undefined, ended: boolean): Promise<void> {
    const cleared = this.files.discard(job, outcome?.files ?? []).then(() => outcome?.after?.(ended));
    await cleared.catch(this.warning(job, 'removing the files of a job failed'));
  }

  /** `onMade` gets the handler's end, including its files, even if they could not be forced to the disk. */
  private async handle(job: Job, context: JobContext, onMade: (end: JobEnd) => void): Promise<JobEnd | 'hand-back'> {
    const runner = this.runners.get(job.kind);
    if (!runner) return { state: 'failed', message: 'Diese Art von Lauf kennt das Programm nicht (mehr).' };
    if (job.cancel) return { state: 'cancelled' };
    if (job.attempts > maxAttempts) {
      return {
        state: 'failed',
        message: `Der Lauf wurde ${maxAttempts}-mal unerwartet unterbrochen und nicht weiter versucht. Der bisherige Stand gilt weiter.`,
      };
    }
    try {
      const end = await runner.run(job, context);
      onMade(end);
      await this.files.prepare(job, end.files ?? []);
      return end;
    } catch (error) {
      if (context.signal.reason === stopping) return 'hand-back';
      if (context.signal.reason === cancelled) return { state: 'cancelled' };
      if (context.signal.reason === leaseLost) throw leaseLost;
      this.log.error({ err: error, job: job.id, kind: job.kind }, 'job failed');
      return endOfFault(error, job);
    }
  }

  /** Extends the lease; notices a cancellation by another process, and a lost lease. */
  private async beat(job: Job, progress: string | undefined, controller: AbortController): Promise<void> {
    const renewed = await this.database.system((trx) =>
      trx
        .updateTable('jobs')
        .set({ lease_until: secondsFromNow(leaseSeconds), progress })
        .where((eb) => eb.and({ company: job.company, id: job.id, fence: job.fence, state: 'running' }))
        .returning('cancel')
        .executeTakeFirst(),
    );
    if (!renewed) controller.abort(leaseLost);
    else if (renewed.cancel) controller.abort(cancelled);
  }

  private async finish<E extends JobEnd | 'hand-back'>(
    job: Job,
    reported: E,
    progress: string | undefined,
  ): Promise<E> {
    await this.database.company(job.company, async (trx) => {
      const end = await cancelledOr(trx, job, reported);
      if (!(await storeEnd(trx, job, end, progress))) throw leaseLost;
      if (end === 'hand-back') return;
      await this.files.place(trx, job, end.files ?? []);
      await end.effect?.(trx);
      await this.onEnd(trx, job, end);
    });
    if (reported === 'hand-back') return reported;
    // The end is written: a power cut now is repaired at the next start.
    await this.files.settle(job, reported.files ?? []).catch(this.warning(job, 'settling the files of a job failed'));
    return reported;
  }
}
