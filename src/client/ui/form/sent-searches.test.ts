import { describe, expect, it } from 'vitest';
import { arrivedSearch } from './sent-searches.ts';

describe('what a search field sent', () => {
  it('is known again when the address says it, also while a later text is under way', () => {
    expect(arrivedSearch(['scha'], 'scha')).toEqual([]);
    expect(arrivedSearch(['scha', 'schal'], 'scha')).toEqual(['schal']);
  });

  it('is known without the spaces that an address does not keep', () => {
    expect(arrivedSearch(['roter '], 'roter')).toEqual([]);
  });

  it('counts an older text as overtaken, which never reaches the address', () => {
    expect(arrivedSearch(['scha', 'schal'], 'schal')).toEqual([]);
  });

  it('is told from what a saved view or the way back put there', () => {
    expect(arrivedSearch([], 'Mütze')).toBeUndefined();
    expect(arrivedSearch(['scha'], '')).toBeUndefined();
  });
});
