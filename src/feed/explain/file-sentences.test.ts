import { expect, test } from 'vitest';
import { liveFileSentence } from './file-sentences.ts';

const state = { present: false, differences: [], createdAt: new Date(0), inExport: true, because: [] };

test('for an item left out because of an error, the text promises no inclusion by the next run until something changes', () => {
  expect(liveFileSentence({ ...state, omitsInvalid: true })).toMatch(
    /steht er nicht: Der Lauf hat ihn wegen eines Fehlers/,
  );
  expect(liveFileSentence({ ...state, omitsInvalid: false })).toMatch(/Der nächste Lauf nimmt ihn auf\.$/);
  const changed = { ...state, because: ['kam ein Import'], omitsInvalid: true };
  expect(liveFileSentence(changed)).toMatch(/Seitdem kam ein Import\. Der nächste Lauf nimmt ihn auf\.$/);
});
