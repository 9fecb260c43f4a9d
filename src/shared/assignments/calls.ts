import { z } from 'zod';
import {
  ASSIGNMENT_LIMITS,
  CategoryRow,
  CategoryRowSave,
  exportTableNames,
  Mapping,
  MappingExcerpt,
  MappingReader,
  MappingRow,
  MappingSave,
} from './schema.ts';
import type { Call } from '#shared/http/call.ts';
import { exportid, id, masterid, Saved } from '#shared/http/call-parts.ts';
import { SourceField } from '#shared/construction/schema.ts';
import { wireText } from '#shared/values/schema.ts';

const bodyLimit = 64 * 1024 * 1024;
const integer = z.number().int();
/** Maximum number of rows in the response; absent: all. */
const rowCount = z.coerce.number().int().min(0).max(ASSIGNMENT_LIMITS.rows).optional();
const rows = z.array(MappingRow).max(ASSIGNMENT_LIMITS.rows).meta({ id: 'MappingRows' });
const categoryRows = z.array(CategoryRow).max(ASSIGNMENT_LIMITS.rows);

const anyRows = z.array(z.union([CategoryRow, MappingRow])).max(ASSIGNMENT_LIMITS.rows);

/** A field that a row can test, with its group (GEN-08). */
const SelectableField = SourceField.extend({ type: z.enum(['_field', '_intern', '_mapping', '_default']) });

/** A value of a field with the number of items that have it, as a new row to append (MAP-03, CAT-08). */
const FetchedRow = MappingRow.extend({
  items: integer,
  /** Number of values left out because they are too long for a row; equal in each row. */
  tooLong: integer,
});

const Missing = z.object({
  /** Name of the field; empty: the response is an empty list. */
  field: wireText(500).default(''),
  type: z.enum(['_field', '_mapping', '_intern']).default('_field'),
  /** The values that the table already has; they are not fetched again. */
  preData: z
    .preprocess(
      (value) => value ?? [],
      z.array(z.object({ field: wireText(500), value: wireText(10_000) })).max(ASSIGNMENT_LIMITS.rows),
    )
    .default([]),
  limit: z.number().int().min(1).max(ASSIGNMENT_LIMITS.rows).default(20_000),
});

const CategoryCounts = z
  .object({
    records: integer,
    count_is_cat: z.object({ i: integer, percent: z.number() }),
    count_not_cat: z.object({ i: integer }),
    /** Number of items by row id. */
    attributesitems: z.record(z.string(), integer),
    /** HDR-04: equals `records`, under the name that the counter panel uses. */
    items: integer,
  })
  .meta({ id: 'CategoryCounts' });

