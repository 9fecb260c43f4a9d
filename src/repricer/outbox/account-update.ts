import { integerText } from '#shared/values/integer-text.ts';
import { z } from 'zod';
import { updateJob } from '#marketplaces/accounts/update.ts';
import { findAccount, type Account } from '#marketplaces/accounts/accounts.ts';
import { MarketplaceError, type Connector } from '#marketplaces/port.ts';
import { expressionBuilder } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import type { Job, JobContext, JobEnd } from '#platform/jobs/job.ts';
import { bucketKey, takeWithinRate } from './account-calls.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { requestOffers, recordPolled, type Stale } from '#repricer/intake/offer-polling.ts';
import type { SubmitDeps } from './submit.ts';

/** The progress in the job's row. `until`: when all offers were decided; prices made later are not part of this update. */
const Progress = z
  .object({
    phase: z.enum(['Angebote abfragen', 'Preise entscheiden', 'Preise senden']).catch('Angebote abfragen'),
    until: z.iso.datetime().optional(),
    failures: z.number().int().default(0),
  })
  .catch({ phase: 'Angebote abfragen', failures: 0 });
type Progress = z.infer<typeof Progress>;

/** Failed requests in a row before the job gives up. */
const MOST_FAILURES = 5;
/** Maximum number of articles per poll, whatever the marketplace allows. */
const MOST = 2000;

type Update = { account: Account; connector: Connector; since: string };

/**
 * LIV-04 for a marketplace account: requests the offers of all its articles, has every own offer decided, and waits until the
 * resulting prices are sent. Deciding and sending are the repricer's as always, through gate and outbox; this job sends nothing.
 * It works in short runs ('again'), so that other accounts do not wait however slow the marketplace is.
 */
export function accountUpdateRunner(deps: SubmitDeps): JobRunner {
  return jobRunner(updateJob, async (job, context) => {
    const { owner, since } = job.payload;
    const account = await deps.database.company(job.company, (trx) => findAccount(trx, job.company, owner));
    if (account === undefined) return { state: 'cancelled', message: 'Das Verkäuferkonto wurde gelöscht.' };
    if (!account.active) return failed('Das Verkäuferkonto wurde pausiert.');
    const connector = await deps.open(account);
    if (connector === undefined)
      return failed('Dieser Marktplatz ist dem Programm nicht bekannt, oder er läuft nicht.');
    return advance(deps, job, { account, connector, since }, context);
  });
}

const failed = (message: string): JobEnd => ({ state: 'failed', message });

async function advance(
  deps: SubmitDeps,
  job: Pick<Job, 'company' | 'progress'>,
  update: Update,
  context: JobContext,
): Promise<JobEnd> {
  const progress = Progress.parse(JSON.parse(job.progress));
  const company = <T>(work: (trx: Trx) => Promise<T>) => deps.database.company(job.company, work);
  if (progress.phase === 'Angebote abfragen') {
    const ended = await askSome(deps, update, progress, context);
    if (ended !== undefined) return ended;
    await company((trx) => enqueueUndecided(trx, update, deps.clock.now()));
  }
  const state = await company((trx) => stateOf(trx, update, deps.clock.now()));
  const { total, decided, waiting } = state;
  const seconds = total > 5000 ? 10 : 1;
  if (waiting > 0) {
    context.progress({ phase: 'Preise entscheiden', done: total - waiting, total });
    return { state: 'again', seconds };
  }
  const until = progress.until ?? deps.clock.now().toISOString();
  const unsentCount = await company((trx) => unsent(trx, update, until, deps.clock.now()));
  context.progress({ phase: 'Preise senden', done: Math.max(0, decided - unsentCount), total: decided, until });
  if (unsentCount > 0) return { state: 'again', seconds };
  return { state: 'done', result: { rowsIn: total, accepted: decided }, message: wordsOf(state) };
}

/** Requests the offers not requested since the update was ordered, as far as the rates allow; undefined once all were. */
async function askSome(
  deps: SubmitDeps,
  update: Update,
  { failures }: Progress,
  context: JobContext,
): Promise<JobEnd | undefined> {
  const { account, connector } = update;
  if (!connector.capabilities().competitorOffers) return undefined;
  const { articles, total, left } = await deps.database.company(account.company, (trx) => notYetPolled(trx, update));
  let polled = 0;
  for (const some of await takeWithinRate(deps, account, connector, 'offers', articles)) {
    context.signal.throwIfAborted();
    try {
      await requestOffers(deps, account, connector, some);
      polled += some.length;
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      await deps.database.company(account.company, (trx) => recordPolled(trx, account, some, null));
      if (error.kind !== 'retryable' && error.kind !== 'unknown') return failed(error.message);
      if (failures + 1 >= MOST_FAILURES) return failed(`${error.message} Es wurde ${MOST_FAILURES}-mal versucht.`);
      const seconds = Math.min(600, Math.ceil(Math.max(5000, error.delayMs ?? 0) / 1000));
      const key = bucketKey(account, 'offers');
      await deps.buckets.empty(key, connector.capabilities().rates.offers, seconds, deps.clock.now());
      context.progress({ phase: 'Angebote abfragen', done: total - left + polled, total, failures: failures + 1 });
      return { state: 'again', seconds };
    }
  }
  if (left <= polled) return undefined;
  context.progress({
    phase: 'Angebote abfragen',
    done: total - left + polled,
    total,
    failures: polled > 0 ? 0 : failures,
  });
  return { state: 'again', seconds: 1 };
}

