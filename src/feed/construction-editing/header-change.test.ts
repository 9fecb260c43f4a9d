import { describe, expect, it } from 'vitest';
import { headerChange } from './header-change.ts';

const cases: [string, string[] | undefined, string[], string | undefined][] = [
  ['none known', undefined, ['a'], undefined],
  ['the same', ['a', 'b'], ['a', 'b'], undefined],
  ['a new one', ['a'], ['a', 'b'], 'neu: „b“'],
  ['one gone', ['a', 'b'], ['b'], 'weggefallen: „a“'],
  ['renamed', ['a', 'b', 'c'], ['a', 'x', 'c'], 'umbenannt: „b“ in „x“'],
  ['moved', ['a', 'b'], ['b', 'a'], 'an anderer Stelle: „b“, „a“'],
  ['a repeated one more', ['bild', 'bild'], ['bild', 'bild', 'bild'], 'neu: „bild“'],
  ['several', ['a', 'b', 'c'], ['c', 'a', 'd', 'e'], 'weggefallen: „b“; neu: „d“, „e“; an anderer Stelle: „c“, „a“'],
];

describe('the comparison with the header of the last file', () => {
  it.each(cases)('%s', (_name, before, after, expected) => {
    const sentence = headerChange(before, after);
    expect(sentence).toBe(expected && `Der Spaltenkopf ist anders als in der letzten Datei (${expected}).`);
  });
});
