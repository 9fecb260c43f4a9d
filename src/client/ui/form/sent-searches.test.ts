import { describe, expect, it } from 'vitest';
import { arrivedSearch } from './sent-searches.ts';

describe('the search texts that a field has submitted', () => {
  it('are recognised when they arrive in the address, also while a later text is pending', () => {
    expect(arrivedSearch(['scha'], 'scha')).toEqual([]);
    expect(arrivedSearch(['scha', 'schal'], 'scha')).toEqual(['schal']);
  });

  it('are recognised without the spaces that an address drops', () => {
    expect(arrivedSearch(['roter '], 'roter')).toEqual([]);
  });

  it('drop an older text that was overtaken and never reaches the address', () => {
    expect(arrivedSearch(['scha', 'schal'], 'schal')).toEqual([]);
  });

  it('are distinguished from a search set by a saved view or by going back', () => {
    expect(arrivedSearch([], 'Mütze')).toBeUndefined();
    expect(arrivedSearch(['scha'], '')).toBeUndefined();
  });
});
