import { expect, test } from 'vitest';
import { fetchedWords } from './fetched-words.ts';

/** Makes the non-breaking spaces after numbers plain. */
const words = (facts: Parameters<typeof fetchedWords>[0]) => fetchedWords(facts).replaceAll('\u00a0', ' ');
const plain = { found: 3, appended: 3, tooLong: 0, withoutTarget: 0 };

test('MAP-03, CAT-08: the message after fetching values says how many were left out, and why', () => {
  expect(words(plain)).toBe('3 Zeilen angehängt.');
  expect(words({ ...plain, tooLong: 1 })).toMatch(
    /^3 Zeilen angehängt\. 1 Wert wurde ausgelassen: länger als 10\.000 /,
  );
  expect(words({ ...plain, tooLong: 2, withoutTarget: 2 })).toContain('2 Zeilen haben kein Zielfeld');
  expect(words({ ...plain, appended: 1 })).toBe('1 Zeile angehängt. Mehr als 100.000 Zeilen hat keine Tabelle.');
  expect(words({ ...plain, found: 0 })).toContain('stehen schon');
});
