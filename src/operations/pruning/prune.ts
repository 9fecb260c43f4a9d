import type { RawBuilder } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import { type PrunedTable, terms } from './terms.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 1000;
/** So many batches of a rule a night: the rest has time until the next. */
const MOST_BATCHES = 200;

/** The newest revisions of a document and runs of a subject stay, however old they are. */
const NEWEST_REVISIONS = 50;
const NEWEST_RUNS = 20;

/** Which rows of a table may go; speaks of the table as `t`. */
type Rule = (before: (days: number) => Date, now: Date) => RawBuilder<unknown>;

const runKinds = ['import', 'export', 'stock', 'upload', 'prices'];

/**
 * What every rule deletes, in this order: each table with a term has one, and no other table but three without a term in days. docs/operations.md
 * says it in words.
 */
const rules: Readonly<Record<PrunedTable | 'old_feed_addresses' | 'saved_views' | 'saved_view_defaults', Rule>> = {
  // Prices are explained by the rules and limits they were decided with, releases by what was said: those stay.
  documents: (before) => pg`t.created_at < ${before(terms.documents.days)}
      and t.subject <> all(${['releases', 'repricer', 'price_safety']}::text[])
      and t.revision <= (select max(n.revision) from documents n where n.company = t.company and n.subject = t.subject
        and n.scope = t.scope) - ${NEWEST_REVISIONS}`,
  snapshots: (before) => pg`t.gone_at < ${before(terms.snapshots.days)}`,
  export_files: (before) => pg`t.gone_at < ${before(terms.export_files.days)}
      and not exists (select 1 from exports e where e.company = t.company and e.id = t.export
        and (e.live_file = t.number or e.delta_file = t.number))`,
  // A kept state or file needs the run that made it. What waits for a release waits for nothing once a later run was accepted.
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
  // What nobody has read yet waits longer.
  notifications: (before) => pg`t.created_at < case when t.read_at is null
      then ${before(terms.notifications.days.unread)}::timestamptz else ${before(terms.notifications.days.read)}::timestamptz end`,
  rank_history: (before) => pg`t.hour < ${before(terms.rank_history.days)}`,
  repricer_counters: (before) => pg`t.day < ${dayOf(before(terms.repricer_counters.days))}::date`,
  image_checks: (before) => pg`t.checked_at < ${before(terms.image_checks.days)}`,
  transfer_results: (before) => pg`t.at < ${before(terms.transfer_results.days)}`,
  order_days: (before) => pg`t.day < ${dayOf(before(terms.order_days.days))}::date`,
  // An order that is not over keeps its history, however long that takes.
  order_events: (before) => pg`t.at < ${before(terms.order_events.days)}
      and not exists (select 1 from orders o where o.company = t.company and o.channel = t.channel and o.order_id = t.order_id
        and o.state in ('pending', 'open', 'part_shipped'))`,
  import_uploads: (before) => pg`t.changed_at < ${before(terms.import_uploads.days)}
      and not exists (select 1 from jobs j where j.company = t.company and j.id = t.id and j.state in ('queued', 'running'))`,
  request_keys: (before) => pg`t.at < ${before(terms.request_keys.days)}`,
  // Until when it holds is decided, and written into the security log, when it is made; its end is nobody's deed.
  api_tokens: (before) => pg`t.expires_at < ${before(terms.api_tokens.days)}`,
  // Nobody sees the private ones of a token that is gone.
  saved_views: () => pg`not t.shared and ${ofGoneToken('owner')}`,
  saved_view_defaults: () => ofGoneToken('person'),
  old_feed_addresses: (_before, now) => pg`t.until < ${now}`,
};
/** After the tokens' own rule: a view's place keeps a token as a principal's e-mail names it. */
const ofGoneToken = (column: 'owner' | 'person') => {
  const owner = pg.ref(`t.${column}`);
  return pg`${owner} like 'token:%'
    and not exists (select 1 from api_tokens a where a.company = t.company and 'token:' || a.id = ${owner})`;
};
const all: readonly (readonly [string, Rule])[] = Object.entries(rules);

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Deletes what is older than its rule allows, a batch in a transaction. Gives how many rows went, by table. */
export async function prune(
  { database, clock }: { database: Database; clock: Clock },
  company: string,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock.now();
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const gone: Record<string, number> = {};
  for (const [table, rule] of all) {
    gone[table] = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      signal.throwIfAborted();
      const { numAffectedRows } = await database.company(company, (trx) =>
        pg`delete from ${pg.table(table)} where ctid = any(array(select t.ctid from ${pg.table(table)} t
          where t.company = ${company} and ${rule(before, now)} limit ${BATCH}))`.execute(trx),
      );
      gone[table] += Number(numAffectedRows ?? 0);
      if (Number(numAffectedRows ?? 0) < BATCH) break;
    }
  }
  return gone;
}

/**
 * What belongs to no company's tables: counts of sign-in tries that are over, days of tries with unknown addresses older than 13 months, and
 * invitations that nobody took nor sent again in the month after their end.
 */
export async function pruneSignIns({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  await database.kysely.deleteFrom('sign_in_tries').where('forget_at', '<', now).execute();
  // A week fills every bucket, whatever a marketplace asked for.
  const weekAgo = new Date(now.getTime() - 7 * DAY_MS);
  await database.kysely.deleteFrom('token_buckets').where('at', '<', weekAgo).execute();
  const monthAgo = new Date(now.getTime() - 30 * DAY_MS);
  await database.kysely.deleteFrom('invitations').where('expires_at', '<', monthAgo).execute();
  const day = new Date(now.getTime() - 396 * DAY_MS).toISOString().slice(0, 10);
  await database.kysely.deleteFrom('unknown_sign_ins').where('day', '<', day).execute();
}
