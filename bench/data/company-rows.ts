import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

export type Sizes = { readonly companies: number; readonly jobs: number; readonly queued: number };

/** Schedules per company, which has a catalogue with an import and three exports. */
export const SCHEDULES = 4;

/**
 * Fills an empty database with the rows of many companies, as after some days: finished runs, the newest of which its schedule
 * knows, starts spread over the next hour, and waiting jobs.
 */
export async function fillCompanies(database: Database, { companies, jobs, queued }: Sizes): Promise<void> {
  const runs = Math.floor(jobs / companies / SCHEDULES);
  const statements = [
    pg`insert into organization (id, name, slug, "createdAt") select 'c' || n, 'Firma ' || n, 'firma-' || n, now()
      from generate_series(1, ${companies}::int) n`,
    pg`insert into masters (company, id, name) select 'c' || n, 'm' || n, 'Katalog' from generate_series(1, ${companies}::int) n`,
    pg`insert into exports (company, id, master, feed_token) select 'c' || n, 'e' || n || '-' || k, 'm' || n, 't' || n || '-' || k
      from generate_series(1, ${companies}::int) n, generate_series(1, ${SCHEDULES - 1}::int) k`,
    // Kind 0 is the import, 1 to 3 are exports.
    pg`create temporary table places on commit drop as select 'c' || n as company, n, k,
        case k when 0 then 'master:m' || n else 'export:e' || n || '-' || k end as scope
      from generate_series(1, ${companies}::int) n, generate_series(0, ${SCHEDULES - 1}::int) k`,
    pg`insert into documents (company, subject, scope, revision, body, author, created_at)
      select company, 'schedule', scope, revision, '{"active":true,"kind":"interval","minutes":60,"patience":26}', 'Messung', now() - interval '1 day'
      from places, generate_series(1, 2) revision`,
    pg`insert into jobs (company, id, kind, subject, state, payload, created_at, started_at, taken_at, finished_at)
      select company, 'j' || n || '-' || k || '-' || r, case k when 0 then 'import' else 'export' end, scope, 'done', '{"owner":"x"}',
        at, at, at, at + interval '1 minute'
      from places, generate_series(1, ${runs}::int) r, lateral (select now() - interval '1 hour' * r - interval '1 second' * (n % 3000) as at) t`,
    pg`insert into schedules (company, subject, scope, revision, next_at, good_run, good_at)
      select company, 'schedule', scope, 2, now() + interval '10 minutes' + interval '1 second' * (n % 3000), 'j' || n || '-' || k || '-1', now()
      from places`,
    pg`insert into schedules (company, subject, scope, revision, next_at, good_at)
      select 'c' || n, 'maintenance', '', 0, now() + interval '1 day', now() from generate_series(1, ${companies}::int) n`,
    pg`insert into jobs (company, id, kind, subject, state, payload, created_at)
      select company, 'q' || n || '-' || k, case k when 0 then 'import' else 'export' end, scope, 'queued', '{"owner":"x"}',
        now() - interval '1 second' * (n % 600)
      from places where k < 2 order by n limit ${queued}`,
  ];
  await database.system(async (trx) => {
    await pg`set local statement_timeout = 0`.execute(trx);
    for (const statement of statements) await statement.execute(trx);
  });
  await pg`vacuum analyze`.execute(database.kysely);
}

/** Makes this many runs end in the last seconds, as in a busy service. */
export const endRuns = (database: Database, count: number, seconds: number) =>
  database.system((trx) =>
    pg`update jobs set finished_at = now() - interval '1 second' * (${seconds}::float8 * random())
      where id in (select 'j' || n || '-1-1' from generate_series(1, ${count}::int) n)`.execute(trx),
  );
