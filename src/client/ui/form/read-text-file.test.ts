import { expect, it } from 'vitest';
import { readTextFile } from './read-text-file.ts';

const bytes = (text: string, encoding: BufferEncoding, mark: number[] = []) =>
  readTextFile(new Blob([new Uint8Array([...mark, ...Buffer.from(text, encoding)])]));

it('OIM-02 a table is decoded in every encoding that Excel and Windows save: „Stück“ stays „Stück“', async () => {
  const table = 'Bestellnummer;Sendungsnummer;Stück';
  expect(await bytes(table, 'utf8')).toBe(table);
  expect(await bytes(table, 'utf8', [0xef, 0xbb, 0xbf])).toBe(table);
  // Excel's file types „CSV (Trennzeichen-getrennt)“ and „Unicode-Text“.
  expect(await bytes(table, 'latin1')).toBe(table);
  expect(await bytes(table, 'utf16le', [0xff, 0xfe])).toBe(table);
});
