import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { importDelimiters, importEncodings } from '#shared/import/reading-choices.ts';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const written: Readonly<Record<string, string>> = {
  'windows-1250': 'Żółty koń',
  'iso-8859-2': 'Żółty koń',
  cp852: 'Żółty koń',
  'windows-1251': 'Молоток',
  ibm866: 'Молоток',
  'koi8-r': 'Молоток',
  'windows-1253': 'Σφυρί',
  'windows-1254': 'Çekiç ışık',
  gb18030: '锤子大号',
  big5: '鎚子大號',
  shift_jis: 'ハンマー',
  'euc-kr': '망치',
};

test.each(importEncodings.map(({ value }) => value))('a file is read in the chosen encoding: %s', async (encoding) => {
  const name = written[encoding] ?? 'Größe';
  const { rows } = await importContent(iconv.encode(`sku;name\n1;${name}\n`, encoding), { options: { encoding } });
  expect(rows).toEqual([['1', name]]);
});

test.each(importDelimiters.map(({ value }) => value))(
  'a table is split at the chosen delimiter, and not at the one that detection would choose: %j',
  async (delimiter) => {
    const other = delimiter === ';' ? ',' : ';';
    const rows = Array.from({ length: 5 }, (_, index) => [
      ['A', index, 'x'].join(other),
      ['Topf', 'rot', '9'].join(other),
    ]);
    const names = [['sku', 'nr', 'art'].join(other), ['name', 'farbe', 'preis'].join(other)];
    const text = [names, ...rows].map((cells) => `${cells.join(delimiter)}\n`).join('');
    const read = (options: { delimiter?: string }) => importContent(text, { options: { ...options, key: null } });
    expect((await read({})).result).toMatchObject({ ok: true, format: { delimiter: other } });
    const { rows: found, result } = await read({ delimiter });
    expect(found).toEqual(rows);
    expect(result).toMatchObject({ ok: true, format: { delimiter } });
  },
);

test.each([',', ';', '\t', '|', '||', '¦', '§', '#', '^', '~', ':', ' ', '\u0001', '\u001f'])(
  'a delimiter that detection finds can also be chosen: %j',
  (delimiter) => {
    expect(importDelimiters.map(({ value }) => value)).toContain(delimiter);
  },
);
