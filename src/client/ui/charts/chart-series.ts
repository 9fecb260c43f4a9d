import { ownLook, seriesLook, totalLook, type SeriesLook } from './series-look.ts';

/** A line of the chart: a value for each label of the axis; null: unknown, the line has a gap. */
export type ChartSeries = {
  readonly key: string;
  readonly name: string;
  /** Decides the colour; 'total': the sum of all lines, in black. */
  readonly position: number | 'total';
  /** Our own line among others: black and thicker than all. */
  readonly emphasis?: 'own';
  readonly values: readonly (number | null)[];
};

/** log: 0 has no logarithm and is not drawn. linear: from 0. fitted: from the smallest value to the largest. */
export type ChartScale = 'log' | 'linear' | 'fitted';

/** An event at a label, marked in the drawing and listed with the label's values. */
export type ChartMark = {
  readonly index: number;
  readonly text: string;
  /** Kind of the event; absent: a note. */
  readonly what?: string;
};

export type Point = {
  /** null: not drawn. */
  readonly value: number | null;
  /** A point without neighbours has no line to it, so it is drawn as a dot. */
  readonly alone: boolean;
};

export function lookOf({ position, emphasis }: ChartSeries, isDark: boolean): SeriesLook {
  if (emphasis === 'own') return ownLook(isDark);
  return position === 'total' ? totalLook(isDark) : seriesLook(position, isDark);
}

const isDrawn = (value: number | null | undefined, scale: ChartScale): value is number =>
  typeof value === 'number' && (scale !== 'log' || value > 0);

/** Converts a line's values to what an axis of this scale can show. */
export function pointsOf(values: ChartSeries['values'], scale: ChartScale): Point[] {
  const drawn = (index: number) => isDrawn(values[index], scale);
  return values.map((value, index) => ({
    value: isDrawn(value, scale) ? value : null,
    alone: drawn(index) && !drawn(index - 1) && !drawn(index + 1),
  }));
}

export const isEmpty = (series: readonly ChartSeries[], scale: ChartScale): boolean =>
  series.every(({ values }) => values.every((value) => !isDrawn(value, scale)));

/** The point of the chart that the keyboard has selected. */
export type ChartPlace = { readonly series: number; readonly index: number };

/**
 * Returns the point that a key leads to: left and right along a line, up and down from line to line; undefined for other keys.
 */
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

/** A range of labels, both ends included. */
export type ChartSpan = { readonly first: number; readonly last: number };

/** Returns the point of the next mark after `place`, wrapping around to the first; undefined if there are no marks. */
export function nextMark(marks: readonly ChartMark[], place: ChartPlace | null, span: ChartSpan) {
  const shown = marks
    .map(({ index }) => index)
    .filter((index) => index >= span.first && index <= span.last)
    .sort((one, other) => one - other);
  const index = shown.find((one) => place !== null && one > place.index) ?? shown[0];
  return index === undefined ? undefined : { series: place?.series ?? 0, index };
}
