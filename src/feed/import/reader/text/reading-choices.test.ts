import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { importDelimiters, importEncodings } from '#shared/import/reading-choices.ts';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const written: Readonly<Record<string, string>> = {
  'windows-1250': 'Żółty koń',
  'windows-1251': 'Молоток',
  'koi8-r': 'Молоток',
  'windows-1253': 'Σφυρί',
  'windows-1254': 'Çekiç ışık',
  gb18030: '锤子大号',
  shift_jis: 'ハンマー',
  'euc-kr': '망치',
};

test.each(importEncodings.map(({ value }) => value))(
  'a file is read in the character set that was chosen: %s',
  async (encoding) => {
    const name = written[encoding] ?? 'Größe';
    const { rows } = await importContent(iconv.encode(`sku;name\n1;${name}\n`, encoding), { options: { encoding } });
    expect(rows).toEqual([['1', name]]);
  },
);

test.each(importDelimiters.map(({ value }) => value))(
  'a table is parted where it was chosen: %j',
  async (delimiter) => {
    const rows = [
      ['1', 'a,b;c'],
      ['2', 'd'],
    ].filter(([, name]) => name !== undefined && !name.includes(delimiter));
    const text = [['sku', 'name'], ...rows].map((cells) => `${cells.join(delimiter)}\n`).join('');
    expect((await importContent(text, { options: { delimiter } })).rows).toEqual(rows);
  },
);
