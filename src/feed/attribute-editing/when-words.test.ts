import { expect, it } from 'vitest';
import { whenWords } from './when-words.ts';

const clothes = [{ field: 'art', values: ['Kleidung'] }] as never[];

it('ATT-02 a condition of a channel says whether the field is required or only meant for such items', () => {
  expect(whenWords({ requirement: 'Recommended', when: clothes, whenText: 'bei Kleidung' })).toBe(
    'Pflicht: bei Kleidung',
  );
  expect(whenWords({ requirement: 'Required', when: [], whenText: 'bei Reifen' })).toBe('Pflicht: bei Reifen');
  expect(whenWords({ requirement: 'Optional', when: [], whenText: 'bei Varianten' })).toBe('Gilt: bei Varianten');
  expect(whenWords({ requirement: 'Required', when: [], whenText: '' })).toBe('');
  expect(whenWords(undefined)).toBe('');
});
