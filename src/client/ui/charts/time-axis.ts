import type { ChartSpan } from './chart-series.ts';

/** What part of a time axis is shown; null: all of it, and what comes later as well. */
export type ChartWindow = { readonly from: number; readonly to: number } | null;

const berlin = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Europe/Berlin' });

/**
 * An instant as the axis counts it: the clock in Berlin read as if it were UTC. So days begin at midnight wherever the browser
 * stands. In the night that summer time ends an hour is drawn over the one before.
 */
export const onAxis = (time: number): number => Date.parse(`${berlin.format(time).replace(' ', 'T')}Z`);

/** The labels that a window shows. Where it shows none (the data are others by now), all are shown. */
export function spanOf(axis: readonly number[], window: ChartWindow): ChartSpan {
  const all = { first: 0, last: axis.length - 1 };
  if (window === null) return all;
  const first = axis.findIndex((at) => at >= window.from);
  const last = axis.findLastIndex((at) => at <= window.to);
  return first === -1 || last < first ? all : { first, last };
}

/** The window that shows these labels. */
export function windowOf(axis: readonly number[], { first, last }: ChartSpan): ChartWindow {
  const [from, to] = [axis[first], axis[last]];
  return from === undefined || to === undefined || (first <= 0 && last >= axis.length - 1) ? null : { from, to };
}
