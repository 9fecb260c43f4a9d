import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { lastRatesFetch, saveRatesFetch, type RatesFetch } from '#platform/installation-facts.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { readReferenceRates } from './read-reference-rates.ts';

export type RatesDeps = {
  database: Database;
  clock: Clock;
  egress: Pick<Egress, 'exchange'>;
  log: Log;
  /** Address to fetch rates from; undefined: the operator has switched fetching off. */
  exchangeRates: string | undefined;
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The bank publishes at 16:00 of its time; rates are requested from half past four (half past five in summer). */
const READY_AT = 15.5 * HOUR;
const RETRY_MS = HOUR;
const LIMITS = { timeoutMs: 60_000, maxBytes: 20_000_000 };

/**
 * Fetches reference rates once a day, if the operator switched it on. A failure is stored, shown on the pages, and retried.
 * Returns the number of requests.
 */
export async function fetchRatesWhenDue(deps: RatesDeps): Promise<number> {
  const { database, clock, egress, log, exchangeRates: address } = deps;
  if (address === undefined) return 0;
  const now = clock.now();
  const last = await database.system(async (trx) => {
    const found = await lastRatesFetch(trx);
    if (!isDue(found, now)) return undefined;
    // Stored before the request, so that another process does not make it as well.
    const { fetchedAt = null, failedSince = null, message = '' } = found ?? {};
    await saveRatesFetch(trx, { fetchedAt, failedSince, message }, now);
    return { fetchedAt, failedSince };
  });
  if (last === undefined) return 0;
  try {
    const { status, text } = await egress.exchange(address, { method: 'GET', headers: {}, ...LIMITS });
    if (status !== 200)
      throw unprocessable('rates_refused', `Die Adresse der Wechselkurse antwortet mit HTTP ${status}.`);
    const rates = readReferenceRates(text);
    await database.system(async (trx) => {
      // A stored rate is never overwritten.
      await insertRows(trx, 'exchange_rates', rates)
        .onConflict((conflict) => conflict.columns(['currency', 'day']).doNothing())
        .execute();
      await saveRatesFetch(trx, { fetchedAt: now.toISOString(), failedSince: null, message: '' }, now);
    });
  } catch (error) {
    log.warn({ err: error }, 'exchange rates could not be fetched');
    const message = error instanceof KontorError ? error.message : 'Die Wechselkurse konnten nicht gelesen werden.';
    const failedSince = last.failedSince ?? now.toISOString();
    await database.system((trx) => saveRatesFetch(trx, { fetchedAt: last.fetchedAt, failedSince, message }, now));
  }
  return 1;
}

/**
 * Returns whether rates were published since the last fetch and the last attempt is long enough ago. An attempt in the future
 * comes from a wrong clock, unless it is within the retry time: then another process's clock is slightly ahead.
 */
function isDue(last: RatesFetch | undefined, now: Date): boolean {
  if (last === undefined) return true;
  if (Math.abs(now.getTime() - Date.parse(last.triedAt)) < RETRY_MS) return false;
  const slot = (moment: number) => Math.floor((moment - READY_AT) / DAY);
  return last.fetchedAt === null || slot(now.getTime()) !== slot(Date.parse(last.fetchedAt));
}
