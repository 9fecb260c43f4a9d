import { expect, it } from 'vitest';
import { isLoadedAtOnce } from './loaded-at-once.ts';

const columns = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `f${at}`, name: `Feld ${at}` }));

it('ITE-01 ITE-07 loads up to 100,000 items at once, but not more, not too many cells, and no empty catalogue', () => {
  const loaded = (items: number, width: number) => isLoadedAtOnce({ items, columns: columns(width) });
  expect([loaded(1, 400), loaded(100_000, 61), loaded(16_000, 400)]).toEqual([true, true, true]);
  expect([loaded(100_001, 2), loaded(16_001, 400), loaded(0, 60)]).toEqual([false, false, false]);
});
