import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../..', import.meta.url));

/** Pairs of first and last code point that the pages' own fonts contain. */
const ranges = [
  ...readFileSync(`${source}/client/theme/fonts.css`, 'utf8').matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g),
].map(([, first = '', last = first]) => [parseInt(first, 16), parseInt(last, 16)] as const);
const hasGlyph = (sign: string): boolean => {
  const code = sign.codePointAt(0) ?? 0;
  return ranges.some(([first, last]) => code >= first && code <= last);
};

describe('the fonts of the pages', () => {
  it('contain every arrow and mathematical sign used in a text, so that none is drawn as a box', () => {
    const missing = globSync('{client,shared,feed,company}/**/*.{ts,tsx}', { cwd: source })
      .filter((name) => !name.includes('.test.'))
      .flatMap((name) => {
        const lines = readFileSync(`${source}/${name}`, 'utf8').split('\n');
        const shown = lines.filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line)).join('\n');
        return [...shown.matchAll(/[\u2190-\u2BFF]/gu)]
          .filter(([sign]) => !hasGlyph(sign))
          .map(([sign]) => [name, sign]);
      });
    expect(missing).toEqual([]);
  });
});
