import { describe, expect, it } from 'vitest';
import { announcementsOf, inOrderOf, moveOver, moveTo } from './row-order.ts';

describe('the order of rows', () => {
  it.each([
    ['up', ['b', 'a', 'c']],
    ['down', ['a', 'c', 'b']],
    ['first', ['b', 'a', 'c']],
    ['last', ['a', 'c', 'b']],
  ] as const)('RUL-08 moves a row %s without dragging', (place, expected) =>
    expect(moveTo(['a', 'b', 'c'], 'b', place)).toEqual(expected),
  );

  it('puts a dragged row in the place of the row under it, from either direction', () => {
    expect(moveOver(['a', 'b', 'c', 'd'], 'a', 'c')).toEqual(['b', 'c', 'a', 'd']);
    expect(moveOver(['a', 'b', 'c', 'd'], 'd', 'b')).toEqual(['a', 'd', 'b', 'c']);
  });

  it('keeps the order while a row is dragged over itself or over something that is no row', () => {
    expect(moveOver(['a', 'b'], 'a', 'a')).toEqual(['a', 'b']);
    expect(moveOver(['a', 'b'], 'a', 'x')).toEqual(['a', 'b']);
    expect(moveOver(['a', 'b'], 'x', 'a')).toEqual(['a', 'b']);
  });

  it('REP-03 rows that the chosen order lacks stay after their predecessor, and none is lost', () => {
    const sorted = (ids: string) => inOrderOf(['a', 'b', 'c', 'd'], ids.split(''), String).join('');
    expect([sorted('dcba'), sorted('cad'), sorted('db'), sorted('xba')]).toEqual(['dcba', 'cabd', 'adbc', 'bcda']);
  });

  it('a move beyond either end, or of an unknown row, changes nothing', () => {
    expect(moveTo(['a', 'b'], 'a', 'up')).toEqual(['a', 'b']);
    expect(moveTo(['a', 'b'], 'b', 'down')).toEqual(['a', 'b']);
    expect(moveTo(['a', 'b'], 'x', 'first')).toEqual(['a', 'b']);
  });

  it('announces positions of the current order in German', () => {
    const { announcements } = announcementsOf(() => ({ ids: ['a', 'b'], name: (id) => `Regel ${id}` }));
    expect(announcements.dragover({ operation: { source: { id: 'b' } } })).toBe('Regel b: Position 2 von 2.');
  });
});
