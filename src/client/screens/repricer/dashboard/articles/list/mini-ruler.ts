import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { centsOf } from './article-columns.ts';

export type MarkKind = 'min' | 'standard' | 'max' | 'own' | 'rival';
export type Mark = {
  readonly kind: MarkKind;
  readonly cents: number;
  /** Position in percent of the scale. */
  readonly x: number;
  /** Too far away to be drawn to scale; the mark is at the end. */
  readonly beyond: boolean;
};

const labels: Record<MarkKind, string> = {
  min: 'Min',
  standard: 'Standard',
  max: 'Max',
  own: 'Ihr Preis',
  rival: 'Gegner',
};

/** How far a competitor may lie beyond our own prices before the scale ends, as a share of their range. */
const reach = 0.35;

/**
 * Returns an article's prices on one scale. The competitor is at the price that would make us cost buyers the same: its price
 * with shipping, less our own shipping. Fewer than two prices make no scale.
 */
export function rulerMarks(article: RepricedArticle): readonly Mark[] {
  const rival = centsOf(article.comp_offer_price);
  const cents: readonly [MarkKind, number | null][] = [
    ['min', centsOf(article.worker_min_price)],
    ['standard', centsOf(article.worker_price)],
    ['max', centsOf(article.worker_max_price)],
    ['own', centsOf(article.my_offer_listing_price)],
    [
      'rival',
      rival === null
        ? null
        : rival + (centsOf(article.comp_offer_shipping_price) ?? 0) - (centsOf(article.my_offer_shipping_price) ?? 0),
    ],
  ];
  const known = cents.flatMap(([kind, value]) => (value === null ? [] : [{ kind, cents: value }]));
  if (known.length < 2) return [];
  const place = scaleOf(known);
  return known.map((mark) => ({ ...mark, ...place(mark.cents) }));
}

function scaleOf(marks: readonly Pick<Mark, 'kind' | 'cents'>[]): (cents: number) => { x: number; beyond: boolean } {
  const all = marks.map(({ cents }) => cents);
  const ours = marks.flatMap(({ kind, cents }) => (kind === 'rival' ? [] : [cents]));
  const [low, high] = [Math.min(...ours), Math.max(...ours)];
  const room = Math.max(high - low, high * 0.05, 1) * reach;
  const from = Math.max(Math.min(...all), low - room);
  const to = Math.min(Math.max(...all), high + room);
  return (cents) => {
    const inside = Math.min(Math.max(cents, from), to);
    return { x: to === from ? 50 : ((inside - from) / (to - from)) * 100, beyond: inside !== cents };
  };
}

/** Returns the text alternative of the picture, cheapest first. */
export function markWords(marks: readonly Mark[], currency: string): string {
  const words = marks
    .toSorted((one, other) => one.cents - other.cents)
    .map(({ kind, cents }) => `${labels[kind]} ${moneyText(cents, currency)}`);
  return `Preise auf einer Skala: ${words.join('; ')}.`;
}
