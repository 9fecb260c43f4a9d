import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { compileRules } from '#engine/compile-rules.ts';
import { readRules } from '#engine/read-rules.ts';
import { inOrder, snapshotRelation, withSteps, type Relation } from '#engine/relation.ts';
import { countRule } from '#engine/rule-counts.ts';
import { ruleRows } from '#engine/rule-rows.ts';
import { readPage } from '#items/grid.ts';
import type { SnapshotRecord } from '#items/snapshots.ts';
import { writeOutput } from '#pipeline/output/write.ts';
import { Duck } from '#platform/duck.ts';
import { join as joinSql, name, ownText, sql, statement } from '#platform/sql.ts';
import { importedFieldSchema } from '#shared/import.ts';
import { OutputFormat } from '#shared/exports.ts';
import { csvOf, fieldsOf, importInto, snapshotOf } from './prepare.ts';
import { editedRule, fiftyRules } from './rules.ts';

export type Measured = { ms: number; cpu: number; rssMb: number };
type Side = (folder: string, items: number) => Promise<number>;
type Case = { title: string; goal: number; baseline: string; ours: Side; bare: Side };

const fields = (folder: string) =>
  z.array(importedFieldSchema).parse(JSON.parse(readFileSync(fieldsOf(folder), 'utf8')));
const relationOf = (folder: string): Relation => snapshotRelation({ path: snapshotOf(folder), fields: fields(folder) });
const idOf = (folder: string, field: string) => fields(folder).find((one) => one.name === field)?.id ?? '';
const snapshot = (folder: string, items: number): SnapshotRecord => ({
  company: 'bench',
  masterid: 'bench',
  number: 1,
  items,
  fields: fields(folder),
  key: 'Artikelnummer',
  runid: '',
  source: '',
  createdAt: new Date(0),
});

/** Opens the calculator first, so that only the work is timed. */
const timed =
  (work: (duck: Duck, folder: string, items: number) => Promise<unknown>): Side =>
  async (folder, items) => {
    const duck = await Duck.open({ folder });
    const begin = performance.now();
    await work(duck, folder, items);
    return performance.now() - begin;
  };
const run = (duck: Duck, text: string) => duck.all({ sql: text, values: [] });
const scratch = (folder: string, file: string) => {
  const path = join(folder, file);
  rmSync(path, { force: true });
  return path;
};

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
  rules: {
    title: '50 Regeln, Ergebnis geschrieben',
    goal: 2,
    baseline: 'Kopie desselben Stands ohne Regeln',
    ours: timed((duck, folder) => {
      const done = compileRules(relationOf(folder), readRules(fiftyRules), { live: 'all' });
      const columns = joinSql([name('id'), ...[...done.columns.values()].map(name)], sql`, `);
      const body = sql`SELECT ${columns} FROM ${name(done.from)}${inOrder(done)}`;
      return duck.all(
        statement(
          sql`COPY (${withSteps(done, body)}) TO ${ownText(scratch(folder, 'rules.parquet'))} (FORMAT parquet, COMPRESSION zstd)`,
        ),
      );
    }),
    bare: timed((duck, folder) =>
      run(
        duck,
        `COPY (SELECT * FROM read_parquet('${snapshotOf(folder)}')) TO '${scratch(folder, 'copy.parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
      ),
    ),
  },
  preview: {
    title: 'Vorschau einer Regel (Zahl + 10)',
    goal: 3,
    baseline: 'count(*) mit derselben Bedingung von Hand',
    ours: timed(async (duck, folder) => {
      const rules = readRules([editedRule]);
      const counted = countRule(relationOf(folder), rules, editedRule.id, { sample: 10 });
      const [row] = await duck.all(counted.statement);
      const { first } = counted.read(row ?? {});
      await duck.all(
        ruleRows(relationOf(folder), rules, editedRule.id, { fields: ['Titel', 'Marke'], rows: first }).statement,
      );
    }),
    bare: timed((duck, folder) =>
      run(
        duck,
        `SELECT count(*) FROM read_parquet('${snapshotOf(folder)}') WHERE contains(lower(${idOf(folder, 'Titel')}), 'schrauber')`,
      ),
    ),
  },
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
