import { type FilterMode, type ItemFilter, MAX_FILTER_VALUE } from '#shared/items/schema.ts';
import { textLines } from '#shared/values/number-text.ts';

/** Maximum number of filters in one request. */
const MOST_FILTERS = 10;

type Filters = readonly ItemFilter[];
/** Whether a facet's value is included or excluded. */
export type Side = 'only' | 'without';

const modes = {
  only: { one: 'is_equal', any: 'is_equal_any' },
  without: { one: 'is_not_equal', any: 'not_equal_any' },
} as const satisfies Record<Side, Record<'one' | 'any', FilterMode>>;

const isOf = (side: Side, field: string) => (filter: ItemFilter) =>
  filter.field === field && (filter.mode === modes[side].one || filter.mode === modes[side].any);

/** Returns the values of a field that its filters name. */
export function namedValues(filters: Filters, field: string, side: Side): string[] {
  return filters
    .filter(isOf(side, field))
    .flatMap(({ mode, value }) => (mode === modes[side].one ? [value] : textLines(value)))
    .filter((value) => value !== '');
}

/** Filters ignore case. */
export const isNamed = (values: readonly string[], value: string): boolean =>
  values.some((other) => other.toLowerCase() === value.toLowerCase());

/** Returns the filters with a value added, or removed if it was there; undefined if no filter can express that. */
export function toggleValue(filters: Filters, field: string, value: string, side: Side): Filters | undefined {
  const other = side === 'only' ? 'without' : 'only';
  const named = namedValues(filters, field, side);
  const without = (values: readonly string[]) => values.filter((one) => one.toLowerCase() !== value.toLowerCase());
  const next = isNamed(named, value) ? without(named) : [...named, value];
  const rest = filters.filter((filter) => !isOf(side, field)(filter) && !isOf(other, field)(filter));
  const both = [filterOf(field, side, next), filterOf(field, other, without(namedValues(filters, field, other)))];
  return both.includes(undefined) ? undefined : within([...rest, ...both.flatMap((filter) => filter ?? [])]);
}

/** Returns the filter that names these values; null if there are none, undefined if a filter cannot hold them. */
function filterOf(field: string, side: Side, values: readonly string[]): ItemFilter | null | undefined {
  const [first] = values;
  if (first === undefined) return null;
  if (values.length === 1) return { field, mode: modes[side].one, value: first };
  const value = values.join('\n');
  // A value of several lines would become several entries.
  if (value.length > MAX_FILTER_VALUE || values.some((one) => /[\r\n]/.test(one))) return undefined;
  return { field, mode: modes[side].any, value };
}

/** Tells whether exactly this filter is active. */
export const isActive = (filters: Filters, filter: ItemFilter): boolean => filters.some((one) => same(one, filter));

/**
 * Returns the filters with this one replacing others of its kind on its field, or without it if it
 * was active; undefined beyond the maximum.
 */
export function toggleFilter(filters: Filters, filter: ItemFilter): Filters | undefined {
  if (isActive(filters, filter)) return filters.filter((one) => !same(one, filter));
  const others = filters.filter(({ field, mode }) => field !== filter.field || mode !== filter.mode);
  return within([...others, filter]);
}

const within = (filters: Filters): Filters | undefined => (filters.length > MOST_FILTERS ? undefined : filters);

const same = (one: ItemFilter, other: ItemFilter): boolean =>
  one.field === other.field && one.mode === other.mode && one.value === other.value && one.to === other.to;
