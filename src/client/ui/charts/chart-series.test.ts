import { describe, expect, it } from 'vitest';
import { isEmpty, lookOf, nextMark, placeAfter, pointsOf } from './chart-series.ts';

describe('a line on a logarithmic axis', () => {
  it('ORD-02 has a gap where a value is 0, and a dot for a value without neighbours', () => {
    expect(pointsOf([0, 5, 0, 3, 4, 0], 'log')).toEqual([
      { value: null, alone: false },
      { value: 5, alone: true },
      { value: null, alone: false },
      { value: 3, alone: false },
      { value: 4, alone: false },
      { value: null, alone: false },
    ]);
    expect(pointsOf([7], 'log')).toEqual([{ value: 7, alone: true }]);
  });

  it('ORD-02 is empty where every value is 0', () => {
    const line = (values: number[]) => ({ key: 'a', name: 'A', position: 0, values });
    expect([isEmpty([], 'log'), isEmpty([line([0, 0])], 'log'), isEmpty([line([0]), line([1])], 'log')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('ORD-02 arrow keys move along the line and between lines, and stop at its ends', () => {
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

describe('a line on any axis', () => {
  it('RDA-07 has a gap where a value is unknown; 0 is a value on axes that are not logarithmic', () => {
    expect(pointsOf([0, null, 3], 'linear')).toEqual([
      { value: 0, alone: true },
      { value: null, alone: false },
      { value: 3, alone: true },
    ]);
    const line = (values: (number | null)[]) => ({ key: 'a', name: 'A', position: 0, values });
    expect([isEmpty([line([0])], 'linear'), isEmpty([line([null])], 'fitted')]).toEqual([false, true]);
  });

  it('RDA-07 our own line is black, nearly white in dark mode, and thicker than all others', () => {
    const own = { key: 'a', name: 'Wir', position: 3, emphasis: 'own' as const, values: [] };
    const [light, dark] = [lookOf(own, false), lookOf(own, true)];
    expect([light.color, dark.color]).toEqual(['#000000', '#ECEDF0']);
    const { emphasis, ...others } = own;
    expect(emphasis).toBe('own');
    expect(light.width).toBeGreaterThan(lookOf({ ...others, position: 'total' }, false).width);
  });

  it('RDA-09 a key moves from note to note, among the visible ones', () => {
    const marks = [
      { index: 7, text: 'b' },
      { index: 2, text: 'a' },
      { index: 12, text: 'c' },
    ];
    const span = { first: 0, last: 9 };
    expect(nextMark(marks, null, span)).toEqual({ series: 0, index: 2 });
    expect(nextMark(marks, { series: 1, index: 2 }, span)).toEqual({ series: 1, index: 7 });
    expect(nextMark(marks, { series: 1, index: 7 }, span)).toEqual({ series: 1, index: 2 });
    expect(nextMark([], null, span)).toBeUndefined();
  });
});
