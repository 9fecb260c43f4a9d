import { expect, it } from 'vitest';
import { noteMarks, rankCells, rankLines } from './rank-lines.ts';

const point = (timestamp: string, first: number) => ({
  timestamp,
  'rang 1': first,
  'rang 2': 0,
  'rang 3': 1,
  buy_box: 2,
});

it('RDA-02 the lines are those of the specification, with a gap where there are no observations', () => {
  const { labels, series, times } = rankLines([
    point('2026-11-01T10:00:00Z', 1),
    point('2026-11-01T11:00:00Z', 2),
    point('2026-11-01T18:00:00Z', 3),
  ]);
  expect(series.map(({ name }) => name)).toEqual(['rang 1', 'rang 2', 'rang 3', 'buy_box']);
  expect(series[0]?.values).toEqual([1, 2, null, 3]);
  expect(labels).toEqual(['01.11.2026, 11:00', '01.11.2026, 12:00', '01.11.2026, 13:00', '01.11.2026, 19:00']);
  expect(times).toHaveLength(4);
  expect(rankLines([])).toMatchObject({ times: [], labels: [] });
});

it('RDA-02 RDA-09 a note is placed at the first observation of its day in Berlin, or at the next one', () => {
  const times = ['2026-11-01T10:00:00Z', '2026-11-01T22:59:00Z', '2026-11-01T23:00:00Z', '2026-11-04T10:00:00Z'];
  const at = (date: string) =>
    noteMarks(
      [{ date, note: 'x' }],
      times.map((time) => Date.parse(time)),
    );
  expect([at('2026-11-01'), at('2026-11-02'), at('2026-11-03')]).toEqual([
    [{ index: 0, text: 'x' }],
    [{ index: 2, text: 'x' }],
    [{ index: 3, text: 'x' }],
  ]);
  expect([at('2026-10-31'), at('2026-11-05'), noteMarks([{ date: '2026-11-01', note: 'x' }], [])]).toEqual([
    [],
    [],
    [],
  ]);
});

it('RDA-02 counts two telling cases: cheapest without the buy box, and buy box without being cheapest', () => {
  const row = (rang: number, box: number, without: number) => ({
    rang,
    anzahl: box + without,
    buybox_count: box,
    non_buybox_count: without,
  });
  expect(rankCells([row(0, 1, 4), row(1, 10, 3), row(2, 2, 5)])).toEqual({
    cheapestWithoutBox: 3,
    boxWithoutCheapest: 3,
    offers: 25,
    boxes: 13,
  });
  expect(rankCells([])).toEqual({ cheapestWithoutBox: 0, boxWithoutCheapest: 0, offers: 0, boxes: 0 });
});
