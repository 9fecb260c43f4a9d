import type { ItemExportValue, ItemExportValues } from '#shared/explain/schema.ts';

/** A field with its value in each export, in the order of the exports; undefined: that export has no such field. */
export type ExportRow = { key: string; name: string; cells: readonly (ItemExportValue | undefined)[] };

/** Returns the exports' fields by name: those in most exports first, then in the order of the exports. */
export function exportRows(exports: readonly Pick<ItemExportValues, 'values'>[]): ExportRow[] {
  const rows = new Map<string, { name: string; cells: (ItemExportValue | undefined)[] }>();
  for (const [index, { values }] of exports.entries()) {
    const occurrences = new Map<string, number>();
    for (const value of values) {
      // Two columns may have the same name; the second of one export is aligned with the second of another.
      const number = occurrences.get(value.name) ?? 0;
      occurrences.set(value.name, number + 1);
      const key = `${number} ${value.name}`;
      const row = rows.get(key) ?? { name: value.name, cells: exports.map(() => undefined) };
      row.cells[index] = value;
      rows.set(key, row);
    }
  }
  const sharedBy = ({ cells }: Pick<ExportRow, 'cells'>) => cells.filter((cell) => cell !== undefined).length;
  return [...rows].map(([key, row]) => ({ key, ...row })).toSorted((one, other) => sharedBy(other) - sharedBy(one));
}

export type ValueMark = 'error' | 'warning' | 'changed' | 'plain';

/** Returns the mark of a value: its most severe problem. */
export function markOf({ problems, origin }: Pick<ItemExportValue, 'problems' | 'origin'>): ValueMark {
  if (problems.some(({ severity }) => severity === 'error')) return 'error';
  if (problems.length > 0) return 'warning';
  return origin === 'changed' ? 'changed' : 'plain';
}

/** Counts an export's values by mark. */
export function countMarks({ values }: Pick<ItemExportValues, 'values'>): Record<ValueMark, number> {
  const counts = { error: 0, warning: 0, changed: 0, plain: 0 };
  for (const value of values) counts[markOf(value)]++;
  return counts;
}

/** Returns the rows that have a marked value. */
export const markedRows = (rows: readonly ExportRow[]): ExportRow[] =>
  rows.filter(({ cells }) => cells.some((cell) => cell !== undefined && markOf(cell) !== 'plain'));
