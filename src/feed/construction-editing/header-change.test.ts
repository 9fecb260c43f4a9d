import { describe, expect, it } from 'vitest';
import { headerChange } from './header-change.ts';

const cases: [string, string[] | undefined, string[], string | undefined][] = [
  ['no previous header', undefined, ['a'], undefined],
  ['the same columns', ['a', 'b'], ['a', 'b'], undefined],
  ['a new column', ['a'], ['a', 'b'], 'neu: „b“'],
  ['a removed column', ['a', 'b'], ['b'], 'weggefallen: „a“'],
  ['a renamed column', ['a', 'b', 'c'], ['a', 'x', 'c'], 'umbenannt: „b“ in „x“'],
  ['moved columns', ['a', 'b'], ['b', 'a'], 'an anderer Stelle: „b“, „a“'],
  ['one more column of the same name', ['bild', 'bild'], ['bild', 'bild', 'bild'], 'neu: „bild“'],
  [
    'several changes',
    ['a', 'b', 'c'],
    ['c', 'a', 'd', 'e'],
    'weggefallen: „b“; neu: „d“, „e“; an anderer Stelle: „c“, „a“',
  ],
];

describe('the comparison with the header of the last file', () => {
  it.each(cases)('%s', (_name, before, after, expected) => {
    const sentence = headerChange(before, after);
    expect(sentence).toBe(expected && `Der Spaltenkopf ist anders als in der letzten Datei (${expected}).`);
  });
});
