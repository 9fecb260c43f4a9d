import { anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

// The program's frequent queries before it was optimised for many companies, as the baseline of bench:companies.

/** Reads every schedule, every five seconds in every worker. */
export const allSchedules = (trx: Trx) =>
  pg`select d.company, d.subject, d.scope, d.revision, d.body, s.revision as known, s.next_at, s.note, s.good_run, s.good_at,
      s.overdue_since, g.id as done, exists (select 1 from jobs j where j.company = d.company and j.subject = d.jobs
        and j.state in ('queued', 'running')) as busy
    from (select distinct on (company, subject, scope) company, subject, scope, revision, body,
        case subject when 'stock_schedule' then replace(scope, 'export:', 'stock:') else scope end as jobs
      from documents d where subject in ('schedule', 'stock_schedule')
        and (exists (select 1 from masters m where m.company = d.company and 'master:' || m.id = d.scope)
          or exists (select 1 from exports e where e.company = d.company and 'export:' || e.id = d.scope)) order by company, subject, scope, revision desc) d
    left join schedules s on s.company = d.company and s.subject = d.subject and s.scope = d.scope
    left join lateral (select j.id from jobs j where j.company = d.company and j.state = 'done'
      and j.subject = d.jobs order by j.created_at desc limit 1) g on true`.execute(trx);

/** Reads which companies' nightly maintenance is due, at each check of the schedules. */
export const maintenanceDue = async (trx: Trx) => {
  const ids = await trx.selectFrom('organization').select('id').execute();
  return pg`select c.company from unnest(${ids.map(({ id }) => id)}::text[]) as c(company)
    where (exists (select 1 from masters m where m.company = c.company) or exists (select 1 from jobs j where j.company = c.company))
      and not exists (select 1 from schedules s where s.company = c.company and s.subject = 'maintenance' and s.scope = ''
        and s.next_at > now())`.execute(trx);
};

/** Reads jobs of all companies that are running or just ended, every second in every web process. */
export const liveJobs = (trx: Trx) =>
  pg`select company, id, subject, state from jobs where kind = ${anyOf(['import', 'export', 'prices'])}
    and (state in ('queued', 'running') or finished_at > now() - interval '5 seconds')`.execute(trx);

/** Reads when the next job may start, and whether one is running, at each poll that found no job. */
export const openJobs = (trx: Trx) =>
  pg`select bool_or(state = 'running') as running, date_part('epoch', min(not_before) filter (where not_before > now()) - now()) as seconds
    from jobs where state in ('queued', 'running')`.execute(trx);

const known = (pools: ReadonlyMap<string, string>) =>
  pg`select * from unnest(${[...pools.keys()]}::text[], ${[...pools.values()]}::text[]) as k(kind, pool)`;
const isDue = pg`q.state = 'queued' and (q.not_before is null or q.not_before <= now()) and not exists (
  select 1 from jobs r where r.company = q.company and r.subject = q.subject and r.state = 'running')`;

/** Takes a job: one that a dead worker left, the next company in turn, its oldest job. Three queries per job. */
export async function takeJobBefore(trx: Trx, pools: ReadonlyMap<string, string>): Promise<void> {
  await pg`select j.id from jobs j left join (${known(pools)}) k on k.kind = j.kind
    where j.state = 'running' and j.lease_until < now() order by j.created_at, j.id limit 1 for update of j skip locked`.execute(
    trx,
  );
  const { rows } = await pg<{
    company: string;
    kinds: string[];
  }>`with known as (${known(pools)}), waiting as materialized (
      select j.company, k.pool, array_agg(j.kind) as kinds, min(oldest.created_at) as since
      from (select distinct company, kind from jobs where state = 'queued') j left join known k on k.kind = j.kind
        cross join lateral (select q.created_at from jobs q where q.company = j.company and q.kind = j.kind and ${isDue}
          order by q.created_at limit 1) oldest
      group by j.company, k.pool)
    select w.company, w.kinds from waiting w
    order by (select count(*) from jobs r join known k on k.kind = r.kind
        where r.company = w.company and r.state = 'running' and k.pool = w.pool),
      (select max(last.taken_at) from known k cross join lateral (select s.taken_at from jobs s
          where s.company = w.company and s.kind = k.kind and s.taken_at is not null order by s.taken_at desc limit 1) last
        where k.pool = w.pool) nulls first, w.since, w.company limit 5`.execute(trx);
  const [turn] = rows;
  if (turn === undefined) throw new Error('nothing waits');
  await pg`update jobs set state = 'running', taken_at = clock_timestamp(), lease_until = now() + interval '30 seconds'
    where id = (select q.id from jobs q where q.company = ${turn.company} and q.kind = any(${turn.kinds}::text[]) and ${isDue}
      order by q.created_at, q.id limit 1 for update skip locked)`.execute(trx);
}
