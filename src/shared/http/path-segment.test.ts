import { expect, it } from 'vitest';
import { fromSegment, toSegment } from './path-segment.ts';

it('every value survives an address as one segment of its path', () => {
  for (const value of ['.', '..', '~.', '~..', '~~.', '...', '~', '~a.', 'A-1', 'a/b', '.x', ' .']) {
    const { pathname } = new URL(`http://host/artikel/${encodeURIComponent(toSegment(value))}/preis`);
    const [, , segment = ''] = pathname.split('/');
    expect(pathname).toMatch(/\/preis$/);
    expect(fromSegment(decodeURIComponent(segment)), value).toBe(value);
  }
});

it('only values that an address would lose are written otherwise', () => {
  expect(['A-1', '...', '~', '.x', ''].map(toSegment)).toEqual(['A-1', '...', '~', '.x', '']);
});
