import { expect, test } from 'vitest';
import { lookupText, readLookup } from './lookup-text.ts';

const target = (id: string, name = id, info = '') => ({ id, name, info });

test('SWM-01 target values read back as they were, with commas, semicolons and quotes in their names', () => {
  const lookup = [
    target('Rot, matt'),
    target('k1', 'Blau; dunkel', 'Farben'),
    target('"Gold"'),
    target('k2', '3,5" Zoll'),
    target('Zeile\nzwei'),
  ];
  expect(readLookup(lookupText(lookup), lookup)).toEqual(lookup);
});

test('SWM-01 a line is an id and a name, or a name alone; spreadsheets part them by tabs', () => {
  expect(readLookup('Hosen, kurz\nk1; Blau \n;ohne Kennung\n\nk2;', [])).toEqual([
    target('Hosen, kurz'),
    target('k1', 'Blau'),
    target('k2'),
  ]);
  expect(readLookup('k1\tBlau; hell\nk2\tRot', [])).toEqual([target('k1', 'Blau; hell'), target('k2', 'Rot')]);
});
