import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Durations, Metrics } from '#platform/telemetry/metrics.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { nextDue } from '#shared/schedule/due-times.ts';
import type { ScheduleSettings } from '#shared/schedule/schema.ts';
import { requestMaintenance } from '#feed/runs/maintenance-job.ts';
import {
  lockState,
  type ScheduleSelection,
  nextLook,
  type SchedulePlace,
  type ScheduleState,
  schedulesToAttend,
  settingsOf,
  writeState,
} from './store.ts';
import { startExport, startSource, startStock, type StartDeps } from '#feed/runs/start-runs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A start that is later than this was missed: the program was down, or the clock was set forward. */
const LATE = 10 * MINUTE;

/** Interval for checking all schedules, not only those with a known event: the longest delay of a start that was overlooked. */
const ALL_MS = 10 * MINUTE;
/** A save or the end of a run becomes visible some time after its timestamp. */
const OVERLAP_SECONDS = 30;

/** Histogram buckets in seconds, from one second to a quarter of an hour. */
const LATENESS = [1, 5, 15, 60, 300, 900];

/** Event: no run succeeded for too long, or (`over`) one has succeeded again. */
export type Overdue = { ref: SchedulePlace; since: Date; hours: number; over: boolean };

export type DispatchDeps = StartDeps & {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  jobs: Pick<Jobs, 'nudge'>;
  /** Called in the transaction that records the event. */
  onOverdue: (trx: Trx, overdue: Overdue) => Promise<void>;
};
type Found = Awaited<ReturnType<typeof schedulesToAttend>>[number];
type Known = Omit<Found, 'body'> & { settings: ScheduleSettings };

/**
 * Starts runs that are due. Any number of processes may run it: a due schedule's row is locked, and its next start is written in
 * the transaction that adds the run. The next start is always computed from now, so missed times become one run, and a clock that
 * was set back starts nothing twice: the next start stays as it was.
 */
export class Dispatcher {
  private readonly deps: DispatchDeps;
  private readonly lateness: Durations<'subject'>;
  private timer: ReturnType<typeof setInterval> | undefined;
  private checking: Promise<void> | undefined;
  /** The last check (`at`; `read`: by the machine's clock; `allAt`: of all), the change count then, and the next due time. */
  private seen = { at: 0, changes: -1, firstAt: Infinity, allAt: -Infinity, read: 0 };

  constructor(deps: DispatchDeps) {
    this.deps = deps;
    this.lateness = deps.metrics.durations(
      'kontor_schedule_lateness_seconds',
      'Delay of planned starts.',
      ['subject'],
      LATENESS,
    );
  }

