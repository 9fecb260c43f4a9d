import { expect, test } from 'vitest';
import { doubledText, lookupText, readLookup } from './lookup-text.ts';

const target = (id: string, name = id, info = '') => ({ id, name, info });

test('SWM-01 target values are read back unchanged, with commas, semicolons and quotes in their names', () => {
  const lookup = [
    target('Rot, matt'),
    target('k1', 'Blau; dunkel', 'Farben'),
    target('"Gold"'),
    target('k2', '3,5" Zoll'),
    target('Zeile\nzwei'),
  ];
  expect(readLookup(lookupText(lookup), lookup)).toEqual(lookup);
});

test('SWM-01 a line is an id and a name, or a name alone, separated by semicolon or tab', () => {
  expect(readLookup('Hosen, kurz\nk1; Blau \n;ohne Kennung\n\nk2;', [])).toEqual([
    target('Hosen, kurz'),
    target('k1', 'Blau'),
    target('k2'),
  ]);
  expect(readLookup('k1\tBlau; hell\nk2\tRot', [])).toEqual([target('k1', 'Blau; hell'), target('k2', 'Rot')]);
});

test('SWM-01 ids that occur more than once in the list are named, at most five of them', () => {
  const doubled = (ids: readonly string[]) => doubledText(ids.map((id) => target(id)));
  expect(doubled(['1', '2'])).toBeUndefined();
  expect(doubled(['1', '2', '1', '1'])).toBe('Doppelt in der Liste: „1“.');
  expect(doubled(['b', 'a', 'a', 'b'])).toBe('Doppelt in der Liste: „a“, „b“.');
  const many = Array.from({ length: 7 }, (_, index) => `k${index}`);
  expect(doubled([...many, ...many])).toBe('Doppelt in der Liste: „k0“, „k1“, „k2“, „k3“, „k4“ und 2 weitere.');
});
