import { expect, it } from 'vitest';
import { imageWords } from './image-words.ts';

const state = { addresses: 3, open: 0, unchecked: [], running: null };

it('names the picture columns that are not checked, next to the result of the others', () => {
  expect(imageWords(state)).toBe('3 von 3\u00a0Bildern geprüft.');
  const words = imageWords({ ...state, unchecked: ['Bild 12', 'Detailbild'] });
  expect(words).toContain(
    '3 von 3\u00a0Bildern geprüft. Die Bilder in „Bild 12“ und „Detailbild“ werden nicht geprüft',
  );
  expect(words).toContain('die ersten 13 Bildspalten');
  expect(imageWords({ ...state, open: 1, unchecked: ['Bild 12'] })).toContain('„Bild 12“ werden nicht geprüft');
});
