import { z } from 'zod';
import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import {
  CategoryRow,
  exportTableNames,
  Mapping,
  type MappingExcerpt,
  MappingRow,
  type ExportTable,
} from '#shared/assignments/schema.ts';
import { TargetList, type TargetEntry } from '#shared/targets/schema.ts';
import type { ExportTables } from './tables.ts';

const Mappings = z.array(Mapping);
const CategoryRows = z.array(CategoryRow);
const MappingRows = z.array(MappingRow);
const MappingHead = Mapping.extend({ data: z.array(z.unknown()).default([]) });
type MappingHead = z.infer<typeof MappingHead>;
const MappingHeads = z.array(MappingHead);
const AnyRows = z.array(z.unknown());

/** The subject of the document with a table's target list. */
const targetSubjects = {
  categories: 'category_targets',
  brands: 'brand_targets',
  colors: 'color_targets',
} as const satisfies Record<ExportTable, string>;
export const targetSubject = (table: ExportTable) => targetSubjects[table];

/** The mappings of a master, including shop-system mappings, in the order they run. */
export async function loadMappings(
  trx: Trx,
  company: string,
  masterid: string,
  revision?: number,
): Promise<{ mappings: Mapping[]; revision: number }> {
  const document = await loadDocument(trx, company, 'mappings', `master:${masterid}`, revision);
  const mappings = document.body === undefined ? [] : Mappings.parse(JSON.parse(document.body));
  return { mappings, revision: document.revision };
}

/** The mappings with unparsed rows, as saved: parsing tens of thousands takes a while. */
export async function loadMappingHeads(trx: Trx, company: string, masterid: string) {
  const document = await loadDocument(trx, company, 'mappings', `master:${masterid}`);
  const mappings = document.body === undefined ? [] : MappingHeads.parse(JSON.parse(document.body));
  return { mappings, revision: document.revision };
}

/** The mappings with at most `rows` rows in all: first the rows of one mapping, then those of others that fit completely. */
export function excerptsOf(
  mappings: readonly MappingHead[],
  { rows, kind, first }: { rows?: number | undefined; kind: Mapping['kind']; first?: string | undefined },
): MappingExcerpt[] {
  const opened = mappings.find(({ id }) => id === first) ?? mappings.find((mapping) => mapping.kind === kind);
  let left = rows ?? Number.POSITIVE_INFINITY;
  left -= Math.min(left, opened?.data.length ?? 0);
  return mappings.map(({ data, ...head }) => {
    const count = head.id === opened?.id ? rows : data.length <= left ? data.length : 0;
    if (head.id !== opened?.id) left -= count ?? 0;
    return { ...head, data: MappingRows.parse(data.slice(0, count)), total: data.length };
  });
}

export function saveMappings(
  trx: Trx,
  ref: { company: string; masterid: string },
  mappings: readonly Mapping[],
  save: { author: string; expected: number | undefined },
): Promise<number> {
  const { company, masterid } = ref;
  const body = JSON.stringify(mappings);
  return saveDocument(trx, { company, subject: 'mappings', scope: `master:${masterid}` }, { body, ...save });
}

/** The category rows of an export. */
export async function loadCategories(trx: Trx, company: string, id: string, revision?: number) {
  const document = await loadDocument(trx, company, 'categories', `export:${id}`, revision);
  const rows = document.body === undefined ? [] : CategoryRows.parse(JSON.parse(document.body));
  return { rows, revision: document.revision };
}

/** The brand or colour rows of an export. */
export async function loadRows(trx: Trx, company: string, id: string, table: 'brands' | 'colors', revision?: number) {
  const document = await loadDocument(trx, company, table, `export:${id}`, revision);
  const rows = document.body === undefined ? [] : MappingRows.parse(JSON.parse(document.body));
  return { rows, revision: document.revision };
}

/** The first `rows` rows of an export's table, or all of them, and the total. */
export async function loadTableExcerpt(
  trx: Trx,
  ref: { company: string; id: string; table: ExportTable },
  rows: number | undefined,
) {
  const document = await loadDocument(trx, ref.company, ref.table, `export:${ref.id}`);
  const all = document.body === undefined ? [] : AnyRows.parse(JSON.parse(document.body));
  const schema = ref.table === 'categories' ? CategoryRows : MappingRows;
  return { rows: schema.parse(all.slice(0, rows)), total: all.length, revision: document.revision };
}

export function saveTable(
  trx: Trx,
  ref: { company: string; id: string; table: ExportTable },
  rows: readonly (CategoryRow | MappingRow)[],
  save: { author: string; expected: number | undefined },
): Promise<number> {
  const { company, id, table } = ref;
  return saveDocument(trx, { company, subject: table, scope: `export:${id}` }, { body: JSON.stringify(rows), ...save });
}

/** The list from which a table's targets are chosen; revision 0 without entries before the first upload. */
export async function loadTargets(
  trx: Trx,
  company: string,
  id: string,
  table: ExportTable,
  revision?: number,
): Promise<TargetList & { revision: number; author: string; createdAt: Date | undefined }> {
  const document = await loadDocument(trx, company, targetSubject(table), `export:${id}`, revision);
  const { author, createdAt } = document;
  const list = document.body === undefined ? { source: '', entries: [] } : TargetList.parse(JSON.parse(document.body));
  return { ...list, revision: document.revision, author, createdAt };
}

/** The JSON text of a TargetList, to be parsed on another thread: 200,000 entries take half a second. */
export async function loadTargetText(
  trx: Trx,
  company: string,
  id: string,
  table: ExportTable,
): Promise<string | undefined> {
  return (await loadDocument(trx, company, targetSubject(table), `export:${id}`)).body;
}

export type TableRevisions = Readonly<Record<ExportTable | `${ExportTable}Targets`, number>>;

/** All tables of an export with their lists, now or at the revisions of a run (tables missing there were empty). */
export async function loadTables(
  trx: Trx,
  company: string,
  id: string,
  at?: Partial<TableRevisions>,
): Promise<{ tables: ExportTables; revisions: TableRevisions }> {
  const categories = await loadCategories(trx, company, id, at && (at.categories ?? 0));
  const brands = await loadRows(trx, company, id, 'brands', at && (at.brands ?? 0));
  const colors = await loadRows(trx, company, id, 'colors', at && (at.colors ?? 0));
  const targets: Record<ExportTable, ReadonlyMap<string, TargetEntry>> = {
    categories: new Map(),
    brands: new Map(),
    colors: new Map(),
  };
  const lists = { categories: 0, brands: 0, colors: 0 };
  for (const table of exportTableNames) {
    const list = await loadTargets(trx, company, id, table, at && (at[`${table}Targets`] ?? 0));
    targets[table] = new Map(list.entries.map((entry) => [entry.id, entry]));
    lists[table] = list.revision;
  }
  return {
    tables: { categories: categories.rows, brands: brands.rows, colors: colors.rows, targets },
    revisions: {
      categories: categories.revision,
      brands: brands.revision,
      colors: colors.revision,
      categoriesTargets: lists.categories,
      brandsTargets: lists.brands,
      colorsTargets: lists.colors,
    },
  };
}
