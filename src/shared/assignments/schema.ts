import { z } from 'zod';
import { SourcePart } from '#shared/construction/schema.ts';
import { wireText } from '#shared/values/schema.ts';

/** Largest sizes of a table of assignments; a larger one is refused as invalid input. */
export const ASSIGNMENT_LIMITS = { rows: 100_000, mappings: 500, value: 10_000, target: 500, name: 200 } as const;

/** Comparisons of a row (MAP-07, CAT-09). `basic`: offered in every table, the others in categories only. */
export const ROW_FILTERS = [
  { filter: 'contains', label: 'enthält', kind: 'contains', negated: false, basic: true },
  { filter: 'not_contains', label: 'enthält nicht', kind: 'contains', negated: true, basic: false },
  { filter: 'is_equal', label: 'entspricht', kind: 'equals', negated: false, basic: true },
  { filter: 'is_not_equal', label: 'entspricht nicht', kind: 'equals', negated: true, basic: false },
  { filter: 'begins_with', label: 'beginnt mit', kind: 'startsWith', negated: false, basic: true },
  { filter: 'ends_with', label: 'endet mit', kind: 'endsWith', negated: false, basic: true },
] as const;
export type RowFilter = (typeof ROW_FILTERS)[number]['filter'];
const FILTER_NAMES: readonly RowFilter[] = ROW_FILTERS.map(({ filter }) => filter);

/** Returns the definition of a filter. @throws if it has none, which is a bug */
export function filterDefinition(filter: RowFilter): (typeof ROW_FILTERS)[number] {
  const found = ROW_FILTERS.find((entry) => entry.filter === filter);
  if (!found) throw new Error(`Filter without a definition: ${filter}`);
  return found;
}

/** The comparison of a filter, without its negation. */
export type Comparison = (typeof ROW_FILTERS)[number]['kind'];

/** Returns whether a text satisfies a comparison, both lower-cased; an empty text or value satisfies none. */
export function comparisonHolds(kind: Comparison, text: string, value: string): boolean {
  if (text === '' || value === '') return false;
  switch (kind) {
    case 'contains':
      return text.includes(value);
    case 'equals':
      return text === value;
    case 'startsWith':
      return text.startsWith(value);
    case 'endsWith':
      return text.endsWith(value);
  }
}

/** Made by the browser from the time (GEN-02); programs may send a number. */
const rowId = z.union([z.string().min(1).max(64), z.number()]).transform(String);
const target = z.preprocess(
  (value) => (value === null || value === undefined ? '' : value),
  z.union([wireText(ASSIGNMENT_LIMITS.target), z.number()]).transform(String),
);

/** A row of a mapping, a brand or a colour table (MAP-07, BRA-02); `catname` is for display only. */
export const MappingRow = z
  .object({
    id: rowId,
    /** One source; a missing one is an empty text (BRA-02). */
    field: z.array(SourcePart).max(1).default([]),
    filter: z.enum(FILTER_NAMES).default('is_equal'),
    value: wireText(ASSIGNMENT_LIMITS.value),
    target,
    catname: wireText(2000),
    active: z.boolean().default(true),
  })
  .meta({ id: 'MappingRow' });
export type MappingRow = z.infer<typeof MappingRow>;

/** One condition of a category row. */
export const RowCondition = z.object({
  input: SourcePart,
  filter: z.enum(FILTER_NAMES).default('is_equal'),
  value: wireText(ASSIGNMENT_LIMITS.value),
});
export type RowCondition = z.infer<typeof RowCondition>;

/** A row of the category assignment (CAT-04, CAT-05): one condition ('Wenn') or two ('Und'). */
export const CategoryRow = z
  .object({
    id: rowId,
    field: z.array(RowCondition).min(1).max(2),
    target,
    catname: wireText(2000),
    producttyp: wireText(2000),
    active: z.boolean().default(true),
  })
  .meta({ id: 'CategoryRow' });
export type CategoryRow = z.infer<typeof CategoryRow>;

/**
 * Returns the rows of an answer, which its schema has checked, as those of one kind of table: parsing 20,000 rows a second time
 * would block a page for some tenths of a second. @throws if a row is of the other kind
 */
export const categoryRowsOf = (rows: readonly (CategoryRow | MappingRow)[]): CategoryRow[] =>
  rows.map((row) => ('producttyp' in row ? row : wrongKind()));
export const mappingRowsOf = (rows: readonly (CategoryRow | MappingRow)[]): MappingRow[] =>
  rows.map((row) => ('producttyp' in row ? wrongKind() : row));

function wrongKind(): never {
  throw new Error('The rows are those of another table.');
}

/**
 * A fetched row, whose source is in `field` itself, where a category row has a condition. Its contents are validated afterwards.
 */
const FetchedRow = z.looseObject({
  field: z.array(z.looseObject({ type: z.string(), input: z.undefined().optional() })).length(1),
  filter: z.unknown(),
  value: z.unknown(),
});

/** A row of a save. CAT-08: a row fetched for a field, with its filter and value next to the field, is converted. */
export const CategoryRowSave = z.preprocess((row) => {
  const fetched = FetchedRow.safeParse(row);
  if (!fetched.success) return row;
  const { field, filter, value, ...rest } = fetched.data;
  return { ...rest, field: field.map((input) => ({ input, filter, value })) };
}, CategoryRow);

