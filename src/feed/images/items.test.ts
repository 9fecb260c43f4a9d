import { expect, it } from 'vitest';
import { MOST_IMAGE_COLUMNS } from '#shared/diagnosis/schema.ts';
import { imageKinds } from './judge.ts';

it('what is found in all picture columns of an item has room in one exact number', () => {
  expect(2 ** (MOST_IMAGE_COLUMNS * imageKinds.length) - 1).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
});
