import { column, snapshotRelation, tableRelation, withSteps, type Relation } from '#engine/duckdb/relation.ts';
import { sourceKey } from '#engine/ir/source-key.ts';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { listExports } from '#catalogue/exports.ts';
import { listMasters } from '#catalogue/masters.ts';
import type { Trx } from '#platform/db/database.ts';
import type { DuckDb, DuckRow } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement } from '#platform/duckdb/sql.ts';
import { INTERNAL_FIELDS } from '#shared/assignments/schema.ts';
import {
  keyOf,
  partOf,
  valueTypeOf,
  type ConstructionRow,
  type SourcePart,
  type SourceSuggestion,
} from '#shared/construction/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { runningMappings } from '#feed/stages/assignments/tables.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import { demand } from '#feed/plan/demand.ts';
import { buildItems } from '#feed/plan/build.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { SourceFinder, type Earlier, type Source } from './sources.ts';

/** The number of items in the sample, and of blocks of the catalogue from which they come. */
const SAMPLE = 400;
const BLOCKS = 8;
/** The most characters of a value that are examined. */
const LONGEST = 2000;

type Candidate = Omit<Source, 'coverage' | 'values'> & { coverage: number | undefined };

/** Suggests sources for the rows without one: fields, results of mappings and tables (docs/suggestions.md). */
export async function suggestSources(
  duckdb: DuckDb,
  plan: ExportPlan,
  rows: readonly ConstructionRow[],
  earlier: readonly Earlier[],
  signal: AbortSignal,
): Promise<SourceSuggestion[]> {
  const open = rows.filter(
    (row) => row.exportfield !== '' && row.field.every((entry) => partOf(entry).value.trim() === ''),
  );
  if (open.length === 0) return [];
  const fields = plan.template?.fields ?? [];
  const byName = new Map(fields.map((field) => [field.name, field]));
  const sources = await inspect(duckdb, plan, candidatesOf(plan), signal);
  const names = [...new Set(open.map(({ exportfield }) => exportfield))];
  const finder = new SourceFinder(
    sources,
    fields,
    names.filter((wanted) => !byName.has(wanted)),
    earlier,
  );
  return names.flatMap((wanted) => finder.suggest({ name: wanted, field: byName.get(wanted) }));
}

/** The possible sources: the catalogue's fields, running mappings, and the results of the export's tables. */
function candidatesOf({ snapshot, mappings, tables, masterRules, exportRules }: ExportPlan): Candidate[] {
  const share = (filled: number) => (snapshot.items === 0 ? 0 : filled / snapshot.items);
  const fields = snapshot.fields.map(({ name: field, filled }): Candidate => ({
    part: { type: '_field', value: field, caption: field },
    names: [field],
    coverage: share(filled),
    isKey: field === snapshot.key,
    made: false,
  }));
  const known = new Set(snapshot.fields.map((field) => field.name));
  const written = [...masterRules, ...exportRules]
    .filter(({ active }) => active)
    .flatMap(({ actions }) => actions.map(({ field }) => field));
  const made = [...new Set(written)]
    .filter((field) => field !== '' && field !== ALL_FIELDS && !known.has(field))
    .map((field): Candidate => ({
      part: { type: '_field', value: field, caption: field },
      names: [field],
      coverage: undefined,
      isKey: false,
      made: true,
    }));
  const mapped = runningMappings(mappings).map(({ name: mapping }): Candidate => ({
    part: { type: '_mapping', value: mapping, caption: mapping },
    names: [mapping],
    coverage: undefined,
    isKey: false,
    made: true,
  }));
  const internal = INTERNAL_FIELDS.flatMap((field): Candidate[] => {
    // Only channels that number their messages have a field of this name.
    if (field.value === 'index') {
      const part = { type: '_intern' as const, value: field.value, caption: field.name };
      return [{ part, names: [field.name], coverage: 1, isKey: false, made: true }];
    }
    if (!('part' in field) || !tables[field.from].some((row) => row.active)) return [];
    const part = { type: '_intern' as const, value: field.value, caption: field.name };
    const names = [field.name, ...internalNames[field.value]];
    return [{ part, names, coverage: undefined, isKey: false, made: true }];
  });
  return [...fields, ...made, ...mapped, ...internal];
}

