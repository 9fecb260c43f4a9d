import { column, inOrder, nextStep, withSteps, type Relation } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import type { AttributeCell, AttributeField, AttributeGroup, AttributeRow } from '#shared/attributes/schema.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { attributeFields, cellProblems, filledNames, selectionName, type Selection } from './fields.ts';
import { CATEGORY, PRODUCT_TYPE } from '#feed/stages/attributes/values.ts';
import type { ExportColumn } from '#feed/stages/construction/columns.ts';
import { cellText, entryTexts } from '#feed/stages/output/cells.ts';
import { buildItems, construct } from '#feed/plan/build.ts';
import { constructionReads, demand } from '#feed/plan/demand.ts';
import { type ExportPlan, passesThrough } from '#feed/plan/export-plan.ts';

type Page = { readonly page: number; readonly pageLimit: number };
export type AttributeList = {
  data: AttributeRow[];
  fieldlist: AttributeField[];
  listlength: number;
  error: string;
};

/** Returns a page of the items of a selection with the values of all fields as written to the file (ATT-05). */
export async function attributeList(
  duckdb: DuckDb,
  { plan, format }: { plan: ExportPlan; format: OutputFormat },
  selection: Selection,
  { page, pageLimit }: Page,
  signal?: AbortSignal,
): Promise<AttributeList> {
  const items = categorised(plan);
  const { constructed } = construct(plan, only(items.relation, selection));
  const { relation, columns } = constructed;
  const entries = columns.flatMap((one) => {
    const texts = entryTexts(one, format);
    return texts ? [duck`${texts} AS ${name(entriesName(one))}`] : [];
  });
  const cells = columns.map((one) => duck`${cellText(one, format)} AS ${name(one.column)}`);
  const chosen = [duck`id`, ...cells, ...entries];
  const rows = duck`SELECT ${join(chosen, duck`, `)} FROM ${name(relation.from)}${inOrder(relation)}
    LIMIT ${ownNumber(pageLimit)} OFFSET ${ownNumber(page * pageLimit)}`;
  const count = duck`SELECT count(*)::INT AS n FROM ${name(relation.from)}`;
  return duckdb.inSession(async (session) => {
    for (const first of items.statements) await session.all(first, signal);
    const [counted] = await session.all(statement(withSteps(relation, count)), signal);
    const read = await session.all(statement(withSteps(relation, rows)), signal);
    const fieldlist = attributeFields(plan, selection, filledNames(plan, items.relation));
    const listlength = Number(counted?.['n'] ?? 0);
    return {
      data: read.map((row) => rowOf(row, columns, fieldlist)),
      fieldlist,
      listlength,
      error: listlength === 0 ? emptyReason(plan, selection) : '',
    };
  }, signal);
}

/** Counts the items in each category of the export and the attributes set for it. */
export async function attributeGroups(
  duckdb: DuckDb,
  plan: ExportPlan,
  signal?: AbortSignal,
): Promise<{ groups: AttributeGroup[]; items: number }> {
  const { relation, statements } = categorised(plan);
  const keys = [duck`${column(relation, CATEGORY)} AS cat`, duck`${column(relation, PRODUCT_TYPE)} AS typ`];
  const body = duck`SELECT ${join(keys, duck`, `)}, count(*)::INT AS n FROM ${name(relation.from)} GROUP BY ALL ORDER BY n DESC, 1, 2`;
  const rows = await duckdb.last([...statements, statement(withSteps(relation, body))], signal);
  const groups = rows.map((row) => {
    const [cat, typ] = [textOf(row['cat']), textOf(row['typ'])];
    const set = plan.attributes.filter((value) => value.cat === cat && value.typ === typ).length;
    return {
      cat,
      typ,
      name: selectionName({ cat, typ }, plan.tables.targets.categories),
      items: Number(row['n']),
      set,
    };
  });
  return { groups: groups.filter(({ cat }) => cat !== ''), items: groups.reduce((sum, { items }) => sum + items, 0) };
}

/** The items of the export with their category and product type, even if no field of the construction reads these. */
export function categorised(plan: ExportPlan) {
  const reads = new Set([...constructionReads(plan), CATEGORY, PRODUCT_TYPE]);
  return buildItems(plan, demand(plan, { live: passesThrough(plan) ? 'all' : reads, reads }));
}

function only(relation: Relation, { typ, cat }: Selection): Relation {
  const conditions: Sql[] = [
    ...(cat === '' ? [] : [duck`${column(relation, CATEGORY)} = ${cat}`]),
    ...(typ === '' ? [] : [duck`${column(relation, PRODUCT_TYPE)} = ${typ}`]),
  ];
  if (conditions.length === 0) return relation;
  const body = duck`SELECT * FROM ${name(relation.from)} WHERE ${join(conditions, duck` AND `)}`;
  return nextStep(relation, body, relation.columns);
}

/** Columns with the same name share a cell: the first that has a value wins. */
function rowOf(
  row: Record<string, unknown>,
  columns: readonly ExportColumn[],
  fields: readonly AttributeField[],
): AttributeRow {
  const cells = fields.map(({ exportfield, editable }): [string, AttributeCell] => {
    const own = columns.filter((one) => one.name === exportfield);
    const filled = own.find(({ column: cell }) => textOf(row[cell]) !== '');
    const text = filled ? textOf(row[filled.column]) : '';
    const problems = filled ? cellProblems(valuesOf(row, filled), filled.field) : [];
    return [exportfield, { value: problems.length > 0 ? problems : text, editable }];
  });
  return Object.fromEntries([
    ['_id', { value: textOf(row['id']), editable: 'false' } satisfies AttributeCell],
    ...cells,
  ]);
}

const entriesName = ({ column: cell }: ExportColumn) => `${cell}_entries`;

/** The values that the channel checks separately: each entry of a list. */
function valuesOf(row: Record<string, unknown>, column: ExportColumn): string[] {
  const entries = row[entriesName(column)];
  return Array.isArray(entries) ? entries.map(textOf) : [textOf(row[column.column])];
}

function emptyReason({ tables }: ExportPlan, { typ, cat }: Selection): string {
  if (cat !== '' && tables.targets.categories.size > 0 && !tables.targets.categories.has(cat))
    return `Die Kategorie „${cat}“ gibt es in der Liste des Kanals nicht. Bitte wählen Sie eine andere.`;
  if (cat !== '' || typ !== '')
    return 'Dieser Kategorie ist kein Artikel zugeordnet. Zuordnungen ändern Sie unter „Kategorien“.';
  return '';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
