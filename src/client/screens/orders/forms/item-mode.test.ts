import { expect, it } from 'vitest';
import { piecesText } from './item-mode.ts';

it('shows next to an item how many pieces the form can apply to', () => {
  const line = { ordered: 4, open: 1, returnable: 2 };
  expect(piecesText('sent', line)).toBe('4\u00a0Stück bestellt, 1 offen');
  expect(piecesText('cancel', line)).toBe('4\u00a0Stück bestellt, 1 offen');
  // Open pieces were not sent and cannot come back.
  expect(piecesText('return', line)).toBe('4\u00a0Stück bestellt, 2 beim Käufer');
});
