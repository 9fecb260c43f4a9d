import type { Trx } from '#platform/db/database.ts';
import type { StatisticRow } from '#shared/orders/statistic.ts';
import { euroRates } from '#orders/exchange-rates/euro-rates.ts';
import { CURRENCY, statisticLines } from './lines.ts';

type Range = { start: string; end: string };

/** Returns the sales of each day of the range from the day counters; a day without orders has no row. */
export async function orderStatistic(trx: Trx, company: string, { start, end }: Range): Promise<StatisticRow[]> {
  const days = await trx
    .selectFrom('order_days')
    .selectAll()
    .where('company', '=', company)
    .where((eb) => eb.between('day', start, end))
    .orderBy('day')
    .execute();
  const lineOf = await statisticLines(trx, company);
  const foreign = [...new Set(days.map(({ currency }) => currency))].filter((currency) => currency !== CURRENCY);
  const toEuro = await euroRates(trx, company, foreign, { start, end });
  return days
    .map(({ day, channel, currency, pieces, revenue_cents: cents, ...counted }): StatisticRow => {
      const { name, position } = lineOf(channel, currency);
      const { orders, cancelled, returned, unpriced } = counted;
      return {
        _id: { datum: day, marketplaceChannelName: name },
        sumSales: cents / 100,
        count: pieces,
        channel,
        currency,
        ...(currency === CURRENCY ? {} : { euro: toEuro(cents, currency, day) }),
        position,
        orders,
        cancelled,
        returned,
        unpriced,
      };
    })
    .sort((one, other) => compare(one._id.datum, other._id.datum) || one.position - other.position);
}

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
