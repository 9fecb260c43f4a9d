import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutputFormat } from '#shared/exports/schema.ts';
import { encodeFile } from './encode.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-encode-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function encoded(text: string, format: object) {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, text);
  const parsed = OutputFormat.parse(format);
  const counts = await encodeFile(from, to, parsed);
  return { ...counts, text: new TextDecoder(parsed.encoding).decode(readFileSync(to)) };
}

/** As written by a Mac: a letter followed by a combining mark. */
const apart = 'Müller & Söhne, Café'.normalize('NFD');

describe('files in single-byte encodings', () => {
  it.each(['windows-1252', 'iso-8859-1', 'iso-8859-15'])(
    '%s receives letters composed from separate combining marks',
    async (encoding) => {
      expect(await encoded(apart, { kind: 'csv', encoding })).toEqual({
        replaced: 0,
        simplified: 0,
        text: 'Müller & Söhne, Café',
      });
    },
  );

  it('a combining mark at the start of a chunk is composed with the letter before it', async () => {
    // A chunk is a megabyte of UTF-8.
    const long = `${'x'.repeat(1024 * 1024 - 1)}u\u0308ber ${'y'.repeat(1024 * 1024)}e\u0301`;
    const { replaced, text } = await encoded(long, { kind: 'csv', encoding: 'windows-1252' });
    expect(replaced).toBe(0);
    expect(text === long.normalize('NFC')).toBe(true);
  });

  it('a character missing in the encoding becomes a question mark, or a character reference in XML', async () => {
    expect(await encoded('o\u030b 😀', { kind: 'csv', encoding: 'windows-1252' })).toEqual({
      replaced: 2,
      simplified: 0,
      text: 'o? ?',
    });
    expect(await encoded('u\u0308', { kind: 'xml', encoding: 'windows-1252' })).toEqual({
      replaced: 0,
      simplified: 0,
      text: 'u&#776;',
    });
    expect(await encoded(apart, { kind: 'csv', encoding: 'utf-16le' })).toEqual({
      replaced: 0,
      simplified: 0,
      text: apart,
    });
  });

  it.each([
    ['iso-8859-1', '"', "3 - 4 mm, 'gut', 9 EUR ... A'B", 7],
    ['iso-8859-15', "'", '3 - 4 mm, "gut", 9 € ... A"B', 6],
    ['windows-1252', '"', '3 – 4 mm, „gut“, 9 € … A’B', 1],
  ] as const)(
    '%s with the quote %s receives typographic characters in a plain form',
    async (encoding, quote, text, simplified) => {
      const typographic = '3\u2009– 4 mm, „gut“, 9 € … A’B';
      expect(await encoded(typographic, { kind: 'csv', encoding, quote })).toEqual({ replaced: 0, simplified, text });
    },
  );

  it('no plain form holds a delimiter, a quote or a line break of the file', async () => {
    const all = Array.from({ length: 0x3000 - 0x80 }, (_, at) => String.fromCodePoint(at + 0x80)).join('');
    for (const quote of ['"', "'"]) {
      const { text, simplified } = await encoded(all, { kind: 'csv', encoding: 'iso-8859-1', quote });
      expect(simplified).toBeGreaterThan(20);
      for (const special of [quote, ',', ';', '\t', '|', '\n', '\r']) expect(text).not.toContain(special);
    }
  });
});
