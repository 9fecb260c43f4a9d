import type { RawBuilder } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 1000;
/** So many batches of a rule a night: the rest has time until the next. */
const MOST_BATCHES = 200;

/** How long what happened is kept, in days. */
export const KEPT_DAYS = {
  revisions: 365,
  runs: 90,
  otherJobs: 14,
  runRecords: 365,
  deliveries: 90,
  readNotifications: 180,
  notifications: 730,
  requestKeys: 1,
  ranks: 1096,
} as const;
/** The newest revisions of a document and runs of a subject stay, however old they are. */
const NEWEST_REVISIONS = 50;
const NEWEST_RUNS = 20;

/** Rows of a table that may go; `where` speaks of the table as `t`. */
type Rule = {
  readonly table: string;
  readonly where: (before: (days: number) => Date, now: Date) => RawBuilder<unknown>;
};

const runKinds = ['import', 'export', 'stock', 'upload', 'prices'];

/** What every rule deletes, in this order. docs/operations.md says it in words. */
const rules = {
  // Prices are explained by the rules and limits they were decided with, releases by what was said: those stay.
  revisions: {
    table: 'documents',
    where: (before) => pg`t.created_at < ${before(KEPT_DAYS.revisions)}
      and t.subject <> all(${['releases', 'repricer', 'price_safety']}::text[])
      and t.revision <= (select max(n.revision) from documents n where n.company = t.company and n.subject = t.subject
        and n.scope = t.scope) - ${NEWEST_REVISIONS}`,
  },
  snapshots: {
    table: 'snapshots',
    where: (before) => pg`t.gone_at < ${before(KEPT_DAYS.runRecords)}`,
  },
  export_files: {
    table: 'export_files',
    where: (before) => pg`t.gone_at < ${before(KEPT_DAYS.runRecords)}
      and not exists (select 1 from exports e where e.company = t.company and e.id = t.export
        and (e.live_file = t.number or e.delta_file = t.number))`,
  },
  // A kept state or file needs the run that made it.
  jobs: {
    table: 'jobs',
    where: (before) => pg`t.state in ('done', 'failed', 'cancelled') and t.kind <> 'demo-story'
      and t.finished_at < case when t.kind = any(${runKinds}::text[]) then ${before(KEPT_DAYS.runs)}::timestamptz
        else ${before(KEPT_DAYS.otherJobs)}::timestamptz end
      and not exists (select 1 from snapshots s where s.company = t.company and s.runid = t.id and s.gone_at is null)
      and not exists (select 1 from export_files f where f.company = t.company and f.runid = t.id and f.gone_at is null)
      and (select count(*) from (select 1 from jobs n where n.company = t.company and n.subject = t.subject
        and n.created_at > t.created_at limit ${NEWEST_RUNS}) newer) = ${NEWEST_RUNS}
      and t.id is distinct from (select n.id from jobs n where n.company = t.company and n.subject = t.subject
        and n.state = 'done' order by n.created_at desc limit 1)`,
  },
  deliveries: {
    table: 'deliveries',
    where: (before) => pg`t.ended_at < ${before(KEPT_DAYS.deliveries)}`,
  },
  notifications: {
    table: 'notifications',
    // What nobody has read yet waits longer.
    where: (
      before,
    ) => pg`t.created_at < case when t.read_at is null then ${before(KEPT_DAYS.notifications)}::timestamptz
      else ${before(KEPT_DAYS.readNotifications)}::timestamptz end`,
  },
  // A row an hour and seller; in three years each season can be compared with the one before.
  rank_history: { table: 'rank_history', where: (before) => pg`t.hour < ${before(KEPT_DAYS.ranks)}` },
  request_keys: { table: 'request_keys', where: (before) => pg`t.at < ${before(KEPT_DAYS.requestKeys)}` },
  old_feed_addresses: { table: 'old_feed_addresses', where: (_before, now) => pg`t.until < ${now}` },
} as const satisfies Record<string, Rule>;
const all: readonly (readonly [string, Rule])[] = Object.entries(rules);

/** Deletes what is older than its rule allows, a batch in a transaction. Gives how many rows went, by rule. */
export async function prune(
  { database, clock }: { database: Database; clock: Clock },
  company: string,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock.now();
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const gone: Record<string, number> = {};
  for (const [name, { table, where }] of all) {
    gone[name] = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      signal.throwIfAborted();
      const { numAffectedRows } = await database.company(company, (trx) =>
        pg`delete from ${pg.table(table)} where ctid = any(array(select t.ctid from ${pg.table(table)} t
          where t.company = ${company} and ${where(before, now)} limit ${BATCH}))`.execute(trx),
      );
      gone[name] += Number(numAffectedRows ?? 0);
      if (Number(numAffectedRows ?? 0) < BATCH) break;
    }
  }
  return gone;
}

/** What belongs to no company: counts of sign-in tries that are over, and days of tries with unknown addresses older than 13 months. */
export async function pruneSignIns({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  await database.kysely.deleteFrom('sign_in_tries').where('forget_at', '<', now).execute();
  // A week fills every bucket, whatever a marketplace asked for.
  const weekAgo = new Date(now.getTime() - 7 * DAY_MS);
  await database.kysely.deleteFrom('token_buckets').where('at', '<', weekAgo).execute();
  const day = new Date(now.getTime() - 396 * DAY_MS).toISOString().slice(0, 10);
  await database.kysely.deleteFrom('unknown_sign_ins').where('day', '<', day).execute();
}
