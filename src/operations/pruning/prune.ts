import type { RawBuilder } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import { type PrunedTable, terms } from './terms.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 1000;
/** Most batches per rule and night; the remaining rows wait until the next night. */
const MOST_BATCHES = 200;

/** The newest revisions of a document and the newest runs of a subject are kept, however old they are. */
const NEWEST_REVISIONS = 50;
const NEWEST_RUNS = 20;

/** Returns the condition for the rows that may be deleted; it names the table `t`. */
type Rule = (before: (days: number) => Date, now: Date) => RawBuilder<unknown>;

const runKinds = ['import', 'export', 'stock', 'upload', 'prices'];

/**
 * The rows that each rule deletes, in this order. Each table with a term in days has a rule here; of the tables without one only
 * three have. docs/operations.md describes them.
 */
const rules: Readonly<Record<PrunedTable | 'old_feed_addresses' | 'saved_views' | 'saved_view_defaults', Rule>> = {
  // Kept: prices are explained by the rules and bounds that were in force when they were decided, and releases by the reason
  // given.
  documents: (before) => pg`t.created_at < ${before(terms.documents.days)}
      and t.subject <> all(${['releases', 'repricer', 'price_safety']}::text[])
      and t.revision <= (select max(n.revision) from documents n where n.company = t.company and n.subject = t.subject
        and n.scope = t.scope) - ${NEWEST_REVISIONS}`,
  snapshots: (before) => pg`t.gone_at < ${before(terms.snapshots.days)}`,
  export_files: (before) => pg`t.gone_at < ${before(terms.export_files.days)}
      and not exists (select 1 from exports e where e.company = t.company and e.id = t.export
        and (e.live_file = t.number or e.delta_file = t.number))`,
  // A stored snapshot or file needs the run that made it. A run that waits for a release is obsolete once a later run was
  // accepted.
  jobs: (before) => pg`t.kind <> 'demo-story'
      and (t.state in ('done', 'failed', 'cancelled') or t.state = 'blocked' and exists (select 1 from jobs d
        where d.company = t.company and d.subject = t.subject and d.state = 'done' and d.created_at > t.created_at))
      and t.finished_at < case when t.kind = any(${runKinds}::text[]) then ${before(terms.jobs.days.runs)}::timestamptz
        else ${before(terms.jobs.days.others)}::timestamptz end
      and not exists (select 1 from snapshots s where s.company = t.company and s.runid = t.id and s.gone_at is null)
      and not exists (select 1 from export_files f where f.company = t.company and f.runid = t.id and f.gone_at is null)
      and (select count(*) from (select 1 from jobs n where n.company = t.company and n.subject = t.subject
        and n.created_at > t.created_at limit ${NEWEST_RUNS}) newer) = ${NEWEST_RUNS}
      and t.id is distinct from (select n.id from jobs n where n.company = t.company and n.subject = t.subject
        and n.state = 'done' order by n.created_at desc limit 1)`,
  deliveries: (before) => pg`t.ended_at < ${before(terms.deliveries.days)}`,
  // Unread notifications are kept longer.
  notifications: (before) => pg`t.created_at < case when t.read_at is null
      then ${before(terms.notifications.days.unread)}::timestamptz else ${before(terms.notifications.days.read)}::timestamptz end`,
  rank_history: (before) => pg`t.hour < ${before(terms.rank_history.days)}`,
  repricer_counters: (before) => pg`t.day < ${dayOf(before(terms.repricer_counters.days))}::date`,
  image_checks: (before) => pg`t.checked_at < ${before(terms.image_checks.days)}`,
  transfer_results: (before) => pg`t.at < ${before(terms.transfer_results.days)}`,
  order_days: (before) => pg`t.day < ${dayOf(before(terms.order_days.days))}::date`,
  // An open order keeps its history, however long that takes.
  order_events: (before) => pg`t.at < ${before(terms.order_events.days)}
      and not exists (select 1 from orders o where o.company = t.company and o.channel = t.channel and o.order_id = t.order_id
        and o.state in ('pending', 'open', 'part_shipped'))`,
  import_uploads: (before) => pg`t.changed_at < ${before(terms.import_uploads.days)}
      and not exists (select 1 from jobs j where j.company = t.company and j.id = t.id and j.state in ('queued', 'running'))`,
  request_keys: (before) => pg`t.at < ${before(terms.request_keys.days)}`,
  // Its expiry is set, and recorded in the security log, when the token is made; so the deletion needs no record.
  api_tokens: (before) => pg`t.expires_at < ${before(terms.api_tokens.days)}`,
  // Private views of a deleted token are visible to nobody.
  saved_views: () => pg`not t.shared and ${ofGoneToken('owner')}`,
  saved_view_defaults: () => ofGoneToken('person'),
  old_feed_addresses: (_before, now) => pg`t.until < ${now}`,
};
/**
 * Runs after the rule for tokens: the owner of a token's view is stored as 'token:' and the token's id, like a principal's
 * e-mail.
 */
const ofGoneToken = (column: 'owner' | 'person') => {
  const owner = pg.ref(`t.${column}`);
  return pg`${owner} like 'token:%'
    and not exists (select 1 from api_tokens a where a.company = t.company and 'token:' || a.id = ${owner})`;
};
const all: readonly (readonly [string, Rule])[] = Object.entries(rules);

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Deletes what is older than its rule allows, one batch per transaction. Returns row counts by table. */
export async function prune(
  { database, clock }: { database: Database; clock: Clock },
  company: string,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock.now();
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const deletedRows: Record<string, number> = {};
  for (const [table, rule] of all) {
    deletedRows[table] = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      signal.throwIfAborted();
      const { numAffectedRows } = await database.company(company, (trx) =>
        pg`delete from ${pg.table(table)} where ctid = any(array(select t.ctid from ${pg.table(table)} t
          where t.company = ${company} and ${rule(before, now)} limit ${BATCH}))`.execute(trx),
      );
      deletedRows[table] += Number(numAffectedRows ?? 0);
      if (Number(numAffectedRows ?? 0) < BATCH) break;
    }
  }
  return deletedRows;
}

/**
 * Deletes rows that belong to no company: expired counts of sign-in attempts, daily counts of attempts with unknown addresses
 * older than 13 months, and invitations that expired a month ago without being accepted or sent again.
 */
export async function pruneSignIns({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  await database.kysely.deleteFrom('sign_in_tries').where('forget_at', '<', now).execute();
  // Within a week every bucket is full again, at any marketplace's rate.
  const weekAgo = new Date(now.getTime() - 7 * DAY_MS);
  await database.kysely.deleteFrom('token_buckets').where('at', '<', weekAgo).execute();
  const monthAgo = new Date(now.getTime() - 30 * DAY_MS);
  await database.kysely.deleteFrom('invitations').where('expires_at', '<', monthAgo).execute();
  const day = new Date(now.getTime() - 396 * DAY_MS).toISOString().slice(0, 10);
  await database.kysely.deleteFrom('unknown_sign_ins').where('day', '<', day).execute();
}
