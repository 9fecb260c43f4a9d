import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

function accepted(imported: Awaited<ReturnType<typeof importContent>>) {
  if (!imported.result.ok) throw new Error(imported.result.message);
  return { ...imported, result: imported.result };
}

describe('encodings', () => {
  const text = `sku;name;preis\n1;Müßiggänger Größe XL;9,90\n2;Übergröße für Männer;8 €\n3;Straßenbesen weiß;7\n`;
  const cells = [
    ['1', 'Müßiggänger Größe XL', '9,90'],
    ['2', 'Übergröße für Männer', '8 €'],
    ['3', 'Straßenbesen weiß', '7'],
  ];

  test.each(['utf-8', 'windows-1252', 'iso-8859-15', 'utf-16le', 'utf-16be', 'utf-32le'])(
    'detects %s',
    async (encoding) => {
      expect(accepted(await importContent(iconv.encode(text, encoding))).rows).toEqual(cells);
      if (encoding.startsWith('utf')) {
        expect(accepted(await importContent(iconv.encode(text, encoding, { addBOM: true }))).rows).toEqual(cells);
      }
    },
  );

  test('detects CP850 and MacRoman, and reads any encoding that was chosen', async () => {
    const plain = text.replace('€', 'EUR');
    for (const old of ['cp850', 'macintosh']) {
      expect(accepted(await importContent(iconv.encode(plain, old))).rows[0]).toEqual(cells[0]);
    }
    expect(
      accepted(
        await importContent(iconv.encode('sku;n\n1;Łódź\n', 'windows-1250'), { options: { encoding: 'windows-1250' } }),
      ).rows,
    ).toEqual([['1', 'Łódź']]);
    expect((await importContent(text, { options: { encoding: 'klingon' } })).result).toMatchObject({
      ok: false,
      code: 'unknown_encoding',
    });
  });

  test('a non-breaking space is not taken for á in CP850, but an á inside a word is', async () => {
    const weights = ['5\u00a0kg', '10\u00a0kg', '20\u00a0kg', '\u00a0\u00a0Größe'];
    const file = ['sku;n', ...weights.map((weight, index) => `${index};${weight}`)].join('\n');
    const read = accepted(await importContent(iconv.encode(file, 'windows-1252'))).rows.map(([, n]) => n?.trim());
    expect(read).toEqual(weights.map((weight) => weight.trim()));
    const spanish = 'sku;n\n1;Málaga\n2;Cádiz\n3;Córdoba\n';
    expect(accepted(await importContent(iconv.encode(spanish, 'cp850'))).rows[0]).toEqual(['1', 'Málaga']);
  });

  test('reads a file of two encodings line by line, with a warning', async () => {
    const mixed = Buffer.concat([Buffer.from('sku;name\n1;Größe\n'), iconv.encode('2;Weiß\n3;Maße\n', 'windows-1252')]);
    const { rows, result } = accepted(await importContent(mixed));
    expect(rows.map((row) => row[1])).toEqual(['Größe', 'Weiß', 'Maße']);
    expect(result.warnings.map((warning) => warning.code)).toContain('mixed_encoding');
  });

  test('trusts the content more than the HTTP header, and removes NUL bytes with a warning', async () => {
    const { rows } = accepted(await importContent(text, { contentType: 'text/csv; charset=ISO-8859-1' }));
    expect(rows).toEqual(cells);
    const nul = accepted(await importContent('sku;name\n1;a\u0000b\n'));
    expect(nul.rows).toEqual([['1', 'ab']]);
    expect(nul.result.warnings.map((warning) => warning.code)).toContain('nul_bytes');
  });

  test.each(['\x1a', '\x1a\r\n', '\x1a\x1a\x1a', '\r\n \x1a'])(
    'the DOS end-of-file mark %j is neither an item nor a cut line, in either reader',
    async (mark) => {
      const dos = iconv.encode(`${text.replace('€', 'EUR').replaceAll('\n', '\r\n')}${mark}`, 'cp850');
      const read = accepted(await importContent(dos, { way: 'fast' }));
      expect([read.result.rowsIn, read.result.warnings, read.rows[2]]).toEqual([3, [], cells[2]]);
      const short = accepted(await importContent(`${text}4;kurz\n${mark}`, { way: 'exact' }));
      expect([short.result.rowsIn, short.result.warnings.map(({ code }) => code)]).toEqual([4, ['short_rows']]);
    },
  );

  test('the DOS end-of-file mark directly after the last cell is not part of the cell', async () => {
    for (const way of ['fast', 'exact'] as const)
      expect(accepted(await importContent(`${text.trimEnd()}\x1a`, { way })).rows).toEqual(cells);
  });

  test('refuses binary files, naming their kind if known', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500, 7)]);
    expect((await importContent(png)).result).toMatchObject({ ok: false, message: expect.stringContaining('PNG') });
    expect(
      (await importContent(Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256)))).result.ok,
    ).toBe(false);
  });
});
