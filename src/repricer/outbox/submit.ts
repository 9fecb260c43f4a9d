import { findAccount, type Account, type OpenConnector } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import { MarketplaceError, type Connector, type PriceAnswer, type PriceUpdate } from '#marketplaces/port.ts';
import { outgoingHold } from '#platform/installation-facts.ts';
import type { Clock } from '#platform/clock.ts';
import { withDeadline } from '#platform/deadline.ts';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { takeWithinRate, waitAsNamed } from './account-calls.ts';
import { notifyLockedOut } from './locked-out.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { Previews } from './preview.ts';
import {
  afterAnswer,
  afterFailedReading,
  afterFailure,
  afterLimit,
  afterReading,
  SUBMIT,
  tooLate,
  type Next,
  type Settled,
  type Submission,
} from './submission.ts';
import { beginSending, dueSubmissions, expireSending, settleAll } from './submission-store.ts';
import type { TokenBuckets } from '#platform/token-buckets.ts';

export type SubmitDeps = {
  database: Database;
  clock: Clock;
  open: OpenConnector;
  buckets: TokenBuckets;
  log: Log;
  /** Caches passed previews, to avoid a query per poll. */
  previews?: Previews;
};

/** Prices of one account per poll. */
const LIMIT = 250;
/** Concurrent calls for one account. */
const CONCURRENT_CALLS = 50;

const inPieces = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

/** Makes calls, CONCURRENT_CALLS at a time; the results of a batch are stored in one transaction while the next calls run. */
async function callAll<T>(
  { database, clock }: SubmitDeps,
  company: string,
  calls: readonly T[],
  call: (one: T) => Promise<Settled[]>,
): Promise<number> {
  const write = async (settled: readonly Settled[]) => {
    if (settled.length === 0) return;
    await database.company(company, async (trx) => {
      await disableSeqScans(trx);
      await settleAll(trx, company, settled, clock.now());
    });
  };
  let count = 0;
  let answered: Settled[] = [];
  for (const some of inPieces(calls, CONCURRENT_CALLS)) {
    const [answers] = await Promise.all([Promise.all(some.map(call)), write(answered)]);
    answered = answers.flat();
    count += answered.length;
  }
  await write(answered);
  return count;
}

/**
 * Sends the prices in the outbox, as far as the marketplaces' rates allow, and returns the number sent. No other code gives
 * prices to a marketplace.
 */
export async function submitDue(deps: SubmitDeps, turns = new SideBySide()): Promise<number> {
  const { database, clock, previews = new Previews() } = deps;
  const due = await database.system(async (trx) => {
    await expireSending(trx, clock.now(), turns.served);
    const waiting = await dueSubmissions(trx, 'to send', clock.now(), LIMIT);
    return waiting.length === 0 || (await outgoingHold(trx)) !== undefined ? [] : waiting;
  });
  return eachAccount(deps, turns, due, async (account, connector, submissions) => {
    const size = Math.max(1, connector.capabilities().batch.updatePrices);
    const calls = await takeWithinRate(deps, account, connector, 'updatePrices', submissions);
    const ready = await previews.ready(database, account, connector, calls.flat());
    const batch = await beginSending(database, account.company, ready, clock.now());
    const turn: Turn = {};
    return callAll(deps, account.company, inPieces(batch, size), (rows) =>
      sendBatch({ ...deps, previews }, account, connector, rows, turn),
    );
  });
}

/** A turn of one account. `limit`: the marketplace's answer after which no further call may be made. */
type Turn = { limit?: MarketplaceError };

async function sendBatch(
  deps: SubmitDeps & { previews: Previews },
  account: Account,
  connector: Connector,
  rows: readonly Submission[],
  turn: Turn,
): Promise<Settled[]> {
  const { database, clock, previews } = deps;
  const { limit: reached } = turn;
  if (reached !== undefined) return rows.map((row) => ({ row, next: afterLimit(reached, clock.now()) }));
  const refused = new Map<Submission, Next>();
  let next: (row: Submission) => Next;
  try {
    for (const row of rows) {
      const refusal = await previews.refusal(database, account, connector, {
        row,
        update: updateOf(row),
        now: clock.now(),
      });
      if (refusal !== undefined) refused.set(row, refusal);
    }
    for (const row of rows) {
      const tooOld = tooLate(row, clock.now());
      if (tooOld !== undefined && !refused.has(row)) refused.set(row, tooOld);
    }
    const accepted = rows.filter((row) => !refused.has(row));
    const answers = await callWithinLease(clock, connector, accepted);
    next = (row) =>
      refused.get(row) ??
      afterAnswer(
        answers.find(({ sku }) => sku === row.sku),
        clock.now(),
      );
  } catch (error) {
    const failure = failureOf(error);
    if (await waitAsNamed(deps, account, connector, 'updatePrices', failure)) turn.limit = failure;
    await notifyLockedOut(deps, account, failure);
    next = (row) => refused.get(row) ?? afterFailure(row, failure, clock.now());
  }
  return rows.map((row) => ({ row, next: next(row) }));
}

