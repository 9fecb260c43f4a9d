import type { RankPoint, RankRow } from '#shared/repricer/dashboard.ts';
import type { ChartMark, ChartSeries } from '#client/ui/charts/chart-series.ts';
import { berlinDay } from '#client/ui/text/days.ts';
import { formatTime } from '#client/ui/text/formats.ts';

const HOUR_MS = 60 * 60_000;
/** Names as specified. */
const names = ['rang 1', 'rang 2', 'rang 3', 'buy_box'] as const;

export type RankLines = { times: number[]; labels: string[]; series: ChartSeries[] };

/** 'Verlauf': one measurement per hour. Where measurements are missing (the program did not run), the lines have a gap. */
export function rankLines(points: readonly RankPoint[]): RankLines {
  const shown = points.flatMap((point, index): (RankPoint | string)[] => {
    const [at, before] = [Date.parse(point.timestamp), Date.parse(points[index - 1]?.timestamp ?? point.timestamp)];
    return at - before > 2 * HOUR_MS ? [new Date(before + HOUR_MS).toISOString(), point] : [point];
  });
  const timeOf = (point: RankPoint | string) => (typeof point === 'string' ? point : point.timestamp);
  return {
    times: shown.map((point) => Date.parse(timeOf(point))),
    labels: shown.map((point) => formatTime(timeOf(point))),
    series: names.map((name, position) => ({
      key: name,
      name,
      position,
      ...(name === 'buy_box' ? { emphasis: 'own' as const } : {}),
      values: shown.map((point) => (typeof point === 'string' ? null : point[name])),
    })),
  };
}

/** Places notes at the first measurement of their day, or at the next one. */
export function noteMarks(notes: readonly { date: string; note: string }[], times: readonly number[]): ChartMark[] {
  const days = times.map((time) => berlinDay(new Date(time)));
  const last = days.at(-1) ?? '';
  return notes.flatMap(({ date, note }) => {
    const index = date < (days[0] ?? '') || date > last ? -1 : days.findIndex((day) => day >= date);
    return index === -1 ? [] : [{ index, text: note }];
  });
}

export type RankCells = {
  /** Offers on rank 1 without the buy box, and with the buy box without rank 1. */
  cheapestWithoutBox: number;
  boxWithoutCheapest: number;
  offers: number;
  boxes: number;
};

export function rankCells(rows: readonly RankRow[]): RankCells {
  const sum = (of: (row: RankRow) => number, which = rows) => which.reduce((total, row) => total + of(row), 0);
  const others = rows.filter(({ rang }) => rang !== 1);
  return {
    cheapestWithoutBox: rows.find(({ rang }) => rang === 1)?.non_buybox_count ?? 0,
    boxWithoutCheapest: sum((row) => row.buybox_count, others),
    offers: sum((row) => row.anzahl),
    boxes: sum((row) => row.buybox_count),
  };
}
