import { expect, it } from 'vitest';
import { isSure } from './choices.ts';

it('a suggestion is taken from the very percentage on at which it is shown', () => {
  const missed = Array.from({ length: 80 }, (_, index) => index + 20).filter(
    (percent) =>
      !isSure({ confidence: percent / 100 }, percent) || isSure({ confidence: (percent - 1) / 100 }, percent),
  );
  expect(missed).toEqual([]);
});
