import type { StatisticRow } from '#shared/orders/statistic.ts';
import { type DayRange, daysOf } from '#client/ui/text/days.ts';

/** What a channel sold in one currency, a number for each day of the range. */
export type StatisticLine = {
  readonly key: string;
  readonly name: string;
  readonly position: number;
  readonly currency: string;
  readonly cents: readonly number[];
  readonly pieces: readonly number[];
};

/** Sums over all lines: of a day, or of the whole range. Revenue in euro alone, everything else of all currencies. */
export type Sums = {
  readonly cents: number;
  readonly pieces: number;
  readonly orders: number;
  readonly cancelled: number;
  readonly returned: number;
  readonly unpriced: number;
};

export type StatisticTable = {
  readonly range: DayRange;
  /** Every day of the range, also those on which nothing was sold. */
  readonly days: readonly string[];
  readonly lines: readonly StatisticLine[];
  readonly sums: readonly Sums[];
  readonly total: Sums;
};

const EURO = 'EUR';
export const isEuro = ({ currency }: { currency: string }): boolean => currency === EURO;
const centsOf = ({ sumSales }: StatisticRow) => Math.round(sumSales * 100);
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The answer of the call as a table: a row for each day, lines in the order in which the channels began. */
export function statisticTable(rows: readonly StatisticRow[], range: DayRange): StatisticTable {
  const days = daysOf(range);
  const byLine = Map.groupBy(rows, ({ channel, currency }) => `${channel} ${currency}`);
  const lines = [...byLine].flatMap(([key, own]): StatisticLine[] => {
    const [first] = own;
    if (first === undefined) return [];
    const ofDay = new Map(own.map((row) => [row._id.datum, row]));
    const each = (value: (row: StatisticRow) => number) =>
      days.map((day) => {
        const row = ofDay.get(day);
        return row === undefined ? 0 : value(row);
      });
    const { _id, position, currency } = first;
    const name = _id.marketplaceChannelName;
    return [{ key, name, position, currency, cents: each(centsOf), pieces: each(({ count }) => count) }];
  });
  const byDay = Map.groupBy(rows, ({ _id }) => _id.datum);
  return {
    range,
    days,
    lines: lines.sort((one, other) => one.position - other.position),
    sums: days.map((day) => sumsOf(byDay.get(day) ?? [])),
    total: sumsOf(rows),
  };
}

/** The sums of some rows. */
export function sumsOf(rows: readonly StatisticRow[]): Sums {
  const of = (value: (row: StatisticRow) => number) => sum(rows.map(value));
  return {
    cents: sum(rows.filter(isEuro).map(centsOf)),
    pieces: of(({ count }) => count),
    orders: of(({ orders }) => orders),
    cancelled: of(({ cancelled }) => cancelled),
    returned: of(({ returned }) => returned),
    unpriced: of(({ unpriced }) => unpriced),
  };
}

/** By which share a number is larger than the one before; null where there was none to compare with. */
export const changeOf = (now: number, before: number): number | null => (before === 0 ? null : now / before - 1);

/** The table for a spreadsheet: amounts with a decimal comma. */
export function statisticCells({ days, lines, sums, total }: StatisticTable): string[][] {
  const amount = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');
  return [
    [
      'Datum',
      ...lines.flatMap(({ name, currency }) => [`${name} Umsatz (${currency})`, `${name} Menge`]),
      'Gesamtmenge',
      'Bestellungen',
    ],
    ...days.map((day, index) => [
      day,
      ...lines.flatMap(({ cents, pieces }) => [amount(cents[index] ?? 0), String(pieces[index] ?? 0)]),
      String(sums[index]?.pieces ?? 0),
      String(sums[index]?.orders ?? 0),
    ]),
    [
      '∑ Summe',
      ...lines.flatMap(({ cents, pieces }) => [amount(sum(cents)), String(sum(pieces))]),
      String(total.pieces),
      String(total.orders),
    ],
  ];
}
