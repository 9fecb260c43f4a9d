import { expect, it } from 'vitest';
import type { ItemFilter } from '#shared/items/schema.ts';
import { readConditions, ruleSearch } from './rule-of-filters.ts';

let made = 0;
const randomId = () => `Bedingung${(made += 1)}`;
const read = (search: string) =>
  readConditions(new URLSearchParams(search), randomId).map(({ field, select, selecttyp, value }) => [
    field,
    select,
    selecttyp,
    value,
  ]);
const nameOf = (field: string) => ({ f1: 'Marke & Co', f2: 'Preis' })[field] ?? field;

it('filters and search of the grid become rule conditions that name the fields', () => {
  const filters: ItemFilter[] = [
    { field: 'f1', mode: 'is_equal_any', value: 'Rot\nBlau' },
    { field: 'f2', mode: 'between', value: '10', to: '20,5' },
    { field: 'f2', mode: 'is_duplicate', value: '' },
  ];
  expect(read(ruleSearch({ filters, search: 'größe' }, nameOf))).toEqual([
    ['Marke & Co', 'is_equal_any', 'multiple', 'Rot\nBlau'],
    ['Preis', 'is_greater_equal', 'text', '10'],
    ['Preis', 'is_less_equal', 'text', '20,5'],
    ['@ALL@', 'contains', 'text', 'größe'],
  ]);
});

it('a filter that no rule condition can express yields no rule', () => {
  expect(ruleSearch({ filters: [{ field: 'f2', mode: 'is_duplicate', value: '' }], search: '' }, nameOf)).toBe('');
});

it.each(['', '?bedingungen=%7B', '?bedingungen=[{"field":"x","select":"gibt es nicht","value":""}]'])(
  'an unreadable address yields no conditions: %s',
  (search) => expect(read(search)).toEqual([]),
);
