import { readPage } from '#items/grid.ts';
import { writeOutput } from '#pipeline/output/write.ts';
import { OutputFormat } from '#shared/exports.ts';
import { mappingCases } from './mapping-cases.ts';
import { type Case, fields, idOf, run, scratch, type Side, snapshot, timed } from './measure.ts';
import { csvOf, importInto, snapshotOf } from './prepare.ts';
import { ruleCases } from './rule-cases.ts';

const outputColumns = (folder: string) =>
  fields(folder)
    .slice(0, 30)
    .map((field) => ({ name: field.name, column: field.id, number: field.guess === 'price' }));
const bareCsv = timed((duck, folder) =>
  run(
    duck,
    `COPY (SELECT ${fields(folder)
      .slice(0, 30)
      .map((field) => field.id)
      .join(
        ', ',
      )} FROM read_parquet('${snapshotOf(folder)}')) TO '${scratch(folder, 'bare.csv')}' (FORMAT csv, DELIMITER ';')`,
  ),
);
const output = (format: object): Side =>
  timed((duck, folder, items) =>
    writeOutput(
      duck,
      { parquet: snapshotOf(folder), items, columns: outputColumns(folder), title: 'Bench' },
      OutputFormat.parse(format),
      scratch(folder, 'ours.out'),
    ),
  );
const grid = (selection: { search?: string; sort?: string }): Side =>
  timed((duck, folder, items) =>
    readPage(
      duck,
      { path: snapshotOf(folder), snapshot: snapshot(folder, items) },
      {
        filters: [{ field: idOf(folder, 'Titel'), mode: 'contains', value: 'bohrschrauber' }],
        sort: { field: idOf(folder, selection.sort ?? 'Bestand'), descending: true },
      },
      { offset: 0, limit: 50 },
    ),
  );

/** Every figure: how Kontor does it, and the least that the calculator itself would need for the same. */
export const cases: Record<string, Case> = {
  import: {
    title: 'Import CSV -> Stand',
    goal: 1.5,
    baseline: 'COPY (FROM read_csv) TO parquet',
    ours: async (folder) => {
      const begin = performance.now();
      await importInto(folder, scratch(folder, 'ours.parquet'));
      return performance.now() - begin;
    },
    bare: timed((duck, folder) =>
      run(
        duck,
        `COPY (SELECT * FROM read_csv('${csvOf(folder)}', delim = ';', header = true, all_varchar = true)) TO '${scratch(folder, 'bare.parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
      ),
    ),
  },
  ...ruleCases,
  ...mappingCases,
  csv: {
    title: 'Export 30 Felder CSV',
    goal: 1.3,
    baseline: 'COPY TO csv',
    ours: output({ kind: 'csv' }),
    bare: bareCsv,
  },
  jsonl: {
    title: 'Export 30 Felder JSON Lines',
    goal: 1.7,
    baseline: 'COPY TO csv',
    ours: output({ kind: 'jsonl' }),
    bare: bareCsv,
  },
  xml: {
    title: 'Export 30 Felder XML',
    goal: 2.5,
    baseline: 'COPY TO csv',
    ours: output({ kind: 'xml' }),
    bare: bareCsv,
  },
  grid: {
    title: 'Tabellenseite: Filter, Sortierung',
    goal: 2,
    baseline: 'nur Filter- und Sortierspalte abgefragt',
    ours: grid({ sort: 'Bestand' }),
    bare: timed((duck, folder) =>
      run(
        duck,
        `SELECT file_row_number FROM read_parquet('${snapshotOf(folder)}', file_row_number = true) WHERE contains(lower(${idOf(folder, 'Titel')}), 'bohrschrauber') ORDER BY try_cast(${idOf(folder, 'Bestand')} AS decimal(18,2)) DESC NULLS LAST LIMIT 50`,
      ),
    ),
  },
};
