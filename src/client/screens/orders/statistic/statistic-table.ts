import type { EuroAmount } from '#shared/orders/exchange-rates.ts';
import type { StatisticRow } from '#shared/orders/statistic.ts';
import { type DayRange, daysOf } from '#client/ui/text/days.ts';

/** A channel's sales in one currency, one number per day of the range. */
export type StatisticLine = {
  readonly key: string;
  readonly name: string;
  readonly position: number;
  readonly currency: string;
  readonly cents: readonly number[];
  readonly pieces: readonly number[];
  /** For other currencies: each day's revenue in euro; null if nothing was sold or no rate is known. */
  readonly euro: readonly (EuroAmount | null)[];
  /** Days with revenue of which no rate is known. */
  readonly withoutRate: number;
};

/** Sums over all lines, of a day or of the whole range. Revenue in euro, converted where a rate is known. */
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
  /** Every day of the range, also those without sales. */
  readonly days: readonly string[];
  readonly lines: readonly StatisticLine[];
  readonly sums: readonly Sums[];
  readonly total: Sums;
};

const EURO = 'EUR';
export const isEuro = ({ currency }: { currency: string }): boolean => currency === EURO;
const centsOf = ({ sumSales }: StatisticRow) => Math.round(sumSales * 100);
const euroCentsOf = (row: StatisticRow) => (isEuro(row) ? centsOf(row) : (row.euro?.cents ?? 0));
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Converts the call's answer to a table: a row for each day, lines in the order in which the channels first appear. */
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
    const euro = days.map((day) => ofDay.get(day)?.euro ?? null);
    const withoutRate = own.filter((row) => !isEuro(row) && row.euro === null && centsOf(row) > 0).length;
    const pieces = each(({ count }) => count);
    return [{ key, name, position, currency, cents: each(centsOf), pieces, euro, withoutRate }];
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

/** Returns the sums of some rows. */
export function sumsOf(rows: readonly StatisticRow[]): Sums {
  const of = (value: (row: StatisticRow) => number) => sum(rows.map(value));
  return {
    cents: of(euroCentsOf),
    pieces: of(({ count }) => count),
    orders: of(({ orders }) => orders),
    cancelled: of(({ cancelled }) => cancelled),
    returned: of(({ returned }) => returned),
    unpriced: of(({ unpriced }) => unpriced),
  };
}

/** Returns a line's revenue in euro, as far as rates are known. */
export const euroSum = ({ euro }: StatisticLine): number => sum(euro.map((one) => one?.cents ?? 0));

/** Returns the relative change; null if there is no number to compare with. */
export const changeOf = (now: number, before: number): number | null => (before === 0 ? null : now / before - 1);

/** Returns the table for a spreadsheet: amounts with a decimal comma. */
export function statisticCells({ days, lines, sums, total }: StatisticTable): string[][] {
  const amount = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');
  // Empty if no rate is known: 0 would be read as an amount.
  const euroText = ({ euro, cents }: StatisticLine, index: number) => {
    const found = euro[index]?.cents ?? (cents[index] === 0 ? 0 : undefined);
    return found === undefined ? '' : amount(found);
  };
  return [
    [
      'Datum',
      ...lines.flatMap((line) => [
        `${line.name} Umsatz (${line.currency})`,
        ...(isEuro(line) ? [] : [`${line.name} Umsatz in EUR`]),
        `${line.name} Menge`,
      ]),
      'Gesamtmenge',
      'Bestellungen',
    ],
    ...days.map((day, index) => [
      day,
      ...lines.flatMap((line) => [
        amount(line.cents[index] ?? 0),
        ...(isEuro(line) ? [] : [euroText(line, index)]),
        String(line.pieces[index] ?? 0),
      ]),
      String(sums[index]?.pieces ?? 0),
      String(sums[index]?.orders ?? 0),
    ]),
    [
      '∑ Summe',
      ...lines.flatMap((line) => [
        amount(sum(line.cents)),
        ...(isEuro(line) ? [] : [amount(euroSum(line))]),
        String(sum(line.pieces)),
      ]),
      String(total.pieces),
      String(total.orders),
    ],
  ];
}
