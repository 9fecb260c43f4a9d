import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetsOf, rowsBetween } from './row-window.ts';

const equal = (count: number) => offsetsOf(Array.from({ length: count }, () => 40));

test('MAP-02 renders all of few rows, and of many only the visible ones and some around them', () => {
  expect(rowsBetween(equal(50), 0, 400)).toEqual({ from: 0, to: 50, before: 0, after: 0 });
  expect(rowsBetween(equal(20_000), 0, 400)).toEqual({ from: 0, to: 19, before: 0, after: 799_240 });
  expect(rowsBetween(equal(20_000), 40_000, 400)).toEqual({ from: 992, to: 1019, before: 39_680, after: 759_240 });
});

test('MAP-02 at any scroll position the visible rows are rendered and the total height stays', () => {
  const heights = fc.array(fc.constantFrom(40, 76), { minLength: 1, maxLength: 500 });
  fc.assert(
    fc.property(heights, fc.nat(40_000), fc.integer({ min: 50, max: 2000 }), (list, top, visible) => {
      const offsets = offsetsOf(list);
      const { from, to, before, after } = rowsBetween(offsets, top, visible);
      const drawn = list.slice(from, to).reduce((sum, height) => sum + height, 0);
      expect(before + drawn + after).toBe(offsets.at(-1));
      list.forEach((height, index) => {
        const begin = offsets[index] ?? 0;
        const inSight = begin < top + visible && begin + height > top;
        expect(!inSight || (from <= index && index < to)).toBe(true);
      });
    }),
  );
});