/** Calls of MAP, SWM, BRA, COL, CAT: tables that assign a target to items by conditions. */
export const assignmentCalls = {
  mappings: {
    method: 'POST',
    path: '/api/mapping/{id}',
    summary: 'Wertzuordnungen laden; die Kennung eines Exports meint dessen Katalog',
    access: 'read',
    params: exportid,
    response: z.array(Mapping),
    question: 'records',
    large: true,
  },
  shopMappings: {
    method: 'POST',
    path: '/api/sw-mapping/{id}',
    summary: 'Shopsystem-Zuordnungen, nach ihrer Kennung',
    access: 'read',
    params: exportid,
    response: z.record(z.string(), Mapping),
    question: 'records',
    large: true,
  },
  mappingExcerpts: {
    method: 'GET',
    path: '/api/mapping/{id}/excerpt',
    summary:
      'Wertzuordnungen beider Arten mit ihrem Stand und den Feldern; mit `rows` höchstens so viele Zeilen, zuerst die von `first`',
    access: 'read',
    params: exportid,
    query: z.object({ rows: rowCount, kind: z.enum(['value', 'shop']).default('value'), first: id.optional() }),
    response: z.object({ revision: integer, mappings: z.array(MappingExcerpt), fields: z.array(SelectableField) }),
    question: 'records',
    large: true,
  },
  saveMapping: {
    method: 'POST',
    path: '/api/mapping/{masterid}/{mappingid}/save',
    summary: 'Eine Wertzuordnung speichern; eine neue Kennung legt sie an',
    access: 'edit',
    confirmation: true,
    ifMatch: true,
    params: z.object({ masterid: id, mappingid: id }),
    body: MappingSave,
    bodyLimit,
    response: Saved,
  },
  deleteMappings: {
    method: 'POST',
    path: '/api/mapping/{masterid}/delete',
    summary: 'Wertzuordnungen löschen',
    access: 'edit',
    confirmation: true,
    ifMatch: true,
    params: masterid,
    body: z.object({ ids: z.array(id).min(1).max(ASSIGNMENT_LIMITS.mappings) }),
    response: Saved,
  },
  mappingReaders: {
    method: 'POST',
    path: '/api/mapping/{masterid}/readers',
    summary: 'Was diese Wertzuordnungen unter ihrem Namen liest und ohne sie leer bliebe',
    access: 'read',
    params: masterid,
    body: z.object({ ids: z.array(id).min(1).max(ASSIGNMENT_LIMITS.mappings) }),
    response: z.array(MappingReader),
    question: 'records',
    large: true,
  },
  orderMappings: {
    method: 'POST',
    path: '/api/mapping/{masterid}/order',
    summary: 'Reihenfolge der Wertzuordnungen, in der sie laufen',
    access: 'edit',
    confirmation: true,
    ifMatch: true,
    params: masterid,
    body: z.object({ ids: z.array(id).max(ASSIGNMENT_LIMITS.mappings) }),
    response: Saved,
  },
  missingRows: {
    method: 'POST',
    path: '/api/mapping/{id}/fields/missing',
    summary: 'Werte eines Feldes als Zeilen, die es noch nicht gibt, häufigste zuerst',
    question: 'catalogue',
    access: 'read',
    params: exportid,
    body: Missing,
    bodyLimit,
    response: z.array(FetchedRow),
    answeredApart: true,
  },
  mappingFields: {
    method: 'POST',
    path: '/api/mappingfielddata/{id}',
    summary: 'Felder, auf die eine Zeile schauen kann',
    access: 'read',
    params: exportid,
    response: z.array(SelectableField),
    question: 'catalogue',
  },
  exportTable: {
    method: 'GET',
    path: '/api/exports/{id}/tables/{table}',
    summary: 'Zeilen der Kategorien, Marken oder Farben eines Exports; mit `rows` nur die ersten',
    access: 'read',
    params: z.object({ id, table: z.enum(exportTableNames) }),
    query: z.object({ rows: rowCount }),
    /** `total`: number of rows; `used`: a field of the export reads a result of this table. */
    response: z.object({ rows: z.union([categoryRows, rows]), total: integer, revision: integer, used: z.boolean() }),
    question: 'records',
    large: true,
  },
  saveCategories: {
    method: 'POST',
    path: '/exports/{id}/categories/saveajax',
    summary: 'Alle Kategoriezuordnungen speichern',
    access: 'edit',
    ifMatch: true,
    params: exportid,
    body: z.array(CategoryRowSave).max(ASSIGNMENT_LIMITS.rows),
    bodyLimit,
    response: Saved,
  },
  saveBrands: {
    method: 'POST',
    path: '/apis/{id}/brands/save',
    summary: 'Alle Markenzuordnungen speichern',
    access: 'edit',
    ifMatch: true,
    params: exportid,
    body: rows,
    bodyLimit,
    response: Saved,
  },
  saveColors: {
    method: 'POST',
    path: '/apis/{id}/colors/save',
    summary: 'Alle Farbzuordnungen speichern',
    access: 'edit',
    ifMatch: true,
    params: exportid,
    body: rows,
    bodyLimit,
    response: Saved,
  },
  /** Accepts JSON or a form. */
  categoryTargets: {
    method: 'POST',
    path: '/ajax/getcatddata/',
    summary: 'Kategorien des Kanals',
    access: 'read',
    form: true,
    body: z.object({ id }),
    response: z.array(z.object({ valueid: z.string(), valuename: z.string(), valueinfo: z.string() })),
    large: true,
  },
  brandTargets: {
    method: 'POST',
    path: '/ajax/branddata/',
    summary: 'Marken des Kanals',
    access: 'read',
    form: true,
    body: z.object({ id, route: z.string().max(100).default('') }),
    response: z.array(z.object({ id: z.string(), name: z.string(), info: z.string() })),
    large: true,
  },
  colorTargets: {
    method: 'POST',
    path: '/ajax/colordata/',
    summary: 'Farben des Kanals',
    access: 'read',
    form: true,
    body: z.object({ id, route: z.string().max(100).default('') }),
    response: z.array(z.object({ id: z.string(), name: z.string(), info: z.string() })),
    large: true,
  },
  countCategories: {
    method: 'POST',
    path: '/ajax/count_categories/',
    summary: 'Wie viele Artikel eine Kategorie haben, gesamt und je Zeile (gespeicherter Stand)',
    access: 'read',
    form: true,
    body: z.object({ id }),
    response: CategoryCounts,
    question: 'catalogue',
  },
  /** Counts items per row of an unsaved form. `table`: the stage of the pipeline at which the rows run. */
  countRows: {
    method: 'POST',
    path: '/api/assignments/{id}/counts',
    summary: 'Artikel je Zeile auf dem ungespeicherten Stand',
    question: 'catalogue',
    access: 'read',
    params: exportid,
    body: z.object({
      table: z.enum([...exportTableNames, 'mapping']),
      /** For a mapping: its id, so that it is counted at its own place among the others. */
      mapping: id.optional(),
      rows: anyRows,
    }),
    bodyLimit,
    response: z.object({ total: integer, assigned: integer, open: integer, rows: z.record(z.string(), integer) }),
    answeredApart: true,
  },
  /**
   * Returns the items without a target, or those that one row assigns: their values of a field with counts, and a page of them.
   */
  openItems: {
    method: 'POST',
    path: '/api/assignments/{id}/open',
    summary: 'Artikel ohne Ziel oder Artikel einer Zeile: Werte eines Feldes mit Anzahl und eine Seite Artikel',
    question: 'catalogue',
    access: 'read',
    params: exportid,
    body: z.object({
      table: z.enum([...exportTableNames, 'mapping']),
      mapping: id.optional(),
      rows: anyRows,
      /** Id of a row: returns the items it assigns instead of those without a target. */
      row: z.string().max(200).optional(),
      field: z.string().max(500),
      type: z.enum(['_field', '_mapping', '_intern']).default('_field'),
      /** Only items with this value of the field. */
      value: z.string().max(10_000).optional(),
      offset: z.number().int().min(0).max(1_000_000_000).default(0),
      limit: z.number().int().min(1).max(100).default(50),
    }),
    bodyLimit,
    response: z.object({
      total: integer,
      open: integer,
      values: z.array(z.object({ value: z.string(), items: integer })),
      items: z.array(z.object({ id: z.string(), title: z.string().nullable(), value: z.string().nullable() })),
      matching: integer,
    }),
    answeredApart: true,
  },
} as const satisfies Record<string, Call>;
