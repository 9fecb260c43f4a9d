import { readPage } from '#catalogue/grid.ts';
import { deltaCases } from './delta-cases.ts';
import { exportCases } from './export-cases.ts';
import { facetCases } from './facet-cases.ts';
import { mappingCases } from './mapping-cases.ts';
import { type Case, fields, idOf, run, scratch, type Side, snapshot, timed } from './measure.ts';
import { csvOf, importInto, snapshotOf } from './prepare.ts';
import { repricerCases } from './repricer-cases.ts';
import { ruleCases } from './rule-cases.ts';
import { validationCases } from './validation-cases.ts';

const grid = (selection: { search?: string; sort?: string }): Side =>
  timed((duckdb, folder, items) =>
    readPage(
      duckdb,
      {
        path: snapshotOf(folder),
        snapshot: snapshot(folder, items),
        wanted: fields(folder).map(({ id }) => id),
      },
      {
        filters: [{ field: idOf(folder, 'Titel'), mode: 'contains', value: 'bohrschrauber' }],
        sort: { field: idOf(folder, selection.sort ?? 'Bestand'), descending: true },
      },
      { offset: 0, limit: 50 },
    ),
  );

/** Every figure: how Kontor does it, and the least that DuckDB itself needs for the same. */
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
    ours: grid({ sort: 'Bestand' }),
    bare: timed((duckdb, folder) =>
      run(
        duckdb,
        `SELECT file_row_number FROM read_parquet('${snapshotOf(folder)}', file_row_number = true) WHERE contains(lower(${idOf(folder, 'Titel')}), 'bohrschrauber') ORDER BY try_cast(${idOf(folder, 'Bestand')} AS decimal(18,2)) DESC NULLS LAST LIMIT 50`,
      ),
    ),
  },
};
