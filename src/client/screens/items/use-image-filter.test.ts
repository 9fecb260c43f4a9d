import { expect, it } from 'vitest';
import { imageFilterWords } from './use-image-filter.ts';

it('the heading says how many items of the page have a picture, in the singular for one', () => {
  const words = (dropped: number) => imageFilterWords({ dropped }, 1000, 1200);
  expect(words(0)).toBeUndefined();
  expect(words(999)).toBe('1 der 1.000 auf dieser Seite hat ein gültiges Bild');
  expect(words(998)).toBe('2 der 1.000 auf dieser Seite haben ein gültiges Bild');
});
