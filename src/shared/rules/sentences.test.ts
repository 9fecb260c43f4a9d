import { expect, it } from 'vitest';
import { processorMs } from '../../../test/stages/processor-time.ts';
import { Action } from './schema.ts';
import { actionSentence, quoted } from './sentences.ts';

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

it.each([
  [[{ type: '_number', value: '2' }], 'berechne preis = preis × 2'],
  [[{ type: '_field', value: 'vk' }], 'berechne preis = vk × '],
  [
    [
      { type: '_field', value: '' },
      { type: '_number', value: '1.19' },
    ],
    'berechne preis = preis × 1.19',
  ],
])('RUL-05 a calculation with %j reads as it is carried out', (value, sentence) => {
  const action = Action.parse({ field: 'preis', select: 'calculate', actionOperator: 'multiply', value });
  expect(actionSentence(action)).toBe(sentence);
});
