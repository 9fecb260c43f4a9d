import { describe, expect, it } from 'vitest';
import { announcementsOf, moveTo } from './row-order.ts';

describe('the order of rows', () => {
  it.each([
    ['up', ['b', 'a', 'c']],
    ['down', ['a', 'c', 'b']],
    ['first', ['b', 'a', 'c']],
    ['last', ['a', 'c', 'b']],
  ] as const)('RUL-08 moves a row %s without dragging', (place, expected) =>
    expect(moveTo(['a', 'b', 'c'], 'b', place)).toEqual(expected),
  );

  it('stays at the ends and ignores what is not there', () => {
    expect(moveTo(['a', 'b'], 'a', 'up')).toEqual(['a', 'b']);
    expect(moveTo(['a', 'b'], 'b', 'down')).toEqual(['a', 'b']);
    expect(moveTo(['a', 'b'], 'x', 'first')).toEqual(['a', 'b']);
  });

  it('speaks positions of the current order in German', () => {
    const { announcements } = announcementsOf(() => ({ ids: ['a', 'b'], name: (id) => `Regel ${id}` }));
    expect(announcements.dragover({ operation: { source: { id: 'b' } } })).toBe('Regel b: Position 2 von 2.');
  });
});
