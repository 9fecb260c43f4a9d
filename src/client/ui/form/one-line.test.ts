import { expect, test } from 'vitest';
import { asOneLine, fromOneLine, oneLine, oneLineHint } from './one-line.ts';

test('shows line breaks of any kind as a mark and reads them back', () => {
  for (const text of ['rot\nblau', 'rot\r\nblau\r\n', 'rot\rblau', '\n', 'rot blau', '']) {
    expect(asOneLine(text)).not.toMatch(/[\r\n]/);
    expect(fromOneLine(asOneLine(text), text)).toBe(text);
  }
  expect(asOneLine('rot\r\nblau\n')).toBe('rot⏎blau⏎');
});

test('says what a mark means where there is one', () => {
  expect(oneLineHint('rot\nblau')).toBe('⏎ steht für einen Zeilenumbruch');
  expect(oneLineHint('rot')).toBeUndefined();
});

test('keeps the line breaks of a text that is edited', () => {
  const texts: string[] = [];
  const props = oneLine('rot\r\nblau', (text) => texts.push(text));
  props.onChange({ currentTarget: { value: `${props.value}!` } });
  expect(texts).toEqual(['rot\r\nblau!']);
});

test.each([
  ['a\r\nb\nc', 'a⏎b⏎cd', 'a\r\nb\ncd'],
  ['a\r\nb\nc', 'xa⏎b⏎c', 'xa\r\nb\nc'],
  ['a\r\nb\nc', 'ab⏎c', 'ab\nc'],
  ['a\r\nb\nc', 'a⏎bc', 'a\r\nbc'],
  ['a\r\nb\nc', '', ''],
  ['Taste ⏎ drücken', 'Taste ⏎ drücken!', 'Taste ⏎ drücken!'],
  ['a\nb ⏎', 'a⏎b ⏎ c', 'a\nb ⏎ c'],
  ['a\r\nb', 'a⏎b⏎c', 'a\r\nb\r\nc'],
  ['', 'a⏎b', 'a\nb'],
  ['\n\n', '⏎', '\n'],
])('what was not edited of %j stays as it was in %j', (before, shown, after) => {
  expect(fromOneLine(shown, before)).toBe(after);
});
