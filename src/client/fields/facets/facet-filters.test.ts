import { describe, expect, it } from 'vitest';
import { ItemFilters, type ItemFilter } from '#shared/items/schema.ts';
import { isActive, namedValues, toggleFilter, toggleValue } from './facet-filters.ts';

const other: ItemFilter = { field: 'f2', mode: 'is_equal', value: 'Rot' };

describe('facet values as filters', () => {
  it('one value is an is_equal filter, several are a list, and a second click removes a value', () => {
    const one = toggleValue([other], 'f1', 'Rot', 'only') ?? [];
    expect(one).toEqual([other, { field: 'f1', mode: 'is_equal', value: 'Rot' }]);
    const two = toggleValue(one, 'f1', 'Blau', 'only') ?? [];
    expect(two).toEqual([other, { field: 'f1', mode: 'is_equal_any', value: 'Rot\nBlau' }]);
    expect(ItemFilters.parse(two)).toEqual(two);
    expect(toggleValue(two, 'f1', 'ROT', 'only')).toEqual([other, { field: 'f1', mode: 'is_equal', value: 'Blau' }]);
  });

  it('excluding a value removes it from the chosen values', () => {
    const chosen = [{ field: 'f1', mode: 'is_equal_any', value: 'Rot\nBlau' }] as const;
    expect(toggleValue(chosen, 'f1', 'Rot', 'without')).toEqual([
      { field: 'f1', mode: 'is_not_equal', value: 'Rot' },
      { field: 'f1', mode: 'is_equal', value: 'Blau' },
    ]);
    expect(namedValues(chosen, 'f1', 'only')).toEqual(['Rot', 'Blau']);
  });

  it('values that do not fit into one filter are refused, not cut', () => {
    const [long, lines] = ['x'.repeat(999), 'a\nb'];
    const filters = toggleValue([], 'f1', long, 'only') ?? [];
    expect(toggleValue(filters, 'f1', 'y', 'only')).toBeUndefined();
    expect(toggleValue([], 'f1', lines, 'only')).toEqual([{ field: 'f1', mode: 'is_equal', value: lines }]);
    expect(toggleValue([{ field: 'f1', mode: 'is_equal', value: 'c' }], 'f1', lines, 'only')).toBeUndefined();
    const ten = Array.from({ length: 10 }, (_, at): ItemFilter => ({ ...other, field: `f${at + 10}` }));
    expect(toggleValue(ten, 'f1', 'c', 'only')).toBeUndefined();
  });
});

it('a range replaces another range of its field, and a second click removes it', () => {
  const range = (value: string, to: string): ItemFilter => ({ field: 'f1', mode: 'between', value, to });
  const first = toggleFilter([other], range('1', '2')) ?? [];
  const second = toggleFilter(first, range('3', '4')) ?? [];
  expect(second).toEqual([other, range('3', '4')]);
  expect([isActive(second, range('3', '4')), isActive(second, range('1', '2'))]).toEqual([true, false]);
  expect(toggleFilter(second, range('3', '4'))).toEqual([other]);
});
