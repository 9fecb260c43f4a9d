import { EarlierRows, type Test } from './earlier-rows.ts';
import { filterDefinition, type CategoryRow, type MappingRow, type RowCondition } from './schema.ts';

/** A row that never matches an item, since an earlier active row always matches first. */
export type ShadowedRow = { readonly id: string; readonly by: string };

type Row = MappingRow | CategoryRow;

function testsOf(row: Row): Test[] {
  const conditions: readonly Pick<RowCondition, 'input' | 'filter' | 'value'>[] =
    'producttyp' in row
      ? row.field
      : [{ input: row.field[0] ?? { type: '_string', value: '', caption: '' }, filter: row.filter, value: row.value }];
  return conditions.map(({ input, filter, value }) => {
    const { kind, negated } = filterDefinition(filter);
    return { source: `${input.type} ${input.value}`, kind, negated, value: value.toLowerCase() };
  });
}

/**
 * Returns rows that can never match, each with the earliest row that takes all its items. Reports only what the rows themselves
 * prove; counts tell whether the catalogue has such items.
 */
export function shadowedRows(rows: readonly Row[]): ShadowedRow[] {
  const shadowed: ShadowedRow[] = [];
  const earlier = new EarlierRows();
  for (const row of rows) {
    if (!row.active) continue;
    const tests = testsOf(row);
    const by = earlier.firstThatTakes(tests);
    if (by !== undefined) shadowed.push({ id: row.id, by });
    // A row with an empty value matches nothing, so it takes no item from others.
    else if (tests.every(({ value, negated }) => value !== '' || negated)) earlier.add(row.id, tests);
  }
  return shadowed;
}
