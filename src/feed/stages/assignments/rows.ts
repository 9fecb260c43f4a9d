import type { AssignRow, AssignTest } from '#engine/duckdb/assign.ts';
import { sourceKey } from '#engine/ir/source-key.ts';
import { filterDefinition, type CategoryRow, type MappingRow, type RowCondition } from '#shared/assignments/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';

/** A row of any table, for its conditions. */
export type TableRow = MappingRow | CategoryRow;

const empty: SourcePart = { type: '_string', value: '', caption: '' };

/** The conditions of a row: one, or two in a category table (CAT-05). */
export function conditionsOf(row: TableRow): readonly RowCondition[] {
  if ('producttyp' in row) return row.field;
  return [{ input: row.field[0] ?? empty, filter: row.filter, value: row.value }];
}

/** The keys under which a relation holds the sources that the rows read. */
export function rowKeys(rows: readonly TableRow[]): string[] {
  return rows.flatMap((row) => conditionsOf(row).flatMap(({ input }) => keyOf(input) ?? []));
}

export function keyOf({ type, value }: SourcePart): string | undefined {
  return type === '_string' || type === '_default' ? undefined : sourceKey(type, value);
}

function testOf({ input, filter, value }: RowCondition): AssignTest {
  const { kind, negated } = filterDefinition(filter);
  const field = keyOf(input);
  const source =
    field === undefined ? ({ from: 'literal', text: input.value } as const) : ({ from: 'field', field } as const);
  return { source, kind, negated, value };
}

/** The active rows (GEN-03) for the engine, with their outputs: target, its name, and its info in the channel's list. */
export function assignRows(
  rows: readonly TableRow[],
  targets: ReadonlyMap<string, TargetEntry> = new Map(),
): AssignRow[] {
  return activeRows(rows).map((row) => {
    const target = targets.get(row.target);
    const name = target?.name ?? (row.catname === '' ? row.target : row.catname);
    const info = target?.info ?? ('producttyp' in row ? row.producttyp : '');
    return {
      conditions: conditionsOf(row).map(testOf),
      outputs: [row.target, row.target === '' ? '' : name, row.target === '' ? '' : info],
    };
  });
}

export function activeRows<T extends TableRow>(rows: readonly T[]): T[] {
  return rows.filter((row) => row.active);
}