/** A choice of a target picker: a category, a brand, a colour, a value of the shop system. */
export const Target = z
  .object({ id: wireText(500), name: wireText(2000), info: wireText(2000) })
  .meta({ id: 'Target' });
export type Target = z.infer<typeof Target>;

/** A value mapping (MAP-05), or a shop-system mapping (SWM-01), which has its own choice of targets. */
export const Mapping = z
  .object({
    id: z.string().regex(/^[A-Za-z0-9]{1,40}$/, 'Die Kennung besteht aus Buchstaben und Ziffern.'),
    name: wireText(ASSIGNMENT_LIMITS.name),
    active: z.boolean().default(true),
    intern: wireText(10_000),
    description: wireText(10_000),
    /** 'shop': it belongs to the shop-system tab. */
    kind: z.enum(['value', 'shop']).default('value'),
    data: z.array(MappingRow).max(ASSIGNMENT_LIMITS.rows).default([]),
    lookupdata: z.array(Target).max(ASSIGNMENT_LIMITS.rows).default([]),
  })
  .meta({ id: 'Mapping' });
export type Mapping = z.infer<typeof Mapping>;

/** A mapping with possibly only its first rows; `total`: number of all its rows. */
export const MappingExcerpt = Mapping.extend({ total: z.number().int() }).meta({ id: 'MappingExcerpt' });
export type MappingExcerpt = z.infer<typeof MappingExcerpt>;

/**
 * A save of a mapping: present members replace the stored ones, absent ones stay (SWM-03 sends only name, active, data, intern).
 * `kind` applies to a new mapping only; without it the internal note makes it a shop-system mapping.
 */
export const MappingSave = z.object({
  name: wireText(ASSIGNMENT_LIMITS.name).optional(),
  active: z.boolean().optional(),
  intern: wireText(10_000).optional(),
  description: wireText(10_000).optional(),
  kind: z.enum(['value', 'shop']).optional(),
  data: z.array(MappingRow).max(ASSIGNMENT_LIMITS.rows).optional(),
  lookupdata: z.array(Target).max(ASSIGNMENT_LIMITS.rows).optional(),
});

/** Something that reads the result of a mapping: what it is, and the path of the page on which it is edited. */
export const MappingReader = z.object({ text: z.string(), path: z.string() }).meta({ id: 'MappingReader' });
export type MappingReader = z.infer<typeof MappingReader>;

/** The assignment tables of an export, each a document. */
export const exportTables = {
  categories: { title: 'Kategorien', one: 'Kategorie' },
  brands: { title: 'Marken', one: 'Marke' },
  colors: { title: 'Farben', one: 'Farbe' },
} as const;
export type ExportTable = keyof typeof exportTables;
export const exportTableNames = ['categories', 'brands', 'colors'] as const satisfies readonly ExportTable[];

/**
 * Fields that the pipeline makes itself ('Interne Felder', GEN-08): the item number, its position among the items of the export
 * from 1, the stock Kontor offers on the export's channel, and the results of the export's tables. `from` is the table, `part`
 * which of its results.
 */
export const INTERNAL_FIELDS = [
  { value: '_id', name: 'Artikelnummer' },
  { value: 'index', name: 'Laufende Nummer', from: 'order' },
  { value: 'stock_offered', name: 'Bestand für diesen Kanal', from: 'stock' },
  { value: 'category', name: 'Kategorie (Kennung)', from: 'categories', part: 'target' },
  { value: 'category_name', name: 'Kategorie (Name)', from: 'categories', part: 'name' },
  { value: 'product_type', name: 'Produkttyp der Kategorie', from: 'categories', part: 'info' },
  { value: 'brand', name: 'Marke (Kennung)', from: 'brands', part: 'target' },
  { value: 'brand_name', name: 'Marke (Name)', from: 'brands', part: 'name' },
  { value: 'color', name: 'Farbe (Kennung)', from: 'colors', part: 'target' },
  { value: 'color_name', name: 'Farbe (Name)', from: 'colors', part: 'name' },
] as const;

/** Returns an empty row (BRA-02): an empty text as source, is_equal, an empty value, no target, active. */
export function newMappingRow(id: string): MappingRow {
  return {
    id,
    field: [{ type: '_string', value: '', caption: '' }],
    filter: 'is_equal',
    value: '',
    target: '',
    catname: '',
    active: true,
  };
}

/** Returns an empty category row with one condition (CAT-07). */
export function newCategoryRow(id: string): CategoryRow {
  return { id, field: [newCondition()], target: '', catname: '', producttyp: '', active: true };
}

function newCondition(): RowCondition {
  return { input: { type: '_string', value: '', caption: '' }, filter: 'is_equal', value: '' };
}

/** CAT-05: adds a second, empty condition ('Und'), or removes it ('Wenn'). */
export function toggleSecondCondition(row: CategoryRow): CategoryRow {
  const [first = newCondition()] = row.field;
  return { ...row, field: row.field.length === 1 ? [first, newCondition()] : [first] };
}

/** MAP-06: returns a copy without a name, so that it is not saved under the same one by mistake. */
export function copyMapping(mapping: Mapping, id: string): Mapping {
  return { ...mapping, id, name: '', ...(mapping.kind === 'shop' ? { intern: '' } : {}) };
}

/** Returns a new mapping: MAP-06 inactive and empty; SWM-02 also with an empty note. */
export function newMapping(id: string, kind: Mapping['kind']): Mapping {
  return { id, name: '', active: false, intern: '', description: '', kind, data: [], lookupdata: [] };
}
