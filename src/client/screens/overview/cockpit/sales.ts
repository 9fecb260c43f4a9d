import type { OrderCounters, OrderRow } from '#shared/orders/schema.ts';
import type { StatisticRow } from '#shared/orders/statistic.ts';
import { type Compared, comparedDays, type DayRange, daysOf, last30Days } from '#client/ui/text/days.ts';

/** A number over the last 30 days and for each of them; over those that are over, and over as many days before them. */
export type Trend = {
  readonly now: number;
  readonly over: number;
  readonly before: number;
  readonly days: readonly number[];
};

/** Value of overdue orders, in cents by currency. `partly`: some of their prices are unknown. */
export type OverdueWorth = { readonly cents: Readonly<Record<string, number>>; readonly partly: boolean };

/** Order figures on the overview; null if the user may not see orders. */
export type Sales = {
  /** The days that the trends compare. */
  readonly compared: Compared;
  readonly revenue: Trend;
  readonly orders: Trend;
  /** Revenue of the last 30 days by channel, in cents. */
  readonly ofChannel: Readonly<Record<string, number>>;
  readonly waiting: OrderCounters;
  readonly overdue: OverdueWorth;
};

/** The days shown, and those to compare with: the same as on the page of the statistic. */
export function salesRanges(today: string): Compared & { recent: DayRange } {
  const recent = last30Days.of(today);
  // 29 of the 30 days are over, whatever day it is.
  const compared = comparedDays(recent, today) ?? { over: recent, earlier: recent };
  return { recent, ...compared };
}

const centsOf = ({ currency, sumSales }: StatisticRow) => (currency === 'EUR' ? Math.round(sumSales * 100) : 0);
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Computes the figures from the rows of both ranges. Revenue in euro only. */
export function salesOf(
  rows: readonly StatisticRow[],
  waiting: OrderCounters,
  due: readonly OrderRow[],
  { today, now }: { today: string; now: Date },
): Sales {
  const ranges = salesRanges(today);
  const within = ({ start, end }: DayRange) => rows.filter(({ _id }) => _id.datum >= start && _id.datum <= end);
  const [recent, over, earlier] = [within(ranges.recent), within(ranges.over), within(ranges.earlier)];
  const trend = (value: (row: StatisticRow) => number): Trend => ({
    now: sum(recent.map(value)),
    over: sum(over.map(value)),
    before: sum(earlier.map(value)),
    days: daysOf(ranges.recent).map((day) => sum(recent.filter(({ _id }) => _id.datum === day).map(value))),
  });
  return {
    compared: { over: ranges.over, earlier: ranges.earlier },
    revenue: trend(centsOf),
    orders: trend(({ orders }) => orders),
    ofChannel: Object.fromEntries(
      [...Map.groupBy(recent, ({ channel }) => channel)].map(([channel, own]) => [channel, sum(own.map(centsOf))]),
    ),
    waiting,
    overdue: overdueWorth(waiting.overdue, due, now),
  };
}

/** `due`: the first page of orders, the most urgent first; there may be more. */
function overdueWorth(count: number, due: readonly OrderRow[], now: Date): OverdueWorth {
  const late = due.filter(({ ship_by }) => ship_by !== null && Date.parse(ship_by) < now.getTime());
  const known = late.filter(({ total_cents }) => total_cents !== null);
  const ofCurrency = Map.groupBy(known, ({ currency }) => currency);
  return {
    cents: Object.fromEntries(
      [...ofCurrency].map(([currency, own]) => [currency, sum(own.map(({ total_cents }) => total_cents ?? 0))]),
    ),
    partly: count > known.length,
  };
}
