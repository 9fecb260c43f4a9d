import { expect, test } from 'vitest';
import { ConstructionRow, incompleteRows } from './schema.ts';

const row = (field: unknown, more: object = {}) =>
  ConstructionRow.parse({ id: '1', exportfield: 'titel', mp_state: 'Required', field, ...more });

test('CON-05 a null value counts as blank, like an empty one and a row without a list of values', () => {
  for (const field of [
    null,
    [],
    [{ type: '_field', value: null }],
    [{ name: null, value: { type: '_field', value: null } }],
  ])
    expect(incompleteRows([row(field)]).rowIds).toEqual(['1']);
  expect(incompleteRows([row([{ type: '_string', value: 0 }])]).rowIds).toEqual([]);
});

test('CON-03 numbers in values are converted to text, in entries of every kind', () => {
  const value = { type: '_string', value: 5, caption: null };
  const text = { type: '_string', value: '5', caption: '' };
  expect(row([value]).field).toEqual([text]);
  expect(row([{ name: 7, value }]).field).toEqual([{ name: '7', value: text }]);
  expect(row([{ key: { type: '_string', value: 8 }, value }]).field).toEqual([
    { key: { type: '_string', value: '8' }, value: text },
  ]);
});
