import { expect, it } from 'vitest';
import { unsavedWords } from './unsaved-words.ts';

it('GEN-01 the number of unsaved changes is written in German notation', () => {
  expect(unsavedWords(1)).toBe('Ungespeicherte Änderungen (1)');
  expect(unsavedWords(1200)).toBe('Ungespeicherte Änderungen (1.200)');
  expect(unsavedWords(undefined)).toBe('Ungespeicherte Änderungen');
});
