import type { z } from 'zod';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { validatedItems, findProblems } from '#feed/plan/validated-items.ts';
import { writeRun } from '#feed/export/write-run.ts';
import { writeOutput } from '#feed/stages/output/write.ts';
import { demand } from '#feed/plan/demand.ts';
import { build } from '#feed/plan/build.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { type ChannelField, ChannelTemplate } from '#shared/channels/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import { type Case, scratch, snapshot, timed } from './measure.ts';
import { snapshotOf } from './prepare.ts';

type Field = Partial<z.input<typeof ChannelField>>;
const required = { requirement: 'Required' } as const;
const clothes = [{ field: 'product_type', is: 'contains' as const, values: ['Bekleidung'] }];

/** Thirty fields as a strict channel requires them, with the generated column that fills each. */
export const fields: [string, string, Field][] = [
  ['id', 'Artikelnummer', { ...required, maxLength: 50, unique: true }],
  ['title', 'Titel', { ...required, maxLength: 150 }],
  ['description', 'Beschreibung', { ...required, type: 'html', maxLength: 5000 }],
  ['short', 'Kurzbeschreibung', { maxLength: 500 }],
  ['link', 'Link', { ...required, type: 'url', maxLength: 2000 }],
  ['image_link', 'Bild 1', { ...required, type: 'image', maxLength: 2000 }],
  ['image_2', 'Bild 2', { type: 'image', maxLength: 2000 }],
  ['image_3', 'Bild 3', { type: 'image', maxLength: 2000 }],
  ['price', 'Preis', { ...required, type: 'price', minimum: 0.01 }],
  ['sale_price', 'Aktionspreis', { type: 'price', minimum: 0.01 }],
  ['cost', 'Einkaufspreis', { type: 'price' }],
  ['gtin', 'EAN', { requirement: 'Recommended', type: 'gtin' }],
  ['mpn', 'Herstellernummer', { maxLength: 70 }],
  ['brand', 'Marke', { requirement: 'Recommended', maxLength: 70 }],
  ['product_type', 'Kategoriepfad', { requirement: 'Recommended', maxLength: 750 }],
  [
    'availability',
    'Verfügbarkeit',
    { ...required, type: 'choice', values: [{ value: 'auf Lager' }, { value: 'nicht auf Lager' }] },
  ],
  ['condition', 'Zustand', { type: 'choice', values: [{ value: 'neu' }, { value: 'gebraucht' }] }],
  ['color', 'Farbe', { requirement: 'Recommended', maxLength: 100, when: clothes }],
  ['size', 'Größe', { requirement: 'Recommended', maxLength: 100, when: clothes }],
  ['gender', 'Geschlecht', { type: 'choice', values: ['Damen', 'Herren', 'Unisex'].map((value) => ({ value })) }],
  ['material', 'Material', { maxLength: 200 }],
  ['item_group_id', 'Hauptartikelnummer', { maxLength: 50 }],
  ['shipping', 'Versandkosten', { type: 'price' }],
  ['weight', 'Gewicht', { type: 'number', minimum: 0 }],
  ['stock', 'Bestand', { type: 'integer', minimum: 0, maximum: 100_000 }],
  ['unit_price', 'Grundpreis', { pattern: '[0-9.]+,[0-9]{2} €/.+' }],
  ['energy', 'Energieeffizienzklasse', { type: 'choice', values: Array.from('ABCDEFG').map((value) => ({ value })) }],
  ['delivery', 'Lieferzeit', { maxLength: 100 }],
  ['gpsr_name', 'GPSR-Name', { ...required, maxLength: 200 }],
  ['gpsr_address', 'GPSR-Adresse', { ...required, maxLength: 300 }],
];

export const template = ChannelTemplate.parse({
  channel: 'bench',
  name: 'Bench',
  description: '',
  sources: [],
  format: { decimal: 'comma' },
  filename: 'bench.csv',
  groups: [],
  fields: fields.map(([name, , field]) => ({ requirement: 'Optional', title: name, group: '', ...field, name })),
  checks: [
    { kind: 'any_of', fields: ['gtin', 'mpn'], severity: 'warning', message: 'Kennung fehlt' },
    { kind: 'less_than', field: 'sale_price', than: 'price', severity: 'error', message: 'Aktionspreis zu hoch' },
  ],
});
export const format = OutputFormat.parse({ kind: 'csv', decimal: 'comma' });

export const planOf = (folder: string, items: number): ExportPlan => ({
  snapshot: snapshot(folder, items),
  path: snapshotOf(folder),
  masterRules: [],
  mappings: [],
  exportRules: [],
  tables: noTables,
  attributes: [],
  template,
  construction: fields.map(([exportfield, value], index) =>
    ConstructionRow.parse({
      id: String(index),
      exportfield,
      valuetype: 'field',
      field: [{ type: '_field', value, caption: value }],
    }),
  ),
});

type Run = (duckdb: DuckDb, folder: string, items: number) => Promise<unknown>;

/** Everything that a run does with its items except the file: with checks and their counts, and without. */
const checked: Run = async (duckdb, folder, items) => {
  const temporary = (ending: string) => scratch(folder, `checked.${ending}`);
  const constructed = validatedItems(planOf(folder, items), format);
  await writeRun(duckdb, constructed, temporary('parquet'));
  return findProblems(duckdb, constructed, (ending) => `${folder}/checked.${ending}`);
};
const unchecked: Run = (duckdb, folder, items) =>
  writeRun(
    duckdb,
    { ...build(planOf(folder, items), demand(planOf(folder, items))), problems: [], masks: [], unique: [] },
    scratch(folder, 'bare.run.parquet'),
  );

/** Includes the channel's file, as every run writes it. */
const withFile =
  (run: Run, parquet: string): Run =>
  async (duckdb, folder, items) => {
    await run(duckdb, folder, items);
    const { columns } = build(planOf(folder, items), demand(planOf(folder, items)));
    await writeOutput(
      duckdb,
      { parquet: `${folder}/${parquet}`, items, columns, title: '', id: 'bench', updated: new Date(0) },
      format,
      scratch(folder, 'run.csv'),
    );
  };

export const validationCases: Record<string, Case> = {
  validation: {
    title: 'Lauf mit Prüfung von 30 Feldern',
    goal: 1.2,
    baseline: 'derselbe Lauf mit Datei, ohne Prüfung',
    ours: timed(withFile(checked, 'checked.parquet')),
    bare: timed(withFile(unchecked, 'bare.run.parquet')),
  },
  validationAlone: {
    title: '  dieselbe ohne die Datei des Kanals',
    goal: 1.5,
    baseline: 'derselbe Lauf ohne Datei, ohne Prüfung',
    ours: timed(checked),
    bare: timed(unchecked),
  },
};
