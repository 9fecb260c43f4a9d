import { describe, expect, it } from 'vitest';
import type { Facet } from '#shared/items/facets.ts';
import { FacetCache } from './facet-cache.ts';
import { stepsOf } from './histogram.ts';
import { summarizeLengths } from './lengths.ts';

const facet: Facet = {
  items: 1,
  filled: 1,
  distinct: 1,
  values: [],
  lengths: null,
  duplicates: 0,
  unusuallyLong: null,
  histogram: null,
};

describe('the cache of facets', () => {
  it('a facet is computed once, and again after newer ones evicted it', async () => {
    const cache = new FacetCache(2 * (JSON.stringify(facet).length + 1));
    const computed: string[] = [];
    const ask = (key: string) =>
      cache.ask(key, async () => {
        computed.push(key);
        return facet;
      });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await ask(key)).toBe(facet);
    expect(computed).toEqual(['a', 'b', 'c', 'b']);
  });

  it('a facet whose computation failed is computed again at the next request', async () => {
    const cache = new FacetCache();
    await expect(cache.ask('a', () => Promise.reject(new Error('weg')))).rejects.toThrow('weg');
    expect(await cache.ask('a', async () => facet)).toBe(facet);
  });
});

describe('lengths', () => {
  it('lengths above both the 99th percentile and twice the median count as unusually long', () => {
    const usual = { length: 10, items: 990 };
    expect(summarizeLengths([usual, { length: 20, items: 10 }]).unusuallyLong).toBeNull();
    expect(summarizeLengths([usual, { length: 21, items: 10 }]).unusuallyLong).toEqual({ over: 20, items: 10 });
    const many = [
      { length: 10, items: 900 },
      { length: 50, items: 95 },
      { length: 80, items: 5 },
    ];
    expect(summarizeLengths(many).unusuallyLong).toEqual({ over: 50, items: 5 });
  });

  it('no values have no lengths', () => expect(summarizeLengths([])).toEqual({ lengths: null, unusuallyLong: null }));
});

describe('histogram steps', () => {
  it.each([
    [0, 100, { start: 0, step: 10, bars: 11 }],
    [3, 97, { start: 0, step: 10, bars: 10 }],
    [-2.5, 9.9, { start: -4, step: 2, bars: 7 }],
    [1999, 2026, { start: 1995, step: 5, bars: 7 }],
    [5, 5, { start: 5, step: 1, bars: 1 }],
  ])('from %s to %s are round numbers', (low, high, steps) => expect(stepsOf(low, high)).toEqual(steps));
});
