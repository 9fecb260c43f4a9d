import { expect, it } from 'vitest';
import { readCount } from './read-count.ts';

it.each([
  ['12', 12],
  [' 12 ', 12],
  ['1.000', 1000],
  ['1 000', 1000],
  ['9.999.999', 9_999_999],
  ['0', 0],
  ['', undefined],
  ['12,5', undefined],
  ['1.0', undefined],
  ['-1', undefined],
  ['12345678', undefined],
])('GEN-01 the count „%s“ is read as %s', (text, count) => {
  expect(readCount(text)).toBe(count);
});
