import { expect, it } from 'vitest';
import { drawnRows } from './drawn-rows.ts';

it('RDA-06 renders visible rows and those that must stay, with gaps that keep the height of the others', () => {
  expect(drawnRows(3, undefined, [-1, -1])).toEqual([
    { index: 0, gap: 0 },
    { index: 1, gap: 0 },
    { index: 2, gap: 0 },
  ]);
  expect(drawnRows(200, { from: 100, to: 102 }, [3, 150])).toEqual([
    { index: 3, gap: 3 },
    { index: 100, gap: 96 },
    { index: 101, gap: 0 },
    { index: 150, gap: 48 },
    { index: 200, gap: 49 },
  ]);
  expect(drawnRows(0, undefined, [5])).toEqual([]);
  const rows = drawnRows(200, { from: 190, to: 400 }, [199, 0]);
  expect(rows.reduce((sum, { gap }) => sum + gap, 0) + rows.length).toBe(200);
});
