import { anyOf, pg, secondsFromNow } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Run } from '#shared/runs/schema.ts';
import type { LiveEvent, RunOutcome } from '#shared/live/schema.ts';
import type { JobState } from '#platform/jobs/job.ts';

/** A job that is running, or ended `seconds` ago. `state`: a held run ends a second time, when a user decides on it. */
type Seen = {
  company: string;
  id: string;
  subject: string;
  state: JobState;
  decided: boolean;
  over: boolean;
  seconds: number;
};

export type Listener = {
  readonly company: string;
  /** Called with changes of a job's subject, if it is watched. `outcome`: of the run that ended. */
  readonly tell: (subject: string, state: LiveEvent['state'], outcome: RunOutcome) => void;
};

const watched: readonly Run['kind'][] = ['import', 'export', 'prices', 'upload'];
const everyMs = 1000;
/** How long ended jobs are read: longer than the time between two queries, because a job is written a little after its end. */
const overlapSeconds = 5;

/**
 * Reports running jobs to all listeners. The jobs table knows them for all processes, so one query per second serves any number
 * of listeners, whichever process runs the job.
 */
export class LiveStatus {
  private readonly database: Pick<Database, 'system'>;
  private readonly log: Log;
  private readonly listeners = new Set<Listener>();
  private running = new Set<string>();
  private reported = new Set<string>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private querying = false;

  constructor(database: Pick<Database, 'system'>, log: Log) {
    this.database = database;
    this.log = log;
  }

  /**
   * Listens until `stop` is called. `running`: the subjects of the company's jobs that are running now; `ended`: those whose jobs
   * ended in the last `age` milliseconds, and that are not running again, and how the last one ended.
   */
  async listen(
    listener: Listener,
    age = 0,
  ): Promise<{ running: ReadonlySet<string>; ended: ReadonlyMap<string, RunOutcome>; stop: () => void }> {
    const { company } = listener;
    // One query, before the listener is added: a second one could fail behind it, and the next poll would come first.
    const seen = await this.ask([company], Math.max(overlapSeconds, age / 1000));
    const own = seen.filter(({ over }) => !over);
    // If the company has other listeners, the next poll must still report these jobs to them.
    if (![...this.listeners].some((other) => other.company === company)) {
      for (const one of seen) if (one.over) this.reported.add(idOf(one));
      for (const one of own) this.running.add(keyOf(one));
    }
    this.listeners.add(listener);
    this.timer ??= setInterval(() => void this.poll(), everyMs).unref();
    const running = new Set(own.map(({ subject }) => subject));
    const ended = seen.filter(({ over, seconds, subject }) => over && seconds * 1000 < age && !running.has(subject));
    return {
      running,
      ended: outcomesOf(ended, ({ subject }) => subject),
      stop: () => {
        this.listeners.delete(listener);
        if (this.listeners.size > 0) return;
        clearInterval(this.timer);
        this.timer = undefined;
        this.running.clear();
      },
    };
  }

  private async poll(): Promise<void> {
    if (this.querying) return;
    this.querying = true;
    try {
      const companies = this.companies();
      const seen = await this.ask([...companies]);
      // Companies whose first listener came meanwhile were not queried: only what was reported to them is known.
      const joined = [...this.companies()].filter((company) => !companies.has(company));
      const ofJoined = (keys: ReadonlySet<string>) => [...keys].filter((key) => joined.some((one) => isOf(one, key)));
      const before = this.running;
      const now = new Set([...seen.filter(({ over }) => !over).map(keyOf), ...ofJoined(before)]);
      // Jobs that began and ended between two queries are reported, too.
      const ended = seen.filter((one) => one.over && !this.reported.has(idOf(one)));
      const passed = new Set(ended.map(keyOf).filter((key) => !before.has(key)));
      const outcomes = outcomesOf(ended, keyOf);
      this.reported = new Set([...seen.filter(({ over }) => over).map(idOf), ...ofJoined(this.reported)]);
      this.running = now;
      for (const listener of this.listeners) tellChanges(listener, { before, now, passed, outcomes });
    } catch (error) {
      this.log.warn({ err: error }, 'live status could not be read');
    } finally {
      this.querying = false;
    }
  }

  private companies(): Set<string> {
    return new Set([...this.listeners].map(({ company }) => company));
  }

  private ask(companies: readonly string[], endedSeconds = overlapSeconds): Promise<Seen[]> {
    return this.database.system((trx) => seenJobs(trx, companies, endedSeconds));
  }
}

/** By the clock of the database, which wrote the end; 0 for jobs that have not ended. */
const secondsSince = pg<number>`coalesce(extract(epoch from now() - finished_at), 0)::float8`;

/** Whether a user has released or discarded the job's held result (feed/runs/decisions.ts). */
const isDecided = pg<boolean>`result::jsonb @> '{"decided": true}'`;

/** Returns jobs of these companies that are waiting, running, or ended a moment ago: each part uses an index of its own. */
export async function seenJobs(trx: Trx, companies: readonly string[], endedSeconds = overlapSeconds): Promise<Seen[]> {
  const ofCompanies = () =>
    trx
      .selectFrom('jobs')
      .select(['company', 'id', 'subject', 'state', secondsSince.as('seconds'), isDecided.as('decided')])
      .where('company', '=', anyOf(companies))
      .where('kind', '=', anyOf(watched));
  const rows = await ofCompanies()
    .where('state', '=', 'queued')
    .unionAll(ofCompanies().where('state', '=', 'running'))
    .unionAll(ofCompanies().where('finished_at', '>', secondsFromNow(-endedSeconds)))
    .execute();
  return rows.map((row) => ({ ...row, over: row.state !== 'queued' && row.state !== 'running' }));
}

/** Returns how the job that ended last has ended, by its key. */
const outcomesOf = (ended: readonly Seen[], keyed: (one: Seen) => string): ReadonlyMap<string, RunOutcome> =>
  new Map(ended.toSorted((one, other) => other.seconds - one.seconds).map((one) => [keyed(one), outcomeOf(one)]));

function outcomeOf({ state, decided }: Seen): RunOutcome {
  if (state === 'cancelled' && decided) return 'discarded';
  return state === 'failed' || state === 'blocked' || state === 'cancelled' ? state : 'done';
}

type Changes = Record<'before' | 'now' | 'passed', ReadonlySet<string>> & {
  outcomes: ReadonlyMap<string, RunOutcome>;
};

function tellChanges({ company, tell }: Listener, { before, now, passed, outcomes }: Changes): void {
  for (const key of new Set([...before, ...now, ...passed])) {
    if (!isOf(company, key)) continue;
    const subject = key.slice(company.length + 1);
    if (passed.has(key) && !now.has(key)) tell(subject, 'run', 'done');
    if (before.has(key) !== now.has(key) || passed.has(key))
      tell(subject, now.has(key) ? 'run' : 'idle', outcomes.get(key) ?? 'done');
  }
}

const keyOf = ({ company, subject }: Pick<Seen, 'company' | 'subject'>): string => `${company}\n${subject}`;
const idOf = ({ company, id, state }: Pick<Seen, 'company' | 'id' | 'state'>): string => `${company}\n${id}\n${state}`;
const isOf = (company: string, key: string): boolean => key.startsWith(`${company}\n`);
