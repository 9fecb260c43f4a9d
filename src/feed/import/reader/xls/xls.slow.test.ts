import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompoundFile } from './compound-file.ts';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

/** The same workbook, saved by LibreOffice in three formats; one of its texts is longer than a record of .xls. */
const file = (kind: string) =>
  readFileSync(new URL(`../../../../../test/data/workbooks/artikel.${kind}`, import.meta.url));
const read = (content: Buffer, options: FixtureOptions = {}) =>
  importContent(content, { name: 'artikel.xls', options: { key: null }, ...options });
const long = 'Größe und Länge 😀 '.repeat(600).trimEnd();

describe('the same workbook in three formats', () => {
  test.each(['xls', 'ods', 'xlsx'])('yields the same items, warnings and sheets (.%s)', async (kind) => {
    const found = await read(file(kind));
    expect(found.rows.map((row) => row.map((cell) => cell.trimEnd()))).toEqual([
      ['00011', 'Kanne „rot“', '1299.9', '2026-01-31', '2026-01-31T08:30:00', 'true', '0.25', '#N/A'],
      ['A-2', long, '-0.01', '1999-12-31', 'eins', 'false', 'AB', '#DIV/0!'],
      ['A-3', 'Zeile 1', '4006381333931', '3', '0.3', '', '', ''],
      ['', '中文 Ελληνικά', '0.0000001', '', '', '', '', ''],
    ]);
    if (!found.result.ok) throw new Error(found.result.message);
    expect(found.result.warnings.map(({ code }) => code).toSorted()).toEqual([
      'excel_errors',
      'hidden_rows',
      'merged_cells',
      'sheet_without_items',
      'sheets_left',
    ]);
    expect(found.result.format).toMatchObject({
      format: 'xlsx',
      sheet: 'Artikel',
      sheets: ['Deckblatt', 'Artikel', 'Viele', 'Versteckt'],
    });
    const many = await read(file(kind), { options: { sheet: 'Viele' } });
    expect([many.rows.length, many.rows.at(-1)]).toEqual([60, ['n59', 'Text Nummer 59 ä ä ä', '0.59']]);
    expect((await read(file(kind), { options: { sheet: 'Versteckt', key: null } })).rows).toHaveLength(2);
  });
});

describe('old Excel files', () => {
  const whole = file('xls');

  test('T6 are refused with a clear text if cut off, encrypted or not a workbook', async () => {
    expect((await read(whole.subarray(0, 20_000))).result).toMatchObject({ ok: false, code: 'xls_broken' });
    const locked = Buffer.from(whole);
    // Replaces a record about the workbook's window (0x3D) by that of a password (0x2F).
    const at = locked.indexOf(Buffer.from([0x3d, 0x00, 0x12, 0x00]));
    locked.writeUInt16LE(0x2f, at);
    expect((await read(locked)).result).toMatchObject({ ok: false, code: 'password' });
    const renamed = Buffer.from(whole);
    const name = renamed.indexOf(Buffer.from('Workbook', 'utf16le'));
    renamed.write('Word', name, 'utf16le');
    expect((await read(renamed)).result).toMatchObject({ ok: false, code: 'foreign_format' });
  });

  test('T6 an encrypted workbook is refused with a sentence about its password, whatever it is called', async () => {
    // Excel encrypts an .xlsx by putting it into a compound file, as a stream of this name.
    const name = 'EncryptedPackage';
    const locked = Buffer.from(whole);
    const at = locked.indexOf(Buffer.from('Workbook', 'utf16le'));
    locked.write(name, at, 'utf16le');
    locked.writeUInt16LE(name.length * 2 + 2, at + 64);
    for (const called of ['artikel.xlsx', 'artikel.xls', 'artikel'])
      expect((await read(locked, { name: called })).result).toMatchObject({
        ok: false,
        code: 'password',
        message: expect.stringContaining('mit einem Kennwort geschützt'),
      });
  });

  test('are recognised by their stream name in any case, and formulas without a calculated value are empty', async () => {
    const loud = Buffer.from(whole);
    loud.write('WORKBOOK', loud.indexOf(Buffer.from('Workbook', 'utf16le')), 'utf16le');
    expect((await read(loud)).rows).toHaveLength(4);
    // LibreOffice writes the stream contiguously: its records follow one another in the file.
    const stream = new CompoundFile(whole).stream('Workbook') ?? Buffer.alloc(0);
    const begin = whole.indexOf(stream.subarray(0, 600));
    const uncalculated = Buffer.from(whole);
    for (let at = 0; at + 4 < stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
      if (stream.readUInt16LE(at) !== 0x06) continue;
      uncalculated.fill(0, begin + at + 10, begin + at + 18);
      uncalculated.writeUInt16LE(2, begin + at + 18);
    }
    const { rows, result } = await read(uncalculated);
    expect(rows.map((row) => row[6])).toEqual(['', '', '', '']);
    expect(result.ok && result.warnings.map(({ code }) => code)).toContain('formulas_empty');
  });

  test('T6 are read or refused after any damage, and never end the process', async () => {
    const spoilt = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 30,
    });
    const inHead = fc.array(fc.tuple(fc.nat(511), fc.constantFrom(0, 1, 2, 127, 254, 255)), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(spoilt, inHead), async (changes) => {
        const content = Buffer.from(whole);
        for (const [at, byte] of changes) if (at > 7) content[at] = byte;
        const { result } = await read(content);
        if (!result.ok) expect(result.message.length).toBeGreaterThan(40);
      }),
      { numRuns: process.env['CI'] === undefined ? 60 : 30 },
    );
  });
});
