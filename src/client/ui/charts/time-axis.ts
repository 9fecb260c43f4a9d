import type { ChartSpan } from './chart-series.ts';

/** The shown part of a time axis; null: all of it, including points added later. */
export type ChartWindow = { readonly from: number; readonly to: number } | null;

const berlin = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Europe/Berlin' });

/**
 * Converts an instant to axis time: Berlin's clock time read as if it were UTC. So days begin at midnight in any browser. In the
 * night in which summer time ends, one hour is drawn over the previous one.
 */
export const onAxis = (time: number): number => Date.parse(`${berlin.format(time).replace(' ', 'T')}Z`);

/** Returns the labels within a window; all of them if there are none (the data may have changed). */
export function spanOf(axis: readonly number[], window: ChartWindow): ChartSpan {
  const all = { first: 0, last: axis.length - 1 };
  if (window === null) return all;
  const first = axis.findIndex((at) => at >= window.from);
  const last = axis.findLastIndex((at) => at <= window.to);
  return first === -1 || last < first ? all : { first, last };
}

/** Returns the window that shows these labels. */
export function windowOf(axis: readonly number[], { first, last }: ChartSpan): ChartWindow {
  const [from, to] = [axis[first], axis[last]];
  return from === undefined || to === undefined || (first <= 0 && last >= axis.length - 1) ? null : { from, to };
}