async function notYetPolled(trx: Trx, update: Update): Promise<{ articles: Stale[]; total: number; left: number }> {
  const eb = expressionBuilder<{ l: Tables['listings'] }, 'l'>();
  const neverPolled = eb.or([
    eb('l.offers_asked_at', 'is', null),
    eb('l.offers_asked_at', '<', new Date(update.since)),
  ]);
  const { company, masterid, id } = update.account;
  const listings = trx
    .selectFrom('listings as l')
    .where((l) => l.and({ 'l.company': company, 'l.master': masterid, 'l.account': id }));
  const counts = await listings
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.countAll<number>().filterWhere(neverPolled).as('left')])
    .executeTakeFirstOrThrow();
  const articles = await listings
    .select(['l.sku', 'l.product_id as productId', 'l.condition', 'l.marketplace', 'l.item'])
    .where(neverPolled)
    .orderBy('l.offers_asked_at', (order) => order.asc().nullsFirst())
    .orderBy('l.item')
    .limit(MOST)
    .execute();
  return { ...counts, articles };
}

const ofAccount = ({ account: { company, masterid, id } }: Update) =>
  pg`l.company = ${company} and l.master = ${masterid} and l.account = ${id}`;
const lastDecision = pg`lateral (select d.decided_at, d.verdict from price_decisions d where d.item = l.item
  and d.company = l.company and d.master = l.master and d.marketplace = l.marketplace order by d.id desc limit 1) d`;

/** Queues items without a decision since the update; those with new offers are queued already. */
async function enqueueUndecided(trx: Trx, update: Update, now: Date): Promise<void> {
  await disableSeqScans(trx);
  const at = pg`${now.toISOString()}::timestamptz`;
  await pg`insert into reprice_queue (company, master, marketplace, item, since, due_at, cause)
    select l.company, l.master, l.marketplace, l.item, ${at}, ${at}, 'update' from listings l left join ${lastDecision} on true
    where ${ofAccount(update)} and (d.decided_at is null or d.decided_at < ${update.since}::timestamptz)
    order by l.marketplace, l.item
    on conflict (company, master, marketplace, item) do update set due_at = least(reprice_queue.due_at, excluded.due_at),
      fence = reprice_queue.fence + 1, lease_until = null`.execute(trx);
}

type State = { total: number; decided: number; waiting: number; changed: number; same: number };

/** `waiting`: items the repricer has not processed yet. If no rule is active, it processes them without a decision. */
async function stateOf(trx: Trx, update: Update, now: Date): Promise<State> {
  await disableSeqScans(trx);
  const decidedSince = pg`d.decided_at >= ${update.since}::timestamptz`;
  // Raw SQL: it shares the lateral join with the statement that queues items.
  const { rows } = await pg<State>`select count(*) as total,
      count(*) filter (where ${decidedSince}) as decided,
      count(*) filter (where (${decidedSince}) is not true and q.item is not null) as waiting,
      count(*) filter (where ${decidedSince} and d.verdict in ('submit', 'step')) as changed,
      count(*) filter (where ${decidedSince} and d.verdict = 'unchanged') as same
    from listings l left join ${lastDecision} on true
      left join reprice_queue q on q.company = l.company and q.master = l.master and q.marketplace = l.marketplace
        and q.item = l.item and q.due_at <= ${now.toISOString()}::timestamptz
    where ${ofAccount(update)}`.execute(trx);
  return rows[0] ?? { total: 0, decided: 0, waiting: 0, changed: 0, same: 0 };
}

/** Returns how many prices of the update could be sent now but are not; those waiting for another reason do not count. */
async function unsent(trx: Trx, { account, since }: Update, until: string, now: Date): Promise<number> {
  await disableSeqScans(trx);
  const { n } = await trx
    .selectFrom('price_submissions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) => eb.and({ company: account.company, account: account.id }))
    .where((eb) => eb.between('created_at', new Date(since), new Date(until)))
    .where((eb) =>
      eb.or([
        eb('state', '=', 'sending'),
        eb.and([eb('state', '=', 'new'), eb(eb.fn.coalesce('not_before', 'created_at'), '<=', now)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return n;
}

function wordsOf({ total, decided, changed, same }: State): string {
  if (total === 0) return 'Über dieses Konto wird noch kein Artikel verkauft: es gab nichts abzufragen.';
  const checked = `${total === 1 ? 'Ein eigenes Angebot' : `${integerText(total)} eigene Angebote`} nachgesehen`;
  if (decided === 0)
    return `${checked}. Es wurde kein Preis entschieden: für den Katalog läuft keine Regel, oder der Repricer ist ausgeschaltet.`;
  const held = decided - changed - same;
  return `${checked}, ${decided === 1 ? 'ein Preis' : `${integerText(decided)} Preise`} entschieden: ${integerText(changed)} geändert, ${integerText(same)} unverändert, ${integerText(held)} gehalten.`;
}
