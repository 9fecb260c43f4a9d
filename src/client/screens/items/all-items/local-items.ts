import {
  type Column,
  type Field,
  type FilterMode,
  type ItemFilter,
  type ItemRow,
  MAX_SORTED_LETTERS,
} from '#shared/items/schema.ts';
import { numberText, numberTextIn, textLines } from '#shared/values/number-text.ts';
import type { ItemsQuery } from '#client/screens/items/items-query.ts';

/** Sorts as the server does; other versions of the collation data may place curly quotes differently. */
const collator = new Intl.Collator('de');
const numeric = new Set<Column['guess']>(['number', 'price', 'integer']);

/** Returns all loaded items that a query selects, in its order. */
export function selectLocally(
  rows: readonly ItemRow[],
  columns: readonly Column[],
  query: Pick<ItemsQuery, 'search' | 'filters' | 'sort' | 'direction'>,
): readonly ItemRow[] {
  const wanted = query.search.trim().toLowerCase();
  const ids = columns.map(({ id }) => id);
  const conditions = query.filters.map((filter) =>
    conditionOf(filter, rows, markOf(columns.find(({ id }) => id === filter.field))),
  );
  const found = rows.filter(
    (row) =>
      conditions.every((holds) => holds(row)) &&
      (wanted === '' || ids.some((id) => row[id]?.toLowerCase().includes(wanted) === true)),
  );
  if (query.sort === null) return found;
  const column = columns.find(({ id }) => id === query.sort);
  return column === undefined ? found : sortBy(found, column, query.direction);
}

/**
 * Tells whether the loaded items are enough to answer a query: they hold only the fields that were shown when they were loaded,
 * while a search covers all `fields` of the catalogue. Otherwise the server must answer.
 */
export function isSelectable(
  rows: readonly ItemRow[],
  fields: readonly Pick<Field, 'id'>[],
  { filters, sort, search }: Pick<ItemsQuery, 'filters' | 'sort' | 'search'>,
): boolean {
  const [first] = rows;
  const neededFields = [
    ...filters.map(({ field }) => field),
    ...(sort === null ? [] : [sort]),
    ...(search.trim() === '' ? [] : fields.map(({ id }) => id)),
  ];
  return first === undefined || neededFields.every((id) => Object.hasOwn(first, id));
}

/** Returns the items before and after one of them; null if it is not among them. */
export function around(
  rows: readonly ItemRow[],
  itemId: string | null,
): { previous: string | null; next: string | null } {
  const at = rows.findIndex((row) => row['_id'] === itemId);
  const id = (index: number) => (at === -1 ? null : (rows[index]?.['_id'] ?? null));
  return { previous: id(at - 1), next: id(at + 1) };
}

/** Filters that depend on one item only. */
type AloneMode = Exclude<FilterMode, 'is_duplicate'>;
type Condition = (row: ItemRow) => boolean;
/** Meaning of a separator before three digits in a column. */
type Mark = NonNullable<Column['groups']>['mark'] | undefined;
const markOf = (column: Column | undefined): Mark => column?.groups?.mark;

/**
 * Returns a test that agrees with the server's filter of the same name: case does not count, blank is
 * empty. `all`: the items to compare with.
 */
function conditionOf(filter: ItemFilter, all: readonly ItemRow[], mark: Mark): Condition {
  const { field } = filter;
  const { mode } = filter;
  if (mode !== 'is_duplicate') return (row) => holds(row[field] ?? '', { ...filter, mode }, mark);
  const counts = new Map<string, number>();
  const keyOf = (row: ItemRow) => (row[field] ?? '').toLowerCase();
  for (const row of all) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return (row) => keyOf(row).trim() !== '' && (counts.get(keyOf(row)) ?? 0) > 1;
}

function holds(
  own: string,
  { mode, value, to = '' }: Omit<ItemFilter, 'mode'> & { mode: AloneMode },
  mark: Mark,
): boolean {
  const against = (bound: string) => Number(numberTextIn(own, mark)) - Number(numberText(bound));
  const [text, wanted] = [own.toLowerCase(), value.toLowerCase()];
  switch (mode) {
    case 'contains':
      return text.includes(wanted);
    case 'is_equal':
      return text === wanted;
    case 'is_not_equal':
      return text !== wanted;
    case 'is_equal_any':
      return text !== '' && textLines(wanted).includes(text);
    case 'not_equal_any':
      return text === '' || !textLines(wanted).includes(text);
    case 'is_empty':
      return own.trim() === '';
    case 'is_not_empty':
      return own.trim() !== '';
    // For a text that is not a number the difference is NaN, which satisfies no comparison.
    case 'is_greater':
      return against(value) > 0;
    case 'is_less':
      return against(value) < 0;
    case 'between':
      return against(value) >= 0 && against(to) <= 0;
    case 'length_exceeds':
      return own !== '' && Array.from(own).length > Number(numberText(value));
  }
}

/** Sorts numbers by size, everything else in dictionary order; missing values and non-numbers come last in both directions. */
function sortBy(rows: readonly ItemRow[], column: Column, direction: 'asc' | 'desc'): readonly ItemRow[] {
  const { id, guess } = column;
  const sign = direction === 'asc' ? 1 : -1;
  const keys = new Map<ItemRow, number | string | null>(
    rows.map((row) => {
      const text = row[id] ?? null;
      return [row, numeric.has(guess) ? numberOf(text, markOf(column)) : text === null ? null : sortedLetters(text)];
    }),
  );
  return rows.toSorted((a, b) => {
    const first = keys.get(a) ?? null;
    const second = keys.get(b) ?? null;
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    if (typeof first === 'number' && typeof second === 'number') return sign * (first - second);
    return sign * collator.compare(String(first), String(second));
  });
}

/** Returns the beginning of a text, in letters as the server counts them. */
const sortedLetters = (text: string): string =>
  text.length <= MAX_SORTED_LETTERS
    ? text
    : Array.from(text.slice(0, 2 * MAX_SORTED_LETTERS))
        .slice(0, MAX_SORTED_LETTERS)
        .join('');

function numberOf(value: string | null, mark: Mark): number | null {
  const number = value === null ? undefined : numberTextIn(value, mark);
  return number === undefined ? null : Number(number);
}
