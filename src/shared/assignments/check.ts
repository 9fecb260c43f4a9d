import {
  comparisonHolds,
  filterDefinition,
  type Comparison,
  type CategoryRow,
  type MappingRow,
  type RowCondition,
} from './schema.ts';

/** A row that never matches an item, since an earlier active row always matches first. */
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
 * Returns rows that can never match, each with the earliest row that takes all its items. Reports only what the rows themselves
 * prove; counts tell whether the catalogue has such items. Equality rows are looked up in a map, so that 20,000 of them cost
 * little.
 */
export function shadowedRows(rows: readonly Row[]): ShadowedRow[] {
  const shadowed: ShadowedRow[] = [];
  /** The first row whose only condition is this equality. */
  const equal = new Map<string, string>();
  const others: { id: string; tests: Test[] }[] = [];
  for (const row of rows) {
    if (!row.active) continue;
    const tests = testsOf(row);
    const keys = tests.filter((test) => test.kind === 'equals' && !test.negated).map(keyOf);
    const same = keys.map((key) => equal.get(key)).find((id) => id !== undefined);
    const by =
      same ??
      others.find((other) => other.tests.every((condition) => tests.some((test) => implies(test, condition))))?.id;
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

/** Whether every text that satisfies `test` satisfies `condition` too. */
function implies(test: Test, condition: Test): boolean {
  if (test.source !== condition.source) return false;
  if (condition.negated) {
    if (test.negated) return test.kind === condition.kind && test.value === condition.value;
    // For a fully known text it is certain whether the unwanted condition holds.
    return test.kind === 'equals' && test.value !== '' && !comparisonHolds(condition.kind, test.value, condition.value);
  }
  if (test.negated || test.value === '' || condition.value === '') return false;
  switch (test.kind) {
    case 'equals':
      return comparisonHolds(condition.kind, test.value, condition.value);
    case 'startsWith':
      return (
        (condition.kind === 'startsWith' && test.value.startsWith(condition.value)) ||
        (condition.kind === 'contains' && test.value.includes(condition.value))
      );
    case 'endsWith':
      return (
        (condition.kind === 'endsWith' && test.value.endsWith(condition.value)) ||
        (condition.kind === 'contains' && test.value.includes(condition.value))
      );
    case 'contains':
      return condition.kind === 'contains' && test.value.includes(condition.value);
  }
}
