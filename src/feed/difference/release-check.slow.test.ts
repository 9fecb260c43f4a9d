import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputRecord } from '#feed/stages/output/store.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { ChannelField } from '#shared/channels/schema.ts';
import { defaultFormat } from '#shared/exports/schema.ts';
import { DifferenceSettings } from '#shared/difference/schema.ts';
import { judgeOutput } from './release-check.ts';

const ITEMS = 40;
const settings = DifferenceSettings.parse({ action_on_difference: 'block_send' });
type Known = Pick<ChannelField, 'type' | 'requirement'>;

/** A column of a file: name, field of the template, values before and now as DuckDB expressions, expected sentence. */
const cases: readonly [string, Known | undefined, string, string, string?][] = [
  ['price', { type: 'price', requirement: 'Required' }, `i + 1`, `0`, 'ist bei 40 von 40 Artikeln leer'],
  ['price', { type: 'price', requirement: 'Optional' }, `i + 1`, `'auf Anfrage'`, 'ist bei 40 von 40 Artikeln leer'],
  ['sale_price', { type: 'price', requirement: 'Optional' }, `i + 1`, `NULL`],
  ['sale_price', { type: 'price', requirement: 'Required' }, `i + 1`, `NULL`, 'ist bei 40 von 40 Artikeln leer'],
  ['price_per_unit', { type: 'text', requirement: 'Optional' }, `i + 1`, `(i + 1) * 100`],
  ['VK', undefined, `i + 1`, `''`, 'ist bei 40 von 40 Artikeln leer'],
  ['quantity', { type: 'integer', requirement: 'Optional' }, `i + 1`, `0`, 'ist bei keinem Artikel mehr größer als 0'],
  ['Bestand', { type: 'text', requirement: 'Optional' }, `i + 1`, `'auf Lager'`, 'ist bei 40 von 40 Artikeln leer'],
  ['Bestand', undefined, `i + 1`, `CASE WHEN i < 4 THEN 1 ELSE 0 END`, 'ist nur noch bei 4 Artikeln größer als 0'],
  ['Bestand', undefined, `i + 1`, `CASE WHEN i < 16 THEN 1 ELSE 0 END`],
  [
    'availability',
    { type: 'choice', requirement: 'Required' },
    `'in_stock'`,
    `'out_of_stock'`,
    'nennt keinen Artikel mehr verfügbar; bisher waren es 40.',
  ],
  ['availability_date', { type: 'date', requirement: 'Optional' }, `'2026-01-01'`, `NULL`],
  ['brand', { type: 'text', requirement: 'Required' }, `'Nordkap'`, `NULL`, 'ist bei 40 von 40 Artikeln leer geworden'],
  ['brand', { type: 'text', requirement: 'Required' }, `'Marke ' || i`, `'Nordkap'`],
  ['title', { type: 'text', requirement: 'Required' }, `'Ware ' || i`, `'Ware'`, 'hat jetzt überall denselben Wert'],
];

describe('a new output file compared with the published one (DIF-03)', () => {
  let folder = '';
  let duckdb: DuckDb;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-release-'));
    duckdb = await DuckDb.open({ folder });
  });
  afterAll(() => {
    duckdb.close();
    rmSync(folder, { recursive: true });
  });

  const write = async (file: string, column: string, value: string) => {
    const path = join(folder, file);
    const rows = `SELECT 'A' || i AS _id, CAST(${value} AS VARCHAR) AS ${column}, hash(${value}) AS _hash FROM range(${ITEMS}) t(i)`;
    await duckdb.all({ sql: `COPY (${rows}) TO '${path}' (FORMAT parquet)`, values: [] });
    return path;
  };

  it.for(cases)(
    'is blocked if the values of column „%s“ drifted gravely, and only then: %j',
    async ([name, known, old, now, text]) => {
      const record: OutputRecord = {
        number: 1,
        runid: '',
        name: '',
        bytes: 0,
        items: ITEMS,
        etag: '',
        mime: '',
        sidecars: { ending: 'csv', header: ['sku', name] },
        whole: true,
        base: null,
        createdAt: new Date(0),
        fetches: 0,
        lastFetchedAt: null,
      };
      const field = known && ChannelField.parse({ name, title: name, group: 'g', description: 'd', ...known });
      const price = known?.type === 'price';
      const columns = [{ name, column: 'c', rowId: 'r', number: price, price, ...(field ? { field } : {}) }];
      const before = { record, path: await write('vorher.parquet', 'x1', old) };
      const after = { path: await write('nachher.parquet', 'c', now), items: ITEMS, columns, format: defaultFormat };
      const judged = await judgeOutput(duckdb, before, after, settings);
      expect(judged?.judgement).toEqual(
        text === undefined
          ? { action: 'accept', reasons: [] }
          : { action: 'block', reasons: [expect.stringContaining(`„${name}“ ${text}`)] },
      );
    },
  );
});
