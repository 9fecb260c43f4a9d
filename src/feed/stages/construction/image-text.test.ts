import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement } from '#platform/duckdb/sql.ts';
import { addressesOf } from '#shared/items/image-addresses.ts';
import { imageText } from './image-text.ts';

let folder = '';
let duckdb: DuckDb;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-images-'));
  duckdb = await DuckDb.open({ folder });
});
afterAll(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const texts = async (value: string | null, separator = ';') => {
  const given = duck`CAST(${value} AS VARCHAR)`;
  const many = { most: 20, separator, repeat: false };
  const body = duck`SELECT ${imageText(given, {})} AS one, ${imageText(given, { many })} AS all`;
  const [row] = await duckdb.all(statement(body));
  return [row?.['one'], row?.['all']];
};

const [one, two] = ['https://a.example/1.jpg', 'https://b.example/2.jpg?w=1,2'];

test.each(['\n', '\r\n', ',', ';', '|', ' ', '\t', ', ', '; ', ' | ', ' ; ', ' \n', ';;', ',\n\n'])(
  'CON-03 several addresses behind %j: one field gets the first, one for several all as the channel parts them',
  async (mark) => {
    for (const value of [
      `${one}${mark}${two}`,
      `${mark}${two}${mark}${one}${mark}`,
      `${one}${mark}//cdn.example/3.jpg`,
    ]) {
      const all = addressesOf(value);
      expect(await texts(value)).toEqual([all[0], all.join(';')]);
      expect(await texts(value, ',')).toEqual([all[0], all.map((text) => text.replaceAll(',', '%2C')).join(',')]);
    }
  },
);

test('CON-03 one address, and what is none, stay as they are', async () => {
  for (const value of [
    null,
    '',
    one,
    two,
    'bild.jpg, bild2.jpg',
    'https://cdn.example/?url=https://a.example/1.jpg|x',
    'kein Bild',
  ])
    expect(await texts(value)).toEqual([value, value]);
  expect(await texts(` ${one}`)).toEqual([` ${one}`, one]);
});