  start(everyMs: number): void {
    this.timer = setInterval(() => void this.once(), everyMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.checking;
  }

  private once(): Promise<void> {
    if (this.canSkip()) return Promise.resolve();
    this.checking ??= this.look()
      .catch((error: unknown) => this.deps.log.warn({ err: error }, 'schedules could not be read'))
      .finally(() => {
        this.checking = undefined;
      });
    return this.checking;
  }

  /** Whether nothing has changed since the last check, and no start has become due. */
  private canSkip(): boolean {
    const { database, clock } = this.deps;
    const { at, changes, firstAt } = this.seen;
    const now = clock.now().getTime();
    return changes === database.activity.count && now >= at && now < firstAt && now - at < database.activity.restMs();
  }

  /** Checks the schedules once. */
  async look(): Promise<void> {
    const { database, clock, log } = this.deps;
    const [at, changes] = [clock.now().getTime(), database.activity.count];
    const which = this.which(at);
    const read = Date.now();
    const found = await database.system((trx) => schedulesToAttend(trx, which));
    for (const { body, ...one } of found) {
      try {
        await this.attend({ ...one, settings: settingsOf(body) }, clock.now());
      } catch (error) {
        log.warn({ err: error, scope: one.ref.scope }, 'a scheduled job could not be started');
      }
    }
    if (await requestMaintenance(this.deps, which === 'all' ? 'ever' : which)) this.deps.jobs.nudge();
    const next = await database.system((trx) => nextLook(trx, clock.now()));
    const allAt = which === 'all' ? at : this.seen.allAt;
    this.seen = { at, changes, firstAt: next?.getTime() ?? Infinity, allAt, read };
  }

  /** All schedules at the start, after a clock was set back, and every ALL_MS; otherwise those with a known event. */
  private which(at: number): ScheduleSelection {
    const passed = Date.now() - this.seen.read;
    if (passed < 0 || at < this.seen.at || at - this.seen.allAt >= ALL_MS) return 'all';
    return { now: new Date(at), seconds: passed / 1000 + OVERLAP_SECONDS };
  }

  private async attend(known: Known, now: Date): Promise<void> {
    const { state, revision, settings, done, ref } = known;
    const changed = state?.revision !== revision;
    const due = state?.nextAt && state.nextAt <= now;
    const isPlanned = sameTime(state?.lookAt, state && lookAtOf(settings, state));
    if (!changed && !due && isPlanned && !isBeyondPlan(known, now) && done === state.goodRun && !isOverdue(known, now))
      return;
    const started = await this.deps.database.company(ref.company, async (trx) => {
      const held = await lockState(trx, ref);
      // Another process was faster, or a newer revision is already stored.
      if ((held?.revision ?? 0) > revision || differs(held, state)) return false;
      const next: ScheduleState = held === undefined || changed ? stateOfRevision(known, held, now) : { ...held };
      await this.judge(trx, { ...known, state: next }, now);
      if (isBeyondPlan({ ...known, state: next }, now)) next.nextAt = nextDue(settings, now) ?? null;
      const at = next.nextAt;
      const starts = at !== null && at <= now;
      if (starts) {
        const lateMs = now.getTime() - at.getTime();
        this.lateness.observe({ subject: ref.subject }, lateMs / 1000);
        const late = lateMs > LATE;
        next.nextAt = nextDue(settings, now) ?? null;
        next.note = await this.run(trx, ref, late);
      }
      await writeState(trx, ref, { ...next, lookAt: lookAtOf(settings, next) });
      return starts && next.note === null;
    });
    if (started) this.deps.jobs.nudge();
  }

  /** Starts the schedule's run. Returns why it was not started; null if it was. */
  private async run(trx: Trx, { company, subject, scope }: SchedulePlace, late: boolean): Promise<string | null> {
    const [kind, id = ''] = scope.split(':');
    const jobSubject = subject === 'stock_schedule' ? `stock:${id}` : scope;
    const open = await trx
      .selectFrom('jobs')
      .select('not_before')
      .where((eb) => eb.and({ company, subject: jobSubject }))
      .where('state', 'in', ['queued', 'running'])
      .limit(1)
      .executeTakeFirst();
    if (open)
      return open.not_before !== null
        ? 'Der letzte geplante Start entfiel: ein Lauf wartete noch auf seinen nächsten Versuch.'
        : 'Der letzte geplante Start entfiel: der Lauf davor war noch nicht zu Ende.';
    const starter = { by: late ? 'Zeitplan (nachgeholt)' : 'Zeitplan', scheduled: true as const };
    try {
      if (subject === 'stock_schedule') await startStock(trx, this.deps, { company, id }, starter);
      else if (kind === 'master') await startSource(trx, this.deps, { company, id }, starter);
      else await startExport(trx, this.deps, { company, id }, starter);
      return null;
    } catch (error) {
      if (!(error instanceof KontorError)) throw error;
      return `Der letzte geplante Start war nicht möglich: ${error.message}`;
    }
  }

  /** Detects success and its absence; modifies the given state. */
  private async judge(trx: Trx, { ref, settings, state, done, busy }: Known, now: Date): Promise<void> {
    if (!state) return;
    const hours = settings.patience;
    if (done !== state.goodRun) {
      const since = state.overdueSince;
      state.goodRun = done;
      state.goodAt = now;
      state.overdueSince = null;
      if (since) await this.deps.onOverdue(trx, { ref, since, hours, over: true });
    } else if (isOverdue({ settings, state, busy }, now)) {
      state.overdueSince = state.goodAt;
      await this.deps.onOverdue(trx, { ref, since: state.goodAt, hours, over: false });
    }
  }
}

/** Whether the next start is later than any plan allows: it was written while the clock was wrong by hours. */
function isBeyondPlan({ settings, state }: Pick<Known, 'settings' | 'state'>, now: Date): boolean {
  const later = new Date(now.getTime() + 2 * HOUR);
  // Nearly all of ten thousand schedules start before that, and computing the calendar is slow.
  if (!state?.nextAt || state.nextAt <= later) return false;
  const furthest = nextDue(settings, later);
  return furthest !== undefined && state.nextAt > furthest;
}

/** A run in progress or due now may still succeed: after a long downtime the run that makes up for it is waited for. */
const isOverdue = ({ settings, state, busy }: Pick<Known, 'settings' | 'state' | 'busy'>, now: Date): boolean =>
  !!state &&
  settings.active &&
  !busy &&
  !state.overdueSince &&
  !(state.nextAt && state.nextAt <= now) &&
  now.getTime() - state.goodAt.getTime() >= settings.patience * HOUR;

/** When a schedule must next be checked if nothing happens: at its start, or when users must be notified. null: never. */
function lookAtOf(settings: ScheduleSettings, { nextAt, goodAt, overdueSince }: ScheduleState): Date | null {
  const lateAt = settings.active && overdueSince === null ? goodAt.getTime() + settings.patience * HOUR : Infinity;
  const at = Math.min(nextAt?.getTime() ?? Infinity, lateAt);
  return at === Infinity ? null : new Date(at);
}

const sameTime = (one: Date | null | undefined, other: Date | null | undefined): boolean =>
  one?.getTime() === other?.getTime();

const differs = (held: ScheduleState | undefined, read: ScheduleState | undefined): boolean =>
  held?.revision !== read?.revision ||
  held?.nextAt?.getTime() !== read?.nextAt?.getTime() ||
  held?.goodRun !== read?.goodRun ||
  held?.overdueSince?.getTime() !== read?.overdueSince?.getTime();

/** A start that is due but not made yet when the plan is saved again, if it is also a start of the new plan. */
function dueStill(settings: ScheduleSettings, held: ScheduleState | undefined, now: Date): Date | undefined {
  if (!held?.nextAt || held.nextAt > now) return undefined;
  const first = nextDue(settings, new Date(held.nextAt.getTime() - 1));
  return sameTime(first, held.nextAt) ? first : undefined;
}

/** The state under a new revision. The waiting time before a notification restarts if the schedule was off. */
function stateOfRevision(
  { revision, settings, done }: Known,
  held: ScheduleState | undefined,
  now: Date,
): ScheduleState {
  const ran = held?.nextAt !== null && held !== undefined;
  return {
    revision,
    nextAt: dueStill(settings, held, now) ?? nextDue(settings, now) ?? null,
    note: null,
    goodRun: ran ? held.goodRun : done,
    goodAt: ran ? held.goodAt : now,
    overdueSince: ran ? held.overdueSince : null,
    lookAt: null,
  };
}
