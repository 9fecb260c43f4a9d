import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { snapshotRelation } from '#engine/duckdb/relation.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, ownText, statement } from '#platform/duckdb/sql.ts';
import { writeStock } from './stock-job.ts';

test('a file of stock has its items in the order of the catalogue', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-stock-'));
  const duckdb = await DuckDb.open({ folder, threads: 4 });
  try {
    const [path, only, target] = ['items', 'only', 'stock'].map((name) => join(folder, `${name}.parquet`));
    if (path === undefined || only === undefined || target === undefined) throw new Error('three paths');
    const items = duck`SELECT CAST(range AS VARCHAR) AS _id, 'w' || range AS f0001 FROM range(200000)`;
    for (const file of [path, only])
      await duckdb.all(statement(duck`COPY (${items}) TO ${ownText(file)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`));
    const relation = snapshotRelation({ path, fields: [{ id: 'f0001', name: 'Bestand' }] });
    const columns = [{ name: 'Bestand', column: 'f0001', number: false, price: false, rowId: '1' }];
    expect(await writeStock(duckdb, { statements: [], relation, columns, gone: [] }, { only, target })).toBe(200_000);
    const steps = duck`SELECT CAST(_id AS INT) - lag(CAST(_id AS INT)) OVER (ORDER BY file_row_number) AS step
      FROM read_parquet(${ownText(target)}, file_row_number = true)`;
    const [found] = await duckdb.all(
      statement(duck`SELECT CAST(count(*) AS INT) AS n FROM (${steps}) WHERE step <> 1`),
    );
    expect(found?.['n']).toBe(0);
  } finally {
    duckdb.close();
    rmSync(folder, { recursive: true });
  }
});
