import { describe, expect, test } from 'vitest';
import { checkRegex, groupCount, replacementRewrite } from './regex.ts';

describe('RUL-07 T8 patterns that RE2 cannot run are refused in German', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['a(?=b)', /Look-around/],
    ['(?!x)', /Look-around/],
    ['(?<=a)b', /Look-around/],
    ['(?<!a)b', /Look-around/],
    ['(a)\\1', /Rückverweise/],
    ['(?<name>a)', /\(\?P<name>…\)/],
    ['(', /schließende Klammer \)/],
    ['a)', /öffnende Klammer/],
    ['[a', /schließende Klammer \]/],
    ['*a', /fehlt das Zeichen/],
    ['a**', /hintereinander/],
    ['a{1001}', /1000/],
    ['[z-a]', /Bereich/],
    ['a\\', /Am Ende/],
    ['\\y', /Unbekanntes Zeichen/],
    ['(?>a)', /wird nicht unterstützt/],
    ['\\p{Garay}', /Zeichenklasse „Garay“/],
    ['[\\\\\\p{Garay}]', /Zeichenklasse „Garay“/],
    ['(?P<n>a)(?P<n>b)', /denselben Namen/],
    ['\\pL{1000}', /zu groß/],
    ['(.{1000}){2}', /1000/],
    ['.{1000}', /zu groß: Wiederholungen/],
    ['(.*a){500}', /zu groß/],
    ['(a?){60}', /leeren Text .* zu groß/],
    ['a'.repeat(513), /länger als 512/],
  ];
  test.each(refused)('%s', (pattern, reason) => {
    expect(checkRegex(pattern)).toMatch(reason);
  });

  test.each([
    'a',
    '',
    '(?i)größe',
    '(?P<n>a)',
    '\\(?<b>',
    '(\\(?<b>)',
    // A path, not a character class.
    'C:\\\\pfad\\\\Preise',
    '\\QC:\\program\\E',
    '\\\\p.{600}',
    '[(?<a]',
    '\\Q(?<x>\\E',
    '[^\\d]{2,5}',
    '\\p{Lu}\\p{Latin}',
    '.{700}',
    '^(a?){60}',
    '(a?){20}',
    'a'.repeat(512),
  ])('%s is usable', (pattern) => expect(checkRegex(pattern)).toBeUndefined());
});

test('RUL-05 replacements refer to the groups of their pattern; all other characters are literal', () => {
  expect(groupCount('(a)(?:b)(c)')).toBe(2);
  expect(replacementRewrite('\\2-\\1-\\0-\\3', 2)).toBe('\\2-\\1-\\0-');
  expect(replacementRewrite('$1 \\n \\\\ \\', 2)).toBe('$1 \\\\n \\\\ \\\\');
});
