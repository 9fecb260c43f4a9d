import { describe, expect, it } from 'vitest';
import { dueMark, marksOf } from './order-words.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const due = (shipBy: string | null, more = {}) =>
  dueMark({ ship_by: shipBy, open_pieces: 1, state: 'open', ...more }, now)?.text.replaceAll('\u00a0', ' ');

describe('words for orders', () => {
  it('say how long there is to ship, and since when it is too late', () => {
    expect(due('2026-11-23T12:00:30Z')).toBe('noch 1 Min.');
    expect(due('2026-11-23T12:59:59Z')).toBe('noch 59 Min.');
    expect(due('2026-11-23T15:10:00Z')).toBe('noch 3 Std.');
    expect(due('2026-11-25T11:00:00Z')).toBe('noch 47 Std.');
    expect(due('2026-11-26T13:00:00Z')).toBe('noch 3 Tage');
    expect(due('2026-11-23T10:00:00Z')).toBe('überfällig seit 2 Std.');
    expect(due('2026-11-23T11:59:59Z')).toBe('überfällig seit 1 Min.');
  });

  it('say nothing of time where nothing is to be shipped', () => {
    expect([due(null), due('2026-11-22T00:00:00Z', { open_pieces: 0 })]).toEqual([undefined, undefined]);
    expect(due('2026-11-22T00:00:00Z', { state: 'pending' })).toBeUndefined();
  });

  it('name first what has to be decided', () => {
    const order = { state: 'open', hold: 'cancel_requested', unclear: 1, open_pieces: 2 } as Parameters<
      typeof marksOf
    >[0];
    expect(marksOf(order).map(({ text }) => text)).toEqual(['Klärung nötig', 'Stornowunsch']);
    // Whoever asked to cancel what has gone cannot be helped by a cancellation any more.
    const gone = { ...order, state: 'shipped' as const, unclear: 0, open_pieces: 0 };
    expect(marksOf(gone).map(({ text }) => text)).toEqual(['versandt']);
  });
});
