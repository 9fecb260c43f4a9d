import { describe, expect, it } from 'vitest';
import { isEmpty, logPoints, placeAfter } from './chart-series.ts';

describe('a line on a logarithmic axis', () => {
  it('ORD-02 has a gap where a value is 0, and a dot where no line leads', () => {
    expect(logPoints([0, 5, 0, 3, 4, 0])).toEqual([
      { value: null, alone: false },
      { value: 5, alone: true },
      { value: null, alone: false },
      { value: 3, alone: false },
      { value: 4, alone: false },
      { value: null, alone: false },
    ]);
    expect(logPoints([7])).toEqual([{ value: 7, alone: true }]);
  });

  it('ORD-02 is empty where every value is 0', () => {
    const line = (values: number[]) => ({ key: 'a', name: 'A', position: 0, values });
    expect([isEmpty([]), isEmpty([line([0, 0])]), isEmpty([line([0]), line([1])])]).toEqual([true, true, false]);
  });

  it('ORD-02 is walked by keys along it and from line to line, and ends at its ends', () => {
    const size = { series: 3, points: 10 };
    expect(placeAfter('ArrowRight', null, size)).toEqual({ series: 0, index: 0 });
    expect(placeAfter('ArrowLeft', null, size)).toEqual({ series: 0, index: 9 });
    expect(placeAfter('ArrowDown', null, size)).toEqual({ series: 0, index: 9 });
    expect(placeAfter('ArrowRight', { series: 1, index: 9 }, size)).toEqual({ series: 1, index: 9 });
    expect(placeAfter('ArrowUp', { series: 0, index: 4 }, size)).toEqual({ series: 2, index: 4 });
    expect(placeAfter('ArrowDown', { series: 2, index: 4 }, size)).toEqual({ series: 0, index: 4 });
    expect(placeAfter('Home', { series: 2, index: 4 }, size)).toEqual({ series: 2, index: 0 });
    expect(placeAfter('PageDown', { series: 2, index: 4 }, size)).toEqual({ series: 2, index: 9 });
    expect(placeAfter('Tab', { series: 2, index: 4 }, size)).toBeUndefined();
    expect(placeAfter('ArrowRight', null, { series: 0, points: 10 })).toBeUndefined();
  });
});
