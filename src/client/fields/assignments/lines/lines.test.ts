import { expect, test } from 'vitest';
import { CategoryRow, MappingRow } from '#shared/assignments/schema.ts';
import type { PickerGroup } from '#client/fields/values/picker-groups.ts';
import { goneFields } from './gone-fields.ts';
import {
  filtersOf,
  goneIn,
  hasState,
  hasText,
  heightOf,
  type LineFacts,
  lineName,
  sortedByValue,
  targetText,
  withCondition,
  withTarget,
} from './lines.ts';

const mapping = (id: string, value: string, more: object = {}) =>
  MappingRow.parse({ id, field: [{ type: '_field', value: 'Farbe' }], value, ...more });
const category = CategoryRow.parse({
  id: 'c',
  field: [{ input: { type: '_field', value: 'Titel' }, value: 'Schuh' }],
});

test('CAT-06 rows are sorted ascending by the value of the first condition, numbers as numbers', () => {
  const rows = ['10', 'b', '9', 'Ä', 'a'].map((value, index) => mapping(String(index), value));
  expect(sortedByValue(rows).map(({ value }) => value)).toEqual(['9', '10', 'a', 'Ä', 'b']);
});

test('CAT-04 choosing a target sets its name and product type; choosing none empties all three', () => {
  const chosen = withTarget(category, { id: '5', name: 'Mode > Schuhe', info: 'Schuhe' });
  expect(chosen).toMatchObject({ target: '5', catname: 'Mode > Schuhe', producttyp: 'Schuhe' });
  expect(withTarget(chosen, undefined)).toMatchObject({ target: '', catname: '', producttyp: '' });
  expect('producttyp' in withTarget(mapping('1', 'x'), { id: '5', name: 'Rot', info: '#f00' })).toBe(false);
});

test('MAP-07 a condition is replaced in both kinds of rows', () => {
  const next = { input: { type: '_field', value: 'Marke', caption: '' }, filter: 'contains', value: 'y' } as const;
  expect(withCondition(mapping('1', 'x'), 0, next)).toMatchObject({
    field: [next.input],
    filter: 'contains',
    value: 'y',
  });
  expect(withCondition(category, 0, next).field).toEqual([next]);
});

test('CAT-02 a row whose field is gone says so and is higher; nothing is said before an import', () => {
  const groups: PickerGroup[] = [{ heading: 'Felder', entries: [{ type: '_field', value: 'Farbe', name: 'Farbe' }] }];
  const [there, lost] = [mapping('a', 'rot'), mapping('b', 'x', { field: [{ type: '_field', value: 'Alt' }] })];
  const fixed = mapping('c', 'x', { field: [{ type: '_string', value: 'Alt' }] });
  const gone = goneFields([there, lost, fixed], groups);
  expect([...gone]).toEqual([['Alt', 'Das Feld „Alt“ gibt es nicht (mehr).']]);
  const facts: LineFacts = { counts: null, shadowed: new Map(), known: null, gone };
  expect([there, lost, fixed].map((row) => goneIn(row, facts))).toEqual([undefined, gone.get('Alt'), undefined]);
  expect(heightOf(lost, facts) - heightOf(there, facts)).toBe(20);
  expect(goneFields([lost], []).size).toBe(0);
});

test('CAT-02 rows are found by their problem and by any of their texts', () => {
  const facts: LineFacts = {
    counts: { a: 3, b: 0 },
    shadowed: new Map([['b', 'a']]),
    known: new Map([['1', 'Rot']]),
    gone: new Map(),
  };
  const a = mapping('a', 'rot', { target: '1', catname: 'Rot' });
  const b = mapping('b', 'blau', { target: '2', active: false });
  expect([a, b].map((row) => hasState(row, 'unknown', facts))).toEqual([false, true]);
  expect([a, b].map((row) => hasState(row, 'shadowed', facts))).toEqual([false, true]);
  // A paused row assigns no items, which is not a problem.
  expect([a, b].map((row) => hasState(row, 'empty', facts))).toEqual([false, false]);
  // A row that is not counted yet is not reported as empty.
  expect(hasState(mapping('neu', 'gelb'), 'empty', facts)).toBe(false);
  expect(hasState(mapping('b', 'blau'), 'empty', facts)).toBe(true);
  expect([a, b].map((row) => hasState(row, 'paused', facts))).toEqual([false, true]);
  expect(hasText(a, 'ROT', facts) && hasText(a, 'farbe', facts) && !hasText(a, 'grün', facts)).toBe(true);
  // A field is found by the name under which it is shown.
  const named = mapping('n', 'x', { field: [{ type: '_intern', value: 'product_type', caption: 'Produkttyp' }] });
  expect(hasText(named, 'produkttyp', facts)).toBe(true);
  expect(lineName(a, 0)).toBe('Zeile 1 (Farbe entspricht rot)');
  expect(lineName(named, 1)).toBe('Zeile 2 (Produkttyp der Kategorie entspricht x)');
  const mapped = mapping('m', 'x', { field: [{ type: '_mapping', value: 'Größen', caption: '' }] });
  expect(lineName(mapped, 2)).toBe('Zeile 3 (Mapping Größen entspricht x)');
});

test('CAT-02 a row saved without the name of its target has the name that the list gives', () => {
  const facts = { known: new Map([['4711', 'Mode > Schuhe']]) };
  const bare = { ...category, target: '4711' };
  expect(targetText(bare, facts)).toBe('Mode > Schuhe');
  expect(hasText(bare, 'schuhe', facts)).toBe(true);
  // The stored name is all there is once the list lacks the target; without both the id is shown.
  expect(targetText({ ...bare, target: '4712', catname: 'Alt' }, facts)).toBe('Alt');
  expect(targetText({ ...bare, target: '4712' }, facts)).toBe('4712');
  expect(targetText(bare, { known: null })).toBe('4711');
});

test('MAP-07 a row that has a filter of another table still shows that filter', () => {
  const offered = (own?: 'not_contains' | 'contains') => filtersOf(false, own).map(({ filter }) => filter);
  expect(offered('contains')).toEqual(['contains', 'is_equal', 'begins_with', 'ends_with']);
  expect(offered('not_contains')).toEqual(['contains', 'not_contains', 'is_equal', 'begins_with', 'ends_with']);
});