/** Calls the marketplace; the call is aborted when the lease of its rows ends, as another process may then send them again. */
async function callWithinLease(
  clock: Clock,
  connector: Connector,
  rows: readonly Submission[],
): Promise<PriceAnswer[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const until = new Date((first.sent_at ?? clock.now()).getTime() + SUBMIT.leaseMs);
  return withDeadline(clock, until, (signal) => connector.updatePrices(rows.map(updateOf), signal));
}

const updateOf = (row: Submission): PriceUpdate => ({
  sku: row.sku,
  cents: row.price_cents,
  minCents: row.min_cents,
  maxCents: row.max_cents,
  currency: row.currency,
  idemKey: row.id,
});

/** An error that the connector did not classify may have come after the price was applied, so its kind is 'unknown'. */
const failureOf = (error: unknown): MarketplaceError =>
  error instanceof MarketplaceError ? error : new MarketplaceError('unknown', 'Unerwarteter Fehler', { cause: error });

/** Reads back the prices that marketplaces show for sends accepted or unanswered. Returns how many were read. */
export async function readBackDue(deps: SubmitDeps, turns = new SideBySide()): Promise<number> {
  const { database, clock } = deps;
  const due = await database.system((trx) => dueSubmissions(trx, 'to read', clock.now(), LIMIT));
  return eachAccount(deps, turns, due, async (account, connector, submissions) => {
    const calls = await takeWithinRate(deps, account, connector, 'readPrices', submissions);
    const turn: Turn = {};
    return callAll(deps, account.company, calls, (batch) => readBatch(deps, account, connector, batch, turn));
  });
}

async function readBatch(
  deps: SubmitDeps,
  account: Account,
  connector: Connector,
  batch: readonly Submission[],
  turn: Turn,
): Promise<Settled[]> {
  const { clock } = deps;
  // Those that are not read stay due.
  if (turn.limit !== undefined) return [];
  // A shown price is as old as its request: a slow answer must not look like a price that never arrived.
  const requestedAt = clock.now();
  const shown = await connector.readPrices(batch.map(({ sku }) => sku)).catch((error: unknown) => failureOf(error));
  // A failed read says nothing about the prices.
  if (shown instanceof MarketplaceError) {
    if (await waitAsNamed(deps, account, connector, 'readPrices', shown)) turn.limit = shown;
    await notifyLockedOut(deps, account, shown);
    return batch.map((row) => ({ row, next: afterFailedReading(row, shown, clock.now()) }));
  }
  const missing = { message: 'Er nennt ihn nicht.' };
  return batch.map((row) => {
    const entry = shown.find(({ sku }) => sku === row.sku);
    const next =
      entry === undefined ? afterFailedReading(row, missing, requestedAt) : afterReading(row, entry.cents, requestedAt);
    return { row, next };
  });
}

/**
 * Runs `work` per account. Prices wait if their account is paused, its connector is missing, or it fails here (its secrets, for
 * example); the others continue.
 */
function eachAccount(
  { database, open, log }: SubmitDeps,
  turns: SideBySide,
  due: readonly Submission[],
  work: (account: Account, connector: Connector, submissions: Submission[]) => Promise<number>,
): Promise<number> {
  const byAccount = Map.groupBy(due, ({ company, account }) => `${company}/${account}`);
  return turns.turn(byAccount, async (submissions) => {
    const [first] = submissions;
    if (first === undefined) return 0;
    const { company, account: id } = first;
    try {
      const account = await database.company(company, (trx) => findAccount(trx, company, id));
      const connector = account?.active === true ? await open(account) : undefined;
      return account === undefined || connector === undefined ? 0 : await work(account, connector, submissions);
    } catch (error) {
      log.error({ err: error, company, account: id }, 'prices of an account could not be sent or read');
      return 0;
    }
  });
}
