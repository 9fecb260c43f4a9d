import { describe, expect, it } from 'vitest';
import { judgeDifference } from './judge.ts';

const ignored = { action_on_difference: 'no_action', neg_difference: 0, pos_difference: 0 } as const;
const judged = (before: number, after: number) =>
  judgeDifference(ignored, { before, after, difference: null, drifts: [] }).action;

describe('a new state, whatever is set', () => {
  it('F17 is held back where it is empty', () => {
    expect([judged(1, 0), judged(5000, 0)]).toEqual(['block', 'block']);
  });

  it('F17 is held back where four fifths of a hundred items or more are gone', () => {
    expect([judged(100, 20), judged(100, 21), judged(99, 1), judged(1000, 200), judged(1000, 201)]).toEqual([
      'block',
      'accept',
      'accept',
      'block',
      'accept',
    ]);
  });

  it('F17 is taken where there was none before', () => {
    expect(judged(0, 0)).toBe('accept');
  });
});
