import { expect, it } from 'vitest';
import { MOST_IMAGE_COLUMNS } from '#shared/diagnosis/schema.ts';
import { imageKinds } from './judge.ts';

it('the problem flags of all picture columns of an item fit into a safe integer', () => {
  expect(2 ** (MOST_IMAGE_COLUMNS * imageKinds.length) - 1).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
});
