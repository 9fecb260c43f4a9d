import { expect, test } from 'vitest';
import { assignmentCalls } from './calls.ts';
import {
  CategoryRow,
  categoryRowsOf,
  copyMapping,
  Mapping,
  MappingRow,
  mappingRowsOf,
  newCategoryRow,
  newMapping,
  newMappingRow,
  ROW_FILTERS,
  toggleSecondCondition,
} from './schema.ts';

const condition = {
  input: { type: '_field', value: 'Titel', caption: 'Titel' },
  filter: 'contains',
  value: 'x',
} as const;

test('CAT-07 BRA-02 MAP-07 new rows are active, compare an empty text with is_equal and have no target', () => {
  const first = { input: { type: '_string', value: '', caption: '' }, filter: 'is_equal', value: '' };
  expect(newCategoryRow('1')).toMatchObject({ id: '1', field: [first], target: '', active: true });
  expect(newMappingRow('1')).toMatchObject({
    field: [first.input],
    filter: 'is_equal',
    value: '',
    target: '',
    active: true,
  });
});

test('CAT-05 toggling adds a second, empty condition and removes it again, whatever its contents', () => {
  const row = CategoryRow.parse({ id: '1', field: [condition] });
  const two = toggleSecondCondition(row);
  expect(two.field).toEqual([
    condition,
    { input: { type: '_string', value: '', caption: '' }, filter: 'is_equal', value: '' },
  ]);
  expect(toggleSecondCondition({ ...two, field: [condition, condition] })).toEqual(row);
});

test('CAT-09 MAP-07 the filters have their labels, and the negated ones are offered only for categories', () => {
  expect(ROW_FILTERS.map(({ filter, label, basic }) => [filter, label, basic])).toEqual([
    ['contains', 'enthält', true],
    ['not_contains', 'enthält nicht', false],
    ['is_equal', 'entspricht', true],
    ['is_not_equal', 'entspricht nicht', false],
    ['begins_with', 'beginnt mit', true],
    ['ends_with', 'endet mit', true],
  ]);
});

test('MAP-06 SWM-02 a new mapping is inactive and empty; a copy keeps its rows and loses its name, a shop mapping also its note', () => {
  expect(newMapping('a', 'value')).toMatchObject({ name: '', active: false, data: [], intern: '', kind: 'value' });
  const row = MappingRow.parse({ id: 1 });
  const shop = Mapping.parse({ id: 'a', name: 'Versand', intern: 'Notiz', kind: 'shop', data: [row] });
  expect(copyMapping(shop, 'b')).toEqual({ ...shop, id: 'b', name: '', intern: '' });
  const value: Mapping = { ...shop, kind: 'value' };
  expect(copyMapping(value, 'b')).toEqual({ ...value, id: 'b', name: '' });
});

test('MAP-07 rows from API clients may have numbers, null targets and no source', () => {
  expect(MappingRow.parse({ id: 17, target: null, value: 5 })).toMatchObject({
    id: '17',
    target: '',
    value: '5',
    field: [],
  });
  expect(MappingRow.parse({ id: 'a', target: 12 }).target).toBe('12');
  expect(MappingRow.safeParse({ id: 'a', filter: 'regex' }).success).toBe(false);
});

test('CAT-08 an unselected field may be null, and so may values that rows of the table lack', () => {
  const { body } = assignmentCalls.missingRows;
  expect(body.parse({ field: null, preData: null })).toMatchObject({ field: '', preData: [] });
  expect(
    body.parse({
      field: 'marke',
      preData: [
        { field: null, value: null },
        { field: 'marke', value: 5 },
      ],
    }).preData,
  ).toEqual([
    { field: '', value: '' },
    { field: 'marke', value: '5' },
  ]);
});

test('CAT-08 rows fetched for a field can be saved as categories unchanged', () => {
  const fetched = {
    id: '1',
    field: [condition.input],
    filter: 'is_equal',
    value: 'Boss',
    target: '',
    catname: '',
    active: true,
    items: 3,
    tooLong: 0,
  };
  expect(assignmentCalls.saveCategories.body.parse([fetched])).toEqual([
    {
      id: '1',
      field: [{ input: condition.input, filter: 'is_equal', value: 'Boss' }],
      target: '',
      catname: '',
      producttyp: '',
      active: true,
    },
  ]);
  const row = { ...newCategoryRow('1'), field: [condition] };
  expect(assignmentCalls.saveCategories.body.parse([row, toggleSecondCondition(row)])).toEqual([
    row,
    toggleSecondCondition(row),
  ]);
});

test('CAT-04 a source that is not chosen yet may be null', () => {
  const input = { type: '_field', value: null, caption: null };
  const row = CategoryRow.parse({ id: '1', field: [{ input, filter: 'contains', value: null }] });
  expect(row.field).toEqual([{ input: { type: '_field', value: '', caption: '' }, filter: 'contains', value: '' }]);
});

test('rows of an answer are taken as they were parsed, and those of another kind of table are refused', () => {
  const [category, brand] = [newCategoryRow('1'), newMappingRow('2')];
  expect(categoryRowsOf([category])[0]).toBe(category);
  expect(mappingRowsOf([brand])[0]).toBe(brand);
  expect(() => categoryRowsOf([category, brand])).toThrow('another table');
  expect(() => mappingRowsOf([category])).toThrow('another table');
});