/** Names that channels use for fields with the targets of an export's table. */
const internalNames: Readonly<
  Record<Exclude<(typeof INTERNAL_FIELDS)[number]['value'], '_id' | 'index' | 'stock_offered'>, readonly string[]>
> = {
  category: ['google_product_category', 'fb_product_category', 'category_id', 'categoryId', 'Kategorie-ID'],
  category_name: ['category', 'category_path', 'Kategoriepfad'],
  product_type: ['Produkttyp'],
  brand: ['brand_id'],
  brand_name: ['brand', 'Hersteller', 'manufacturer'],
  color: ['color_id'],
  color_name: ['color', 'Farbe'],
};

/** The candidates with values of the sample items after rules and tables, and with their coverage there if it is unknown. */
async function inspect(
  duckdb: DuckDb,
  plan: ExportPlan,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<Source[]> {
  return duckdb.inSession(async (session) => {
    await session.all(sampleOf(plan), signal);
    const columns = new Map(plan.snapshot.fields.map((field) => [field.name, field.id]));
    const keys = candidates.map(({ part }) =>
      part.type === '_mapping' || part.type === '_intern' ? sourceKey(part.type, part.value) : part.value,
    );
    const reads = new Set(keys);
    const sample = { ...plan, items: tableRelation('sample', columns) };
    const items = buildItems(sample, demand(sample, { live: reads, reads }));
    for (const first of items.statements) await session.all(first, signal);
    const rows = await session.all(valuesOf(items.relation, keys), signal);
    return candidates.map((candidate, index) => sourceOf(candidate, index, rows));
  }, signal);
}

/** The sample, from several parts of the catalogue. Blocks, because single rows would require reading the whole file. */
function sampleOf({ path, snapshot }: ExportPlan) {
  const items = snapshotRelation({ path, fields: snapshot.fields });
  const size = SAMPLE / BLOCKS;
  const blocks = Array.from({ length: BLOCKS }, (_, index) => {
    const start = Math.floor((snapshot.items * index) / BLOCKS);
    return duck`row BETWEEN ${ownNumber(start)} AND ${ownNumber(start + size - 1)}`;
  });
  const some = duck`SELECT * FROM ${name(items.from)} WHERE ${join(blocks, duck` OR `)}`;
  return statement(duck`CREATE TEMP TABLE sample AS ${withSteps(items, some)}`);
}

function valuesOf(relation: Relation, keys: readonly string[]) {
  const cells = keys.map(
    (key, index) => duck`left(${column(relation, key)}, ${ownNumber(LONGEST)}) AS ${name(`v${index}`)}`,
  );
  return statement(withSteps(relation, duck`SELECT ${join(cells, duck`, `)} FROM ${name(relation.from)}`));
}

function sourceOf(candidate: Candidate, index: number, rows: readonly DuckRow[]): Source {
  const values = rows.map((row) => row[`v${index}`]).filter((value) => typeof value === 'string');
  const filled = values.filter((value) => value.trim() !== '');
  return {
    ...candidate,
    values: filled,
    coverage: candidate.coverage ?? (rows.length === 0 ? 0 : filled.length / rows.length),
  };
}

/** The sources in the company's other exports: rows with one source or one fixed text. */
export async function earlierSources(
  trx: Trx,
  company: string,
  record: { id: string; settings: { channel: string } },
): Promise<Earlier[]> {
  const found: Earlier[] = [];
  for (const master of await listMasters(trx, company)) {
    for (const { id, settings } of await listExports(trx, company, master.masterid)) {
      if (id === record.id) continue;
      const { rows } = await loadConstruction(trx, company, id);
      const near = settings.channel === record.settings.channel && templateOf(settings.channel) !== undefined;
      for (const row of rows) {
        const parts = singleParts(row);
        found.push(...parts.map((part) => ({ name: row.exportfield, part, where: settings.name, near })));
      }
    }
  }
  return found;
}

function singleParts(row: ConstructionRow): SourcePart[] {
  const kind = valueTypeOf(row);
  if (row.exportfield === '' || kind === 'array_key_value') return [];
  const parts = row.field
    .filter((entry) => keyOf(entry) === '')
    .map(partOf)
    .filter(({ value }) => value.trim() !== '');
  return kind === 'array' || parts.length === 1 ? parts : [];
}
