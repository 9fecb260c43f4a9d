import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

it.each(['utf-16be', 'utf-16le'])(
  'in %s a surrogate pair is kept although a chunk of the file ends between its halves',
  async (encoding) => {
    const head = 'sku;titel\r\n1;';
    // A chunk has 1 MiB and begins after the byte order mark: the first half of the character is the chunk's last unit.
    const lines = `${'x'.repeat(98)}\r\n`;
    const before = head + lines.repeat(5000).replaceAll('\r\nx', '\r\n2;x');
    const text = `${before}${'y'.repeat(512 * 1024 - 1 - before.length)}`;
    expect(text).toHaveLength(512 * 1024 - 1);
    const { rows } = await importContent(iconv.encode(`${text}😀 Ende\r\n`, encoding, { addBOM: true }), {
      options: { key: null },
    });
    expect(rows.at(-1)?.[0]?.slice(-8)).toBe('y😀 Ende');
  },
);
