import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { dayOf } from '#orders/model/order-state.ts';
import type { EuroAmount } from '#shared/orders/exchange-rates.ts';
import { MICROS } from './read-reference-rates.ts';

/** Nothing is published over holidays; a rate older than this is not used. */
const MOST_DAYS_BEFORE = 7;
const DAY = 86_400_000;

/** Converts an amount in a currency on a day (YYYY-MM-DD) to euro; null if no rate is known. */
export type ToEuro = (cents: number, currency: string, day: string) => EuroAmount | null;

/**
 * Returns a converter to euro: by the reference rate of the day or the last one before it, else by the rate the company entered.
 */
export async function euroRates(
  trx: Trx,
  company: string,
  currencies: readonly string[],
  { start, end }: { start: string; end: string },
): Promise<ToEuro> {
  if (currencies.length === 0) return () => null;
  const published = await trx
    .selectFrom('exchange_rates')
    .selectAll()
    .where('currency', '=', anyOf(currencies))
    .where('day', '>=', daysBefore(start, MOST_DAYS_BEFORE))
    .where('day', '<=', end)
    .orderBy('day', 'desc')
    .execute();
  const own = await trx.selectFrom('own_exchange_rates').selectAll().where('company', '=', company).execute();
  const publishedOf = Map.groupBy(published, ({ currency }) => currency);
  const ownOf = new Map(own.map((rate) => [rate.currency, rate]));
  const euro = (cents: number, micros: number) => Math.round((cents / micros) * MICROS);
  return (cents, currency, day) => {
    const oldest = daysBefore(day, MOST_DAYS_BEFORE);
    const rate = publishedOf.get(currency)?.find((one) => one.day <= day && one.day >= oldest);
    if (rate !== undefined) return { cents: euro(cents, rate.micros), by: 'reference', day: rate.day };
    const typed = ownOf.get(currency);
    return typed === undefined ? null : { cents: euro(cents, typed.micros), by: 'own', day: dayOf(typed.set_at) };
  };
}

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);
