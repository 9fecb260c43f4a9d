import { describe, expect, it } from 'vitest';
import { type Series, verdictOf } from './verdict.ts';

const over = (kind: Series['kind'], valueAt: (minute: number) => number): Series => ({
  name: 'Reihe',
  kind,
  points: Array.from({ length: 41 }, (_, minute) => ({ minute, value: valueAt(minute), work: minute * 100 })),
});
const judged = (kind: Series['kind'], valueAt: (minute: number) => number) => verdictOf(over(kind, valueAt)).judgement;

describe('the verdict of the long run', () => {
  it('a process whose memory levels off after warming up is stable; one that keeps growing leaks', () => {
    expect(judged('process', (minute) => 200 + Math.min(minute, 5) * 40)).toBe('steht');
    expect(judged('process', (minute) => 200 + minute * 4)).toBe('WÄCHST');
  });
  it('a dip is no growth', () => {
    expect(judged('process', (minute) => (minute >= 20 && minute < 25 ? 80 : 100))).toBe('steht');
  });
  it('data may grow in proportion to the work, but not at a rising rate', () => {
    expect(judged('data', (minute) => 1000 + minute * 50)).toBe('mit der Last');
    expect(judged('data', (minute) => 1000 + minute ** 2 * 5)).toBe('WÄCHST');
    expect(judged('data', (minute) => Math.min(1000 + minute * 50, 1600))).toBe('steht');
  });
  it('a few late additions by chance are no rise of the rate, many are', () => {
    expect(judged('data', (minute) => Math.floor(minute / 12) + (minute > 32 ? 3 : 0))).toBe('mit der Last');
    expect(judged('data', (minute) => minute * 30 + Math.max(0, minute - 25) * 60)).toBe('WÄCHST');
  });
  it('data from the end of a processing chain may start to grow late, but not very late', () => {
    expect(judged('data', (minute) => Math.max(0, minute - 10) * 50)).toBe('mit der Last');
    expect(judged('data', (minute) => Math.max(0, minute - 25) * 50)).toBe('WÄCHST');
  });
  it('a queue may be long while work goes on, but must be empty after its end', () => {
    const { points, ...series } = over('queue', (minute) => minute * 5);
    expect(verdictOf({ ...series, points }).judgement).toBe('WÄCHST');
    expect(verdictOf({ ...series, points: [...points, { minute: 80, value: 0, work: 4000 }] }).judgement).toBe('steht');
  });
  it('data may grow in proportion to time while the work slows down, but not at a rising rate', () => {
    const slower = (valueAt: (minute: number) => number): Series => {
      const { points, ...series } = over('data', valueAt);
      return {
        ...series,
        points: points.map((point) => ({
          ...point,
          work: Math.min(point.minute, 20) * 100 + Math.max(0, point.minute - 20) * 15,
        })),
      };
    };
    expect(verdictOf(slower((minute) => 1000 + minute * 50)).judgement).toBe('mit der Zeit');
    expect(verdictOf(slower((minute) => 1000 + minute ** 2 * 5)).judgement).toBe('WÄCHST');
  });
  it('growth in the quiet time after the work is ignored', () => {
    const series = over('data', (minute) => 1000 + minute * 50);
    const after = { minute: 60, value: 9000, work: 4000 };
    expect(verdictOf({ ...series, points: [...series.points, after] }).judgement).toBe('mit der Last');
  });
  it('a process that was looked at for a few minutes only is not judged', () => {
    const { points, ...series } = over('process', (minute) => 200 + minute * 50);
    expect(verdictOf({ ...series, points: points.slice(0, 9) }).judgement).toBe('zu kurz');
  });
});
