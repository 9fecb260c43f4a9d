import { writeOutput } from '#feed/stages/output/write.ts';
import type { OutputColumn } from '#feed/stages/output/cells.ts';
import { ChannelField } from '#shared/channels/schema.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { type Case, fields, run, scratch, type Side, timed } from './measure.ts';
import { snapshotOf } from './prepare.ts';

/** The first 30 fields as imported, without a template. */
const plain = (folder: string): OutputColumn[] =>
  fields(folder)
    .slice(0, 30)
    .map((field) => ({
      name: field.name,
      column: field.id,
      number: field.guess === 'price' || field.guess === 'number',
      price: field.guess === 'price',
    }));

/** A channel's requirements on five prices, three choices and two texts without HTML. */
const channelFields: Readonly<Record<string, object>> = {
  Preis: { type: 'price' },
  UVP: { type: 'price' },
  Einkaufspreis: { type: 'price' },
  Grundpreis: { type: 'price' },
  Versandkosten: { type: 'price' },
  Verfügbarkeit: {
    type: 'choice',
    values: [
      { value: 'in_stock', aliases: ['auf Lager', 'sofort lieferbar', 'lieferbar', 'verfügbar', 'ja'] },
      { value: 'out_of_stock', aliases: ['ausverkauft', 'nicht lieferbar', 'vergriffen', 'nein'] },
      { value: 'preorder', aliases: ['vorbestellbar'] },
      { value: 'backorder', aliases: ['Nachlieferung'] },
    ],
  },
  Lieferzeit: { type: 'choice', open: true, values: [{ value: '1-3', aliases: ['1-3 Tage', '1-3 Werktage'] }] },
  Farbe: { type: 'choice', open: true, values: ['schwarz', 'weiß', 'rot', 'blau'].map((value) => ({ value })) },
};
const withTemplate = (folder: string): OutputColumn[] =>
  plain(folder).map((column) => {
    const type = channelFields[column.name] ?? { type: /beschreibung/i.test(column.name) ? 'text' : 'html' };
    const field = ChannelField.parse({
      name: column.name,
      title: column.name,
      group: 'g',
      requirement: 'Optional',
      ...type,
    });
    const price = field.type === 'price';
    return { ...column, field, price, number: price };
  });

const bareCsv = timed((duckdb, folder) =>
  run(
    duckdb,
    `COPY (SELECT ${plain(folder)
      .map(({ column }) => column)
      .join(
        ', ',
      )} FROM read_parquet('${snapshotOf(folder)}')) TO '${scratch(folder, 'bare.csv')}' (FORMAT csv, DELIMITER ';')`,
  ),
);
const output = (format: object, columns = plain): Side =>
  timed((duckdb, folder, items) =>
    writeOutput(
      duckdb,
      {
        parquet: snapshotOf(folder),
        items,
        columns: columns(folder),
        title: 'Bench',
        id: 'bench',
        updated: new Date(0),
      },
      OutputFormat.parse(format),
      scratch(folder, 'ours.out'),
    ),
  );

const baseline = 'COPY TO csv';
/** Cost of writing a file, each compared with DuckDB's own CSV of the same 30 fields. */
export const exportCases: Record<string, Case> = {
  csv: { title: 'Export 30 Felder CSV', goal: 1.1, baseline, ours: output({ kind: 'csv' }), bare: bareCsv },
  csvSpelled: {
    title: '  mit 5 Preisen, 3 Auswahlen, 2 HTML',
    // The long description costs most: five microseconds for half a kilobyte with sixteen tags.
    goal: 3.5,
    baseline,
    ours: output({ kind: 'csv', price: 'currency', stripHtml: true }, withTemplate),
    bare: bareCsv,
  },
  jsonl: { title: 'Export 30 Felder JSON Lines', goal: 1.3, baseline, ours: output({ kind: 'jsonl' }), bare: bareCsv },
  xml: { title: 'Export 30 Felder XML', goal: 1.6, baseline, ours: output({ kind: 'xml' }), bare: bareCsv },
  google: {
    title: 'Export 30 Felder XML (RSS, g:)',
    goal: 2.5,
    baseline,
    ours: output({ kind: 'xml', style: 'google' }),
    bare: bareCsv,
  },
  // Compression is a third of it, and the sheet is nearly twice as long as the CSV.
  xlsx: { title: 'Export 30 Felder XLSX', goal: 3, baseline, ours: output({ kind: 'xlsx' }), bare: bareCsv },
};
