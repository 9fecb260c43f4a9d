import { query, type Relation } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, duck, type Sql } from '#platform/duckdb/sql.ts';
import { sourceKey } from '#engine/ir/source-key.ts';
import { INTERNAL_FIELDS } from '#shared/assignments/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { valueTypeOf, type ConstructionRow, type SourcePart } from '#shared/construction/schema.ts';
import type { ExplainedRow } from '#shared/explain/schema.ts';
import { columnText } from './values.ts';
import { usedParts } from './fields.ts';
import type { Constructed, ExportColumn } from './columns.ts';

/** One item after the rules: its relation with the construction added, its number and its values at that point. */
export type ConstructedItem = {
  readonly constructed: Constructed;
  readonly id: string;
  readonly values: ReadonlyMap<string, string | null>;
};

/**
 * Returns every export field of one item with its sources. `rows` are those that the construction was made from; `serialize`
 * writes a column as the file does. Rows without a name are no fields of the export.
 */
export async function explainConstruction(
  duckdb: DuckDb,
  rows: readonly ConstructionRow[],
  item: ConstructedItem,
  serialize: (column: ExportColumn) => Sql,
  signal?: AbortSignal,
): Promise<Omit<ExplainedRow, 'concerns'>[]> {
  const { relation, columns } = item.constructed;
  const { plain, written } = await valuesOf(duckdb, relation, columns, serialize, signal);
  return rows
    .filter((row) => row.exportfield !== '')
    .map((row, index) => ({
      rowId: row.id,
      name: row.exportfield,
      kind: valueTypeOf(row),
      parts: usedParts(row).map((part) => ({ field: fieldOf(part), value: partText(part, item) })),
      value: textOf(plain[index]),
      written: textOf(written[index]),
      requirement: row.mp_state,
      missing: row.mp_state === 'Required' && (textOf(plain[index]) ?? '').trim() === '',
    }));
}

/** The display name of a part's source; null for a fixed text. */
function fieldOf({ type, value }: SourcePart): string | null {
  if (type === '_string' || type === '_default') return null;
  if (type === '_mapping') return `Mapping ${value}`;
  return type === '_field' ? value : (INTERNAL_FIELDS.find((field) => field.value === value)?.name ?? value);
}

function partText({ type, value }: SourcePart, { id, values }: ConstructedItem): string | null {
  if (type === '_string' || type === '_default') return value === '' ? null : value;
  if (type !== '_mapping' && value === ITEM_ID) return id;
  return values.get(sourceKey(type, value)) ?? null;
}

type Values = { readonly plain: readonly unknown[]; readonly written: readonly unknown[] };

async function valuesOf(
  duckdb: DuckDb,
  relation: Relation,
  columns: readonly ExportColumn[],
  serialize: (column: ExportColumn) => Sql,
  signal: AbortSignal | undefined,
): Promise<Values> {
  if (columns.length === 0) return { plain: [], written: [] };
  const list = (cells: readonly Sql[]) => duck`[${join(cells, duck`, `)}]`;
  const plain = list(columns.map(columnText));
  const body = duck`SELECT ${plain} AS plain, ${list(columns.map(serialize))} AS written FROM ${name(relation.from)}`;
  const [row] = await duckdb.all(query(relation, body), signal);
  return { plain: listOf(row?.['plain']), written: listOf(row?.['written']) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
