import type { RuleChange } from '#shared/repricer/rule-change.ts';
import { moneyText } from '#shared/values/money-text.ts';
import type { StatisticRow } from '#shared/orders/statistic.ts';
import { dayCount } from '#client/ui/text/days.ts';
import { formatCount, formatDecimal, formatInteger, formatPercent } from '#client/ui/text/formats.ts';

/** Sales in the days before or after a change, by the accounts of the catalogue. */
export type Sold = { pieces: number; revenue: readonly { currency: string; cents: number }[] };
type Both<T> = { before: T; after: T };

export type ChangeRow = { label: string; note: string; before: string; after: string; difference: string };

/** Fewer than these say little: observations of offers on one side, articles to compare, whole days. */
const FEW_LOOKS = 100;
const FEW_ARTICLES = 10;
const FEW_DAYS = 3;

const signed = (value: number, text: (value: number) => string) =>
  value === 0 ? 'unverändert' : `${value > 0 ? '+' : '−'}${text(Math.abs(value))}`;

/** Sums the orders of these channels. */
export function soldOf(rows: readonly StatisticRow[], channels: ReadonlySet<string>): Sold {
  const own = rows.filter(({ channel }) => channels.has(channel));
  const byCurrency = Map.groupBy(own, ({ currency }) => currency);
  return {
    pieces: own.reduce((sum, { count }) => sum + count, 0),
    revenue: [...byCurrency].map(([currency, list]) => ({
      currency,
      cents: Math.round(list.reduce((sum, { sumSales }) => sum + sumSales, 0) * 100),
    })),
  };
}

/** Returns the comparison line by line; values unknown on both sides are left out. */
export function changeRows(change: RuleChange, sold: Both<Sold> | null): ChangeRow[] {
  return [...boxRow(change), ...priceRows(change), ...minimumRow(change), ...messageRows(change), ...soldRows(sold)];
}

function boxRow({ box: { before, after } }: RuleChange): ChangeRow[] {
  if (before.observed === 0 && after.observed === 0) return [];
  const share = ({ observed, box }: typeof before) => (observed === 0 ? null : box / observed);
  const text = (value: number | null) => (value === null ? '–' : formatPercent(value));
  const [old, fresh] = [share(before), share(after)];
  return [
    {
      label: 'Zeitanteil der BuyBox',
      note: 'ganzer Katalog, stündlich gesehen',
      before: text(old),
      after: text(fresh),
      difference:
        old === null || fresh === null
          ? '–'
          : signed(Math.round((fresh - old) * 1000) / 10, (points) => `${formatDecimal(points)}\u00a0Punkte`),
    },
  ];
}

const priceRows = ({ prices }: RuleChange): ChangeRow[] =>
  prices.map(({ currency, articles, before_cents: before, after_cents: after }) => ({
    label: prices.length > 1 ? `Mittlerer Preis (${currency})` : 'Mittlerer Preis',
    note: `${formatCount(articles, 'Artikel', 'Artikel')}, über ${articles === 1 ? 'den' : 'die'} auf beiden Seiten entschieden wurde`,
    before: moneyText(before, currency),
    after: moneyText(after, currency),
    difference: signed(after - before, (cents) => moneyText(cents, currency)),
  }));

function minimumRow({ minimum: { before, after } }: RuleChange): ChangeRow[] {
  if (before.articles === 0 && after.articles === 0) return [];
  const text = ({ articles, at_minimum }: typeof before) =>
    articles === 0 ? '–' : `${formatInteger(at_minimum)} von ${formatInteger(articles)}`;
  return [
    {
      label: 'Artikel am Mindestpreis',
      note: 'nach der letzten Entscheidung des Zeitraums',
      before: text(before),
      after: text(after),
      difference:
        before.articles === 0 || after.articles === 0
          ? '–'
          : signed(after.at_minimum - before.at_minimum, formatInteger),
    },
  ];
}

function messageRows({ messages: { before, after } }: RuleChange): ChangeRow[] {
  const row = (label: string, old: number, fresh: number): ChangeRow => ({
    label,
    note: 'ganzer Katalog',
    before: formatInteger(old),
    after: formatInteger(fresh),
    difference: signed(fresh - old, formatInteger),
  });
  return [
    row('Nachrichten', before.decided, after.decided),
    ...(before.held + after.held > 0 ? [row('Angehaltene Preise', before.held, after.held)] : []),
  ];
}

function soldRows(sold: Both<Sold> | null): ChangeRow[] {
  if (sold === null || sold.before.pieces + sold.after.pieces === 0) return [];
  const { before, after } = sold;
  const note = 'Bestellungen über die Konten des Katalogs';
  const currencies = [...new Set([...before.revenue, ...after.revenue].map(({ currency }) => currency))];
  const cents = ({ revenue }: Sold, currency: string) => revenue.find((one) => one.currency === currency)?.cents ?? 0;
  return [
    {
      label: 'Menge',
      note,
      before: formatInteger(before.pieces),
      after: formatInteger(after.pieces),
      difference: signed(after.pieces - before.pieces, formatInteger),
    },
    ...currencies.map((currency) => ({
      label: currencies.length > 1 ? `Umsatz (${currency})` : 'Umsatz',
      note,
      before: moneyText(cents(before, currency), currency),
      after: moneyText(cents(after, currency), currency),
      difference: signed(cents(after, currency) - cents(before, currency), (value) => moneyText(value, currency)),
    })),
  ];
}

/** Returns reasons why the comparison says little; empty if it has enough data. `wanted`: the number of days requested. */
export function doubts({ spans, others, box, prices }: RuleChange, wanted: number): string[] {
  if (spans === null) return [];
  const days = dayCount(spans.after);
  const articles = prices.reduce((sum, one) => sum + one.articles, 0);
  const observations = Math.min(box.before.observed, box.after.observed);
  const span = formatCount(days, 'voller Tag', 'volle Tage');
  return [
    ...(days < Math.min(wanted, FEW_DAYS)
      ? [`Erst ${span} seit der Änderung: zu wenig, um Wochentage und Zufall auszugleichen.`]
      : days < wanted
        ? [
            `Verglichen werden ${span} statt ${formatInteger(wanted)}, da seit der Änderung noch nicht mehr vergangen sind.`,
          ]
        : []),
    ...(observations < FEW_LOOKS ? ['Zur BuyBox liegen auf mindestens einer Seite kaum Aufzeichnungen vor.'] : []),
    ...(articles < FEW_ARTICLES
      ? [
          `Für den Preisvergleich gibt es nur ${formatCount(articles, 'Artikel', 'Artikel')} mit Entscheidungen auf beiden Seiten.`,
        ]
      : []),
    ...(others.length > 0
      ? [
          `In den verglichenen Tagen wurden die Regeln noch ${formatCount(others.length, 'weiteres Mal', 'weitere Male')} gespeichert; beides steckt in den Zahlen.`,
        ]
      : []),
  ];
}
