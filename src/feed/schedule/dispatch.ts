import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Durations, Metrics } from '#platform/telemetry/metrics.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { nextDue } from '#shared/schedule/due-times.ts';
import type { ScheduleSettings } from '#shared/schedule/schema.ts';
import { orderMaintenance } from '#feed/runs/maintenance-job.ts';
import {
  lockState,
  type Looked,
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
/** A start this late was missed: the program was down, or the clock was put forward. */
const LATE = 10 * MINUTE;

/** How often every schedule is looked at, not only those that something is known of: what was overlooked comes so late at most. */
const ALL_MS = 10 * MINUTE;
/** A save or the end of a run is seen some time after the moment that it says it was at. */
const OVERLAP_SECONDS = 30;

/** From a second to a quarter of an hour. */
const LATENESS = [1, 5, 15, 60, 300, 900];

/** That nothing succeeded for too long, or that something did again. */
export type Overdue = { ref: SchedulePlace; since: Date; hours: number; over: boolean };

export type DispatchDeps = StartDeps & {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  jobs: Pick<Jobs, 'nudge'>;
  /** Joins the transaction that writes it down. */
  onOverdue: (trx: Trx, overdue: Overdue) => Promise<void>;
};
type Found = Awaited<ReturnType<typeof schedulesToAttend>>[number];
type Known = Omit<Found, 'body'> & { settings: ScheduleSettings };

/**
 * Starts what is due. Any number of processes may look: a due schedule's row is locked, and its next start is written in the
 * transaction that adds the run. The next start is always counted from now, so times that were missed become one run, and a clock
 * that was put back starts nothing twice: the next start stands where it stood.
 */
export class Dispatcher {
  private readonly deps: DispatchDeps;
  private readonly lateness: Durations<'subject'>;
  private timer: ReturnType<typeof setInterval> | undefined;
  private looking: Promise<void> | undefined;
  /** When it was last looked (`read`: by the machine's clock) and at all, how much had changed until then, and when next something is due. */
  private seen = { at: 0, changes: -1, firstAt: Infinity, allAt: -Infinity, read: 0 };

  constructor(deps: DispatchDeps) {
    this.deps = deps;
    this.lateness = deps.metrics.durations(
      'kontor_schedule_lateness_seconds',
      'By how much planned starts came late.',
      ['subject'],
      LATENESS,
    );
  }

  start(everyMs: number): void {
    this.timer = setInterval(() => void this.once(), everyMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private once(): Promise<void> {
    if (this.mayRest()) return Promise.resolve();
    this.looking ??= this.look()
      .catch((error: unknown) => this.deps.log.warn({ err: error }, 'schedules could not be read'))
      .finally(() => {
        this.looking = undefined;
      });
    return this.looking;
  }

  /** Nothing has changed since the last look, and no start has fallen due. */
  private mayRest(): boolean {
    const { database, clock } = this.deps;
    const { at, changes, firstAt } = this.seen;
    const now = clock.now().getTime();
    return changes === database.activity.count && now >= at && now < firstAt && now - at < database.activity.restMs();
  }

  /** One look at the schedules. */
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
        log.warn({ err: error, scope: one.ref.scope }, 'a schedule could not be kept');
      }
    }
    if (await orderMaintenance(this.deps, which === 'all' ? 'ever' : which)) this.deps.jobs.nudge();
    const next = await database.system((trx) => nextLook(trx, clock.now()));
    const allAt = which === 'all' ? at : this.seen.allAt;
    this.seen = { at, changes, firstAt: next?.getTime() ?? Infinity, allAt, read };
  }

  /** All at the start, when a clock was put back, and now and then; else what something is known of. */
  private which(at: number): Looked {
    const passed = Date.now() - this.seen.read;
    if (passed < 0 || at < this.seen.at || at - this.seen.allAt >= ALL_MS) return 'all';
    return { now: new Date(at), seconds: passed / 1000 + OVERLAP_SECONDS };
  }

  private async attend(known: Known, now: Date): Promise<void> {
    const { state, revision, settings, done, ref } = known;
    const changed = state?.revision !== revision;
    const due = state?.nextAt && state.nextAt <= now;
    const isPlanned = sameTime(state?.lookAt, state && lookAtOf(settings, state));
    if (!changed && !due && isPlanned && !strayed(known, now) && done === state.goodRun && !isOverdue(known, now))
      return;
    const started = await this.deps.database.company(ref.company, async (trx) => {
      const held = await lockState(trx, ref);
      // Another process was faster, or a newer revision stands already.
      if ((held?.revision ?? 0) > revision || differs(held, state)) return false;
      const next: ScheduleState = held === undefined || changed ? stateOfRevision(known, held, now) : { ...held };
      await this.judge(trx, { ...known, state: next }, now);
      if (strayed({ ...known, state: next }, now)) next.nextAt = nextDue(settings, now) ?? null;
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

  /** Starts what the schedule is for. Gives why it was not started; null if it was. */
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

  /** Notices success and its absence; changes the state it is given. */
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

/** The next start lies further ahead than any plan puts it: the clock was wrong by hours when it was written. */
function strayed({ settings, state }: Pick<Known, 'settings' | 'state'>, now: Date): boolean {
  const later = new Date(now.getTime() + 2 * HOUR);
  // Of ten thousand schedules nearly all start before that, and to ask the calendar takes its time.
  if (!state?.nextAt || state.nextAt <= later) return false;
  const furthest = nextDue(settings, later);
  return furthest !== undefined && state.nextAt > furthest;
}

/** What is under way or starts now may still succeed: after a long pause the run that makes up for it is waited for. */
const isOverdue = ({ settings, state, busy }: Pick<Known, 'settings' | 'state' | 'busy'>, now: Date): boolean =>
  !!state &&
  settings.active &&
  !busy &&
  !state.overdueSince &&
  !(state.nextAt && state.nextAt <= now) &&
  now.getTime() - state.goodAt.getTime() >= settings.patience * HOUR;

/** When next something is to be done for a schedule though nothing happens: its start, or that people are told. */
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

/** A start that is due and not made yet when the plan is saved anew, if it is one of the new plan as well. */
function dueStill(settings: ScheduleSettings, held: ScheduleState | undefined, now: Date): Date | undefined {
  if (!held?.nextAt || held.nextAt > now) return undefined;
  const first = nextDue(settings, new Date(held.nextAt.getTime() - 1));
  return sameTime(first, held.nextAt) ? first : undefined;
}

/** The state under a new revision. Patience begins anew where the schedule was off. */
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
