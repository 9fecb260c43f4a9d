import { expect, it } from 'vitest';
import { processorMs } from '../../../test/stages/processor-time.ts';
import { quoted } from './sentences.ts';

it.each([
  ['Schuh', '„Schuh“'],
  [' a \r\n\n b ', '„ a ⏎ b “'],
  ['\n', '„ ⏎ “'],
  ['a\n \n\tb\nc', '„a ⏎ b ⏎ c“'],
  ['x'.repeat(61), `„${'x'.repeat(59)}…“`],
])('%j is quoted as %j', (text, words) => {
  expect(quoted(text)).toBe(words);
});

it('T22 a megabyte of blanks is quoted in less than 2 s', async () => {
  expect(await processorMs(() => quoted(`a${' '.repeat(1_000_000)}b`))).toBeLessThan(2000);
});
