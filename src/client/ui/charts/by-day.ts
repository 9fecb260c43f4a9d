import { berlinDay, formatDate } from '#client/ui/text/days.ts';
import type { ChartMark, ChartSeries } from './chart-series.ts';

type Lines = { labels: readonly string[]; series: readonly ChartSeries[]; marks: readonly ChartMark[] };

/**
 * Reduces lines with many measurements a day to one row per day: the rounded mean of the known
 * values. Hourly rows would fill pages on paper.
 */
export function byDay(times: readonly number[], series: readonly ChartSeries[], marks: readonly ChartMark[]): Lines {
  const dayAt = times.map((time) => berlinDay(new Date(time)));
  const days = [...new Set(dayAt)];
  return {
    labels: days.map(formatDate),
    series: series.map((line) => ({
      ...line,
      values: days.map((day) => mean(line.values.filter((_, index) => dayAt[index] === day))),
    })),
    marks: marks.map((mark) => ({ ...mark, index: days.indexOf(dayAt[mark.index] ?? '') })),
  };
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
}
