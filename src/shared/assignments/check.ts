import {
  comparisonHolds,
  filterDefinition,
  type Comparison,
  type CategoryRow,
  type MappingRow,
  type RowCondition,
} from './schema.ts';

/** A row that never gets an item, since an earlier active row surely holds wherever this one does. */
export type ShadowedRow = { readonly id: string; readonly by: string };

type Row = MappingRow | CategoryRow;
type Test = {
  readonly source: string;
  readonly kind: Comparison;
  readonly negated: boolean;
  readonly value: string;
};

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
 * Rows that can never win, each with the earliest row that takes everything from it. Only what the rows themselves prove is
 * said; whether the catalogue has such items is what counts tell. Equality rows are compared by a table, so that 20,000 of
 * them cost little.
 */
export function shadowedRows(rows: readonly Row[]): ShadowedRow[] {
  const shadowed: ShadowedRow[] = [];
  /** The first row that asks nothing but this one equality. */
  const equal = new Map<string, string>();
  const others: { id: string; tests: Test[] }[] = [];
  for (const row of rows) {
    if (!row.active) continue;
    const tests = testsOf(row);
    const keys = tests.filter((test) => test.kind === 'equals' && !test.negated).map(keyOf);
    const same = keys.map((key) => equal.get(key)).find((id) => id !== undefined);
    const by =
      same ?? others.find((other) => other.tests.every((wanted) => tests.some((test) => implies(test, wanted))))?.id;
    if (by !== undefined) {
      shadowed.push({ id: row.id, by });
      continue;
    }
    const [only] = tests;
    if (tests.length === 1 && only?.kind === 'equals' && !only.negated && only.value !== '')
      equal.set(keyOf(only), row.id);
    else if (tests.every(({ value, negated }) => value !== '' || negated)) others.push({ id: row.id, tests });
  }
  return shadowed;
}

const keyOf = ({ source, value }: Test): string => `${source}\n${value}`;

/** Whether every text that satisfies `test` satisfies `wanted` too. */
function implies(test: Test, wanted: Test): boolean {
  if (test.source !== wanted.source) return false;
  if (wanted.negated) {
    if (test.negated) return test.kind === wanted.kind && test.value === wanted.value;
    // A text that is known whole either has the unwanted thing or has it not.
    return test.kind === 'equals' && test.value !== '' && !comparisonHolds(wanted.kind, test.value, wanted.value);
  }
  if (test.negated || test.value === '' || wanted.value === '') return false;
  switch (test.kind) {
    case 'equals':
      return comparisonHolds(wanted.kind, test.value, wanted.value);
    case 'startsWith':
      return (
        (wanted.kind === 'startsWith' && test.value.startsWith(wanted.value)) ||
        (wanted.kind === 'contains' && test.value.includes(wanted.value))
      );
    case 'endsWith':
      return (
        (wanted.kind === 'endsWith' && test.value.endsWith(wanted.value)) ||
        (wanted.kind === 'contains' && test.value.includes(wanted.value))
      );
    case 'contains':
      return wanted.kind === 'contains' && test.value.includes(wanted.value);
  }
}
