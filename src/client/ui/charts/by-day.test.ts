import { expect, it } from 'vitest';
import { byDay } from './by-day.ts';

const at = (text: string) => Date.parse(text);

it('RDA-02 the print version of an hourly line has the daily mean in Berlin time, with the notes of the day', () => {
  const times = ['2026-11-01T22:30Z', '2026-11-01T23:30Z', '2026-11-02T10:00Z', '2026-11-03T10:00Z'].map(at);
  const line = { key: 'a', name: 'rang 1', position: 0, values: [7, 10, 13, null] };
  const { labels, series, marks } = byDay(times, [line], [{ index: 2, text: 'Aktion' }]);
  expect(labels).toHaveLength(3);
  expect(series[0]?.values).toEqual([7, 12, null]);
  expect(marks).toEqual([{ index: 1, text: 'Aktion' }]);
  expect(byDay([], [line], []).labels).toEqual([]);
});
