import type { RawBuilder } from 'kysely';
import { pg, secondsFromNow } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { jobsPause } from '#platform/installation-facts.ts';
import { isDrained } from '#platform/processes/processes.ts';
import type { Job } from './job.ts';
import { type Pool, poolNames } from './job-pools.ts';

/** The worker that takes a job: `pools` names the pool of every known kind, `free` the pools that have free slots. */
export type Taker = {
  readonly worker: string;
  readonly leaseSeconds: number;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly free: ReadonlySet<Pool>;
};

/** How many companies are tried in order when other workers take the first one's jobs at the same moment. */
const MOST_TRIED = 5;
/** Most turns that one query finds, and for how many ms they are used if there may be more. */
const MOST_TURNS = 200;
const KEPT_MS = 1000;

/**
 * Takes jobs for one worker: first those of dead workers, then the oldest job of the company whose turn it is. Jobs of unknown
 * kinds are taken as well, so that they fail visibly.
 *
 * Finding the turns scans all waiting jobs. If hundreds of companies wait, one scan serves many jobs, one of each company in
 * order: a new scan for each would take longer than the jobs. Other workers have such a list, too: a company that got a turn
 * from one of them meanwhile is skipped until the next scan.
 */
export class JobTaker {
  private cached: CompanyTurn[] = [];
  private cachedUntil = 0;

  /** Returns the next job, if there is one for a free slot and the operator allows jobs to be taken. */
  async take(trx: Trx, taker: Taker): Promise<Job | undefined> {
    if ((await jobsPause(trx)) !== undefined || (await isDrained(trx, taker.worker))) return undefined;
    return (await takeLeft(trx, taker)) ?? (await this.takeCached(trx, taker)) ?? (await this.takeFound(trx, taker));
  }

  private async takeCached(trx: Trx, taker: Taker): Promise<Job | undefined> {
    if (performance.now() > this.cachedUntil) this.cached = [];
    for (let tried = 0; tried < MOST_TRIED;) {
      const turn = this.cached.shift();
      if (turn === undefined) return undefined;
      if (turn.pool !== null && !taker.free.has(turn.pool)) continue;
      tried++;
      const job = await takeOldest(trx, taker, turn, hadNoTurn(taker, turn));
      if (job !== undefined) return job;
    }
    return undefined;
  }

  private async takeFound(trx: Trx, taker: Taker): Promise<Job | undefined> {
    const found = await nextTurns(trx, taker);
    this.cached = found.length < MOST_TURNS ? [] : found;
    this.cachedUntil = performance.now() + KEPT_MS;
    if (this.cached.length > 0) return this.takeCached(trx, taker);
    for (const turn of found.slice(0, MOST_TRIED)) {
      const job = await takeOldest(trx, taker, turn);
      if (job !== undefined) return job;
    }
    return undefined;
  }
}

/** Takes the job that `next` finds and locks. */
const take = (trx: Trx, { worker, leaseSeconds }: Taker, next: RawBuilder<string>): Promise<Job | undefined> =>
  trx
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running',
      fence: eb('fence', '+', 1),
      attempts: eb('attempts', '+', 1),
      worker,
      taken_at: eb.fn<Date>('clock_timestamp'),
      started_at: eb.fn.coalesce('started_at', eb.fn<Date>('now')),
      lease_until: secondsFromNow(leaseSeconds),
    }))
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst();

/** Every known kind with its pool. */
const known = ({ pools }: Taker) =>
  pg`select * from unnest(${[...pools.keys()]}::text[], ${[...pools.values()]}::text[]) as k(kind, pool)`;
const isFree = ({ free }: Taker) =>
  pg`(k.pool is null or k.pool = any(${poolNames.filter((pool) => free.has(pool))}::text[]))`;

/** Takes a job whose lease has expired: its worker is dead or asleep. */
const takeLeft = (trx: Trx, taker: Taker) =>
  take(
    trx,
    taker,
    pg`(select j.id from jobs j left join (${known(taker)}) k on k.kind = j.kind
      where j.state = 'running' and j.lease_until < now() and ${isFree(taker)}
      order by j.created_at, j.id limit 1 for update of j skip locked)`,
  );

/**
 * Whether no job of its subject blocks queued job `q`: a running one or, if `q` keeps its order, an earlier one, even
 * while that waits for a retry.
 */
export const isNext = pg`not exists (
  select 1 from jobs r where r.company = q.company and r.subject = q.subject and (r.state = 'running'
    or (q.in_order and r.state = 'queued' and (r.created_at, r.id) < (q.created_at, q.id))))`;
/** Whether queued job `q` may start now. */
const isDue = pg`q.state = 'queued' and (q.not_before is null or q.not_before <= now()) and ${isNext}`;

/** `found`: time of the query by the clock of the database. */
type CompanyTurn = { company: string; pool: Pool | null; kinds: string[]; found: Date };

/**
 * Returns companies with jobs for a free slot, in the order of their turn within a pool: fewest running jobs first, then the
 * longest time since the last turn. So a company with a thousand jobs keeps no other waiting, even with a single slot.
 */
async function nextTurns(trx: Trx, taker: Taker): Promise<CompanyTurn[]> {
  // Plain SQL: with materialized and lateral parts, and counts of other tables, the builder would be longer and no clearer.
  const { rows } = await pg<CompanyTurn>`with known as (${known(taker)}), waiting as materialized (
      select j.company, k.pool, array_agg(j.kind) as kinds, min(oldest.created_at) as since
      from (select distinct company, kind from jobs where state = 'queued') j left join known k on k.kind = j.kind
        cross join lateral (select q.created_at from jobs q where q.company = j.company and q.kind = j.kind and ${isDue}
          order by q.created_at limit 1) oldest
      where ${isFree(taker)} group by j.company, k.pool)
    select w.company, w.pool, w.kinds, clock_timestamp() as found from waiting w
    order by (select count(*) from jobs r join known k on k.kind = r.kind
        where r.company = w.company and r.state = 'running' and k.pool = w.pool),
      (select max(last.taken_at) from known k cross join lateral (select s.taken_at from jobs s
          where s.company = w.company and s.kind = k.kind and s.taken_at is not null order by s.taken_at desc limit 1) last
        where k.pool = w.pool) nulls first, w.since, w.company limit ${MOST_TURNS}`.execute(trx);
  return rows;
}

/** Whether no job of the company's pool has been taken since the turn was found. */
const hadNoTurn = (taker: Taker, { company, pool, found }: CompanyTurn) =>
  pg`not exists (select 1 from (${known(taker)}) k join jobs s on s.company = ${company} and s.kind = k.kind
    where k.pool = ${pool} and s.taken_at > ${found})`;

const takeOldest = (trx: Trx, taker: Taker, { company, kinds }: CompanyTurn, may = pg`true`) =>
  take(
    trx,
    taker,
    pg`(select q.id from jobs q where q.company = ${company} and q.kind = any(${kinds}::text[]) and ${isDue} and ${may}
      order by q.created_at, q.id limit 1 for update skip locked)`,
  );
