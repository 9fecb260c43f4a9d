import { mkdtempSync, rmSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JoinedParquet } from './joined-parquet.ts';
import { PARQUET } from './parquet.ts';
import { statement } from './sql.ts';

describe('Parquet files that are joined without unpacking', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-joined-'));
  const file = (name: string) => join(folder, name);
  const never = new AbortController().signal;
  let duckdb: DuckDBInstance;
  beforeAll(async () => {
    duckdb = await DuckDBInstance.create(':memory:');
  });
  afterAll(() => {
    duckdb.closeSync();
    rmSync(folder, { recursive: true, force: true });
  });
  async function rows(sql: string): Promise<unknown[][]> {
    const connection = await duckdb.connect();
    try {
      return (await connection.runAndReadAll(sql)).getRowsJS();
    } finally {
      connection.closeSync();
    }
  }
  /** Rows with texts that repeat, so that columns have dictionaries and bloom filters, and with missing values. */
  const part = (name: string, from: number, to: number) =>
    rows(
      `COPY (SELECT 'A-' || i AS id, CASE WHEN i % 3 > 0 THEN 'Marke ' || i % 977 END AS brand, repeat('ä', i % 90) AS text, i * 7919 AS hash
       FROM range(${from}, ${to}) numbers(i)) TO '${file(name)}' ${statement(PARQUET).sql}`,
    );
  const joined = (target: string, names: readonly string[]) =>
    JoinedParquet.write(file(target), async (one) => {
      for (const name of names) await one.add(file(name), never);
    });

  it('hold the rows of all files in their order, also of a file without rows', async () => {
    await part('a', 0, 40_000);
    await part('b', 0, 0);
    await part('c', 40_000, 61_234);
    await part('all', 0, 61_234);
    expect(await joined('joined', ['a', 'b', 'c'])).toBe(61_234);
    const differing = (one: string, other: string) =>
      rows(
        `SELECT count(*) FROM (SELECT file_row_number, * FROM read_parquet('${file(one)}', file_row_number = true)
         EXCEPT SELECT file_row_number, * FROM read_parquet('${file(other)}', file_row_number = true))`,
      );
    expect(await differing('joined', 'all')).toEqual([[0n]]);
    expect(await differing('all', 'joined')).toEqual([[0n]]);
  });

  it('are found by statistics and bloom filters, which moved with their rows', async () => {
    await part('d', 0, 20_000);
    await part('e', 20_000, 60_000);
    await joined('found', ['d', 'e', 'd']);
    const ids = (where: string) =>
      rows(`SELECT id FROM read_parquet('${file('found')}') WHERE ${where} ORDER BY file_row_number`);
    expect(await ids("id = 'A-19999'")).toEqual([['A-19999'], ['A-19999']]);
    expect(await ids("id = 'A-59999'")).toEqual([['A-59999']]);
    expect(await ids("brand = 'Marke 5' AND hash > 470000000")).toHaveLength(1);
    expect(await ids("brand = 'Keine'")).toEqual([]);
    const filters = `SELECT count(*) FILTER (WHERE bloom_filter_offset > 0) FROM parquet_metadata('${file('found')}')`;
    expect(Number((await rows(filters))[0]?.[0])).toBeGreaterThan(0);
  });

  it('must have the same columns', async () => {
    await part('f', 0, 10);
    await rows(`COPY (SELECT 'A-1' AS id) TO '${file('g')}' (FORMAT parquet)`);
    await expect(joined('mixed', ['f', 'g'])).rejects.toThrow('has other columns');
  });

  it('must be complete', async () => {
    await part('h', 0, 20_000);
    await truncate(file('h'), 5000);
    await expect(joined('cut', ['h'])).rejects.toThrow('not a Parquet file');
    await expect(joined('none', [])).rejects.toThrow('nothing was joined');
  });

  it('are not joined to the end if the run is cancelled', async () => {
    await part('i', 0, 20_000);
    const cancelled = JoinedParquet.write(file('cancelled'), (one) => one.add(file('i'), AbortSignal.abort()));
    await expect(cancelled).rejects.toThrow('aborted');
  });
});
