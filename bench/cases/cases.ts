import { setTimeout as wait } from 'node:timers/promises';
import { readPage } from '#catalogue/grid.ts';
import { RowFile } from '#catalogue/row-files/row-file.ts';
import { RowFiles } from '#catalogue/row-files/row-files.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { deltaCases } from './delta-cases.ts';
import { exportCases } from './export-cases.ts';
import { facetCases } from './facet-cases.ts';
import { mappingCases } from './mapping-cases.ts';
import { type Case, fields, idOf, run, scratch, snapshot, timed } from './measure.ts';
import { csvOf, importInto, snapshotOf } from './prepare.ts';
import { repricerCases } from './repricer-cases.ts';
import { ruleCases } from './rule-cases.ts';
import { validationCases } from './validation-cases.ts';

/** Reads two pages, of which the second one starts the row file. Writing it is not timed, because users do not wait for it. */
async function withRowFile(duckdb: DuckDb, folder: string, items: number): Promise<RowFiles> {
  const rowFiles = new RowFiles(duckdb, { items: 0, bytes: 64 * 1024 ** 3, idleMs: 3_600_000 });
  for (let asked = 0; asked < 2; asked++) await page(duckdb, folder, items, rowFiles);
  while (rowFiles.size().files === 0) await wait(50);
  return rowFiles;
}

const page = (duckdb: DuckDb, folder: string, items: number, rowFiles: RowFiles) =>
  readPage(
    duckdb,
    {
      path: snapshotOf(folder),
      snapshot: snapshot(folder, items),
      wanted: fields(folder).map(({ id }) => id),
      rowFiles,
    },
    {
      filters: [{ field: idOf(folder, 'Titel'), mode: 'contains', value: 'bohrschrauber' }],
      sort: { field: idOf(folder, 'Bestand'), descending: true },
    },
    { offset: 0, limit: 50 },
  );

const findItems = (duckdb: DuckDb, folder: string) =>
  run(
    duckdb,
    `SELECT file_row_number FROM read_parquet('${snapshotOf(folder)}', file_row_number = true) WHERE contains(lower(${idOf(folder, 'Titel')}), 'bohrschrauber') ORDER BY try_cast(${idOf(folder, 'Bestand')} AS decimal(18,2)) DESC NULLS LAST LIMIT 50`,
  );

/** All figures: how Kontor does it, and the minimum that DuckDB itself needs for the same. */
export const cases: Record<string, Case> = {
  import: {
    title: 'Import CSV -> Stand',
    goal: 1.15,
    baseline: 'COPY (FROM read_csv) TO parquet',
    ours: async (folder) => {
      const begin = performance.now();
      await importInto(folder, scratch(folder, 'ours.parquet'));
      return performance.now() - begin;
    },
    bare: timed((duckdb, folder) =>
      run(
        duckdb,
        `COPY (SELECT * FROM read_csv('${csvOf(folder)}', delim = ';', header = true, all_varchar = true)) TO '${scratch(folder, 'bare.parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
      ),
    ),
  },
  ...ruleCases,
  ...mappingCases,
  ...validationCases,
  ...exportCases,
  ...deltaCases,
  ...repricerCases,
  ...facetCases,
  grid: {
    title: 'Tabellenseite: Filter, Sortierung',
    goal: 1.5,
    baseline: 'nur Filter- und Sortierspalte abgefragt',
    ours: async (folder, items) => {
      const duckdb = await DuckDb.open({ folder });
      const rowFiles = await withRowFile(duckdb, folder, items);
      const begin = performance.now();
      await page(duckdb, folder, items, rowFiles);
      return performance.now() - begin;
    },
    bare: async (folder) => {
      const duckdb = await DuckDb.open({ folder });
      for (let asked = 0; asked < 2; asked++) await findItems(duckdb, folder);
      const begin = performance.now();
      await findItems(duckdb, folder);
      return performance.now() - begin;
    },
  },
  firstGrid: {
    title: 'Tabellenseite, bevor ihre Zeilen bereitliegen',
    goal: 4,
    baseline: 'nur Filter- und Sortierspalte abgefragt',
    ours: timed((duckdb, folder, items) => page(duckdb, folder, items, new RowFiles(duckdb))),
    bare: timed(findItems),
  },
  rowFile: {
    title: 'Zeilen für Tabellenseiten bereitlegen',
    goal: 1.5,
    baseline: 'Stand kopiert (Parquet)',
    ours: timed((duckdb, folder, items) =>
      RowFile.make(
        duckdb,
        { path: snapshotOf(folder), columns: ['_id', ...fields(folder).map(({ id }) => id)], items },
        AbortSignal.timeout(600_000),
      ),
    ),
    bare: timed((duckdb, folder) =>
      run(
        duckdb,
        `COPY (SELECT * FROM read_parquet('${snapshotOf(folder)}')) TO '${scratch(folder, 'bare.parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
      ),
    ),
  },
};
