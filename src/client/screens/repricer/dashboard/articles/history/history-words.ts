import type { ChartSeries } from '#client/ui/charts/chart-series.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatMinute, type PriceSeries, type SellerLine } from './price-series.ts';

/** Seller names by id in capitals. */
export type SellerNames = Readonly<Record<string, string>>;

/** Returns a seller's name. Ids are spelled as the marketplace does it, names are stored by ids in capitals. */
export const sellerName = ({ seller, own }: SellerLine, names: SellerNames): string => {
  const name = names[seller] ?? names[seller.trim().toUpperCase()] ?? seller;
  return own ? `Ihr Preis (${name})` : name;
};

/** Returns the lines of the chart: prices with shipping in cents. */
export const chartSeries = ({ lines }: PriceSeries, names: SellerNames): ChartSeries[] =>
  lines.map((line, position) => ({
    key: line.seller,
    name: sellerName(line, names),
    position,
    ...(line.own ? { emphasis: 'own' as const } : {}),
    values: line.prices.map((price) => price?.cents ?? null),
  }));

/** RDA-07: says who holds the buy box in a minute, and our price: the list of all prices may be too long to include ours. */
export function minuteDetails({ lines }: PriceSeries, names: SellerNames, index: number, currency: string): string[] {
  const priceOf = (line: SellerLine) => line.prices[index] ?? null;
  const words = (line: SellerLine) => `${sellerName(line, names)} ${moneyText(priceOf(line)?.cents ?? null, currency)}`;
  const holders = lines.filter((line) => priceOf(line)?.box === true).map(words);
  const offered = lines.filter((line) => priceOf(line) !== null).length;
  const own = lines.filter((line) => line.own && priceOf(line) !== null).map(words);
  return [
    holders.length === 0 ? 'Niemand in der BuyBox' : `In der BuyBox: ${holders.join(', ')}`,
    ...(offered > own.length + 10 ? own : []),
  ];
}

/** Returns the history for a spreadsheet: a row for each minute, a column for each seller, and the holder of the buy box. */
export function historyCells({ minutes, lines }: PriceSeries, names: SellerNames, currency: string): string[][] {
  return [
    ['Zeit', ...lines.map((line) => `${sellerName(line, names)} (${currency})`), 'BuyBox'],
    ...minutes.map((minute, index) => [
      formatMinute(minute),
      ...lines.map(({ prices }) => {
        const cents = prices[index]?.cents;
        return cents === undefined ? '' : (cents / 100).toFixed(2).replace('.', ',');
      }),
      lines.flatMap((line) => (line.prices[index]?.box === true ? [sellerName(line, names)] : [])).join(', '),
    ]),
  ];
}
