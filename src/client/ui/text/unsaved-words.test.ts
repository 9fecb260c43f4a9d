import { expect, it } from 'vitest';
import { unsavedWords } from './unsaved-words.ts';

it('GEN-01 unsaved changes are counted in German', () => {
  expect(unsavedWords(1)).toBe('Ungespeicherte Änderungen (1)');
  expect(unsavedWords(1200)).toBe('Ungespeicherte Änderungen (1.200)');
  expect(unsavedWords(undefined)).toBe('Ungespeicherte Änderungen');
});
