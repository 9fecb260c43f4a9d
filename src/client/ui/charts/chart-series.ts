import { seriesLook, totalLook, type SeriesLook } from './series-look.ts';

/** A line: a number for each label of the axis. */
export type ChartSeries = {
  readonly key: string;
  readonly name: string;
  /** Decides the colour; 'total': the sum of all, black. */
  readonly position: number | 'total';
  readonly values: readonly number[];
};

export type Point = {
  /** A logarithm of 0 does not exist: nothing is drawn there. */
  readonly value: number | null;
  /** Where no line leads to a point, a dot shows it. */
  readonly alone: boolean;
};

export const lookOf = ({ position }: ChartSeries, isDark: boolean): SeriesLook =>
  position === 'total' ? totalLook(isDark) : seriesLook(position, isDark);

/** A line as a logarithmic axis can show it. */
export function logPoints(values: readonly number[]): Point[] {
  const drawn = (index: number) => (values[index] ?? 0) > 0;
  return values.map((value, index) => ({
    value: drawn(index) ? value : null,
    alone: drawn(index) && !drawn(index - 1) && !drawn(index + 1),
  }));
}

export const isEmpty = (series: readonly ChartSeries[]): boolean =>
  series.every(({ values }) => values.every((value) => value <= 0));

/** Where the keyboard stands in a chart. */
export type ChartPlace = { readonly series: number; readonly index: number };

/** The place that a key leads to: left and right along a line, up and down from line to line; undefined for other keys. */
export function placeAfter(
  key: string,
  place: ChartPlace | null,
  size: { series: number; points: number },
): ChartPlace | undefined {
  const last = size.points - 1;
  const { series, index } = place ?? { series: 0, index: key === 'ArrowRight' ? -1 : last + 1 };
  const at = (next: number) => ({ series, index: Math.min(last, Math.max(0, next)) });
  const line = (next: number) => ({
    series: (next + size.series) % size.series,
    index: Math.min(last, Math.max(0, index)),
  });
  if (size.points === 0 || size.series === 0) return undefined;
  if (key === 'ArrowRight') return at(index + 1);
  if (key === 'ArrowLeft') return at(index - 1);
  if (key === 'PageDown') return at(index + 7);
  if (key === 'PageUp') return at(index - 7);
  if (key === 'Home') return at(0);
  if (key === 'End') return at(last);
  if (key === 'ArrowDown') return place === null ? line(0) : line(series + 1);
  if (key === 'ArrowUp') return place === null ? line(0) : line(series - 1);
  return undefined;
}
