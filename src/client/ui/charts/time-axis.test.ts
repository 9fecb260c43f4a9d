import { expect, it } from 'vitest';
import { onAxis, spanOf, windowOf } from './time-axis.ts';

it("RDA-02 a time is placed by Berlin's clock, in summer and in winter", () => {
  expect(new Date(onAxis(Date.parse('2026-07-01T22:30:00Z'))).toISOString()).toBe('2026-07-02T00:30:00.000Z');
  expect(new Date(onAxis(Date.parse('2026-12-01T22:30:00Z'))).toISOString()).toBe('2026-12-01T23:30:00.000Z');
});

it('RDA-02 a zoom window survives a reload of the data, and is dropped if the data are others', () => {
  const axis = [10, 20, 30, 40, 50];
  const window = windowOf(axis, { first: 1, last: 3 });
  expect(window).toEqual({ from: 20, to: 40 });
  expect(spanOf([...axis, 60], window)).toEqual({ first: 1, last: 3 });
  expect(spanOf([15, 25, 35, 45], window)).toEqual({ first: 1, last: 2 });
  expect(spanOf([100, 200], window)).toEqual({ first: 0, last: 1 });
  expect(spanOf([], window)).toEqual({ first: 0, last: -1 });
  expect(windowOf(axis, { first: 0, last: 4 })).toBeNull();
  expect(spanOf(axis, null)).toEqual({ first: 0, last: 4 });
});
