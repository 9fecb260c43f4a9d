import { listAccounts, type Account, type OpenConnector } from '#marketplaces/accounts.ts';
import { MarketplaceError, type Connector, type PriceAnswer } from '#marketplaces/connector.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db.ts';
import { bucketKey, permitted } from './account-calls.ts';
import { afterAnswer, afterFailure, afterReading, type Next, type Submission } from './submission.ts';
import { beginSending, dueSubmissions, expireSending, settle } from './submission-store.ts';
import type { TokenBuckets } from './token-buckets.ts';

export type SubmitParts = { database: Database; clock: Clock; open: OpenConnector; buckets: TokenBuckets };

/** Of one account at a turn. */
const limit = 50;

/**
 * Sends what waits in the outbox, as far as the marketplaces' rates allow. This is the only code that gives prices to a
 * marketplace. Returns how many were sent.
 */
export async function submitDue(parts: SubmitParts): Promise<number> {
  const { database, clock } = parts;
  const due = await database.system(async (trx) => {
    await expireSending(trx, clock.now());
    return dueSubmissions(trx, 'to send', clock.now(), limit);
  });
  let sent = 0;
  await eachAccount(parts, due, async (account, connector, submissions) => {
    for (const batch of permitted(parts, account, connector, 'updatePrices', submissions)) {
      const begun: Submission[] = [];
      for (const submission of batch) {
        const row = await beginSending(database, submission, clock.now());
        if (row !== undefined) begun.push(row);
      }
      if (begun.length > 0) await sendBatch(parts, account, connector, begun);
      sent += begun.length;
    }
  });
  return sent;
}

async function sendBatch(
  { clock, database, buckets }: SubmitParts,
  account: Account,
  connector: Connector,
  rows: readonly Submission[],
): Promise<void> {
  let next: (row: Submission, index: number) => Next;
  try {
    const answers: PriceAnswer[] = await connector.updatePrices(
      rows.map((row) => ({
        sku: row.sku,
        cents: row.price_cents,
        minCents: row.min_cents,
        maxCents: row.max_cents,
        currency: row.currency,
        idemKey: row.id,
      })),
    );
    next = (row) =>
      afterAnswer(
        answers.find(({ sku }) => sku === row.sku),
        clock.now(),
      );
  } catch (error) {
    const failure = failureOf(error);
    if (failure.delayMs !== undefined)
      buckets.empty(
        bucketKey(account, 'updatePrices'),
        connector.capabilities().rates.updatePrices,
        failure.delayMs / 1000,
        clock.now(),
      );
    next = (row) => afterFailure(row, failure, clock.now());
  }
  for (const [index, row] of rows.entries())
    await database.company(row.company, (trx) => settle(trx, row, next(row, index), clock.now()));
}

/** Anything a connector throws that it did not name may have happened after the price was taken. */
const failureOf = (error: unknown): MarketplaceError =>
  error instanceof MarketplaceError ? error : new MarketplaceError('unknown', 'Unerwarteter Fehler', { cause: error });

/** Reads back what the marketplaces show for prices that were accepted or never answered. Returns how many were read. */
export async function readBackDue(parts: SubmitParts): Promise<number> {
  const { database, clock } = parts;
  const due = await database.system((trx) => dueSubmissions(trx, 'to read', clock.now(), limit));
  let read = 0;
  await eachAccount(parts, due, async (account, connector, submissions) => {
    for (const batch of permitted(parts, account, connector, 'readPrices', submissions)) {
      const shown = await connector.readPrices(batch.map(({ sku }) => sku)).catch((error: unknown) => failureOf(error));
      // What cannot be read now is read at the next turn; nothing is concluded from it.
      if (shown instanceof MarketplaceError) return;
      for (const row of batch) {
        const entry = shown.find(({ sku }) => sku === row.sku);
        if (entry === undefined) continue;
        await database.company(row.company, (trx) =>
          settle(trx, row, afterReading(row, entry.cents, clock.now()), clock.now()),
        );
        read++;
      }
    }
  });
  return read;
}

/** Accounts that are switched off, or whose connector the program does not have, keep their prices waiting. */
async function eachAccount(
  { database, open }: SubmitParts,
  due: readonly Submission[],
  work: (account: Account, connector: Connector, submissions: Submission[]) => Promise<void>,
): Promise<void> {
  for (const [company, ofCompany] of Map.groupBy(due, (row) => row.company)) {
    const accounts = await database.company(company, (trx) => listAccounts(trx, company));
    for (const [id, submissions] of Map.groupBy(ofCompany, (row) => row.account)) {
      const account = accounts.find((one) => one.id === id && one.active);
      const connector = account && (await open(account));
      if (account && connector) await work(account, connector, submissions);
    }
  }
}
