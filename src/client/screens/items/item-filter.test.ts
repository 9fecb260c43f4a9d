import { expect, it } from 'vitest';
import { ItemFilters } from '#shared/items/schema.ts';
import { filterWords, modesOf, typedFilter, valueHint, valueProblem } from './item-filter.ts';

it('ITE-07 numeric columns offer greater, less and between, others do not', () => {
  expect(modesOf(true)).toEqual(expect.arrayContaining(['is_greater', 'is_less', 'between', 'contains']));
  expect(modesOf(false)).toEqual(expect.arrayContaining(['contains', 'is_equal', 'is_empty', 'is_not_empty']));
  for (const mode of ['is_greater', 'is_less', 'between']) expect(modesOf(false)).not.toContain(mode);
});

it("ITE-07 a filter is sent once it is complete, and the server's schema accepts it", () => {
  expect(typedFilter('f1', 'between', '10', '')).toBeNull();
  expect(typedFilter('f1', 'is_greater', 'viel', '')).toBeNull();
  expect(typedFilter('f1', 'contains', '', '')).toBeNull();
  const whole = [
    typedFilter('f1', 'between', '1.000,50 €', '2000'),
    typedFilter('f1', 'is_less', '9,90', 'left over'),
    typedFilter('f1', 'is_empty', 'left over', ''),
  ];
  expect(ItemFilters.parse(whole)).toEqual([
    { field: 'f1', mode: 'between', value: '1.000,50 €', to: '2000' },
    { field: 'f1', mode: 'is_less', value: '9,90' },
    { field: 'f1', mode: 'is_empty', value: '' },
  ]);
});

it('a value that is no number is refused in German by filters that compare numbers', () => {
  expect(valueProblem('is_greater', 'viel')).toContain('Zahl');
  expect(valueProblem('is_greater', '12,50 €')).toBeUndefined();
  expect(valueProblem('contains', 'viel')).toBeUndefined();
});

it('a hint says that a point before three digits is read as a decimal point', () => {
  expect(valueHint('is_greater', '1.000')).toBe('Gelesen als 1,000. Ist 1000 gemeint, lassen Sie den Punkt weg.');
  for (const clear of ['1000', '1.000,00', '1.000.000', '1,000', '12.5', '0.125', '1.000 €', ''])
    expect(valueHint('is_greater', clear)).toBeUndefined();
  expect(valueHint('contains', '1.000')).toBeUndefined();
});

it('an active filter is described in German', () => {
  expect(filterWords('Preis', { field: 'f1', mode: 'between', value: '10', to: '20' })).toBe(
    'Preis liegt zwischen „10“ und „20“',
  );
  expect(filterWords('Preis', { field: 'f1', mode: 'is_empty', value: '' })).toBe('Preis ist leer');
  expect(filterWords('Farbe', { field: 'f1', mode: 'is_equal_any', value: 'Rot\nBlau\n\nGrün\nGelb' })).toBe(
    'Farbe ist gleich einem von „Rot“, „Blau“, „Grün“ und 1 weiteren',
  );
  expect(filterWords('EAN', { field: 'f1', mode: 'is_duplicate', value: '' })).toBe('EAN kommt mehrfach vor');
});
