import { describe, expect, it } from 'vitest';
import type { Column } from '#shared/items/schema.ts';
import type { ItemsQuery } from '#client/screens/items/items-query.ts';
import { filterCases, filterTexts } from '../../../../../test/stages/feed/filter-cases.ts';
import { around, isSelectable, selectLocally } from './local-items.ts';

const columns: Column[] = [
  { id: '_id', name: 'Nummer' },
  { id: 'f1', name: 'Titel', guess: 'text' },
  { id: 'f2', name: 'Preis', guess: 'price' },
];
const rows = [
  { _id: 'A-10', f1: 'Zange', f2: '1.299,90 €' },
  { _id: 'A-9', f1: 'Äxte', f2: '9,90' },
  { _id: 'A-11', f1: 'bohrer', f2: null },
  { _id: 'A-12', f1: ' ', f2: 'auf Anfrage' },
];
const all: ItemsQuery = {
  page: 0,
  size: 50,
  sort: null,
  direction: 'asc',
  search: '',
  filters: [],
  columns: null,
  facets: null,
  savedView: '',
};
const ids = (query: Partial<ItemsQuery>) => selectLocally(rows, columns, { ...all, ...query }).map((row) => row._id);

describe('items loaded into the browser', () => {
  it('ITE-01 sorts prices by amount in both directions, with values that are no numbers last', () => {
    expect(ids({ sort: 'f2' })).toEqual(['A-9', 'A-10', 'A-11', 'A-12']);
    expect(ids({ sort: 'f2', direction: 'desc' })).toEqual(['A-10', 'A-9', 'A-11', 'A-12']);
  });

  it('ITE-07 reads a point before three digits as a thousands separator in columns that use it so, as the server does', () => {
    const parted = columns.map((column) =>
      column.id === 'f2' ? { ...column, groups: { mark: 'point' as const, sure: true } } : column,
    );
    const items = ['1.299', '12,50', '899', '1.299,90 €', ' 2.450 '].map((f2, at) => ({
      _id: `A-${at}`,
      f1: null,
      f2,
    }));
    const found = (query: Partial<ItemsQuery>) =>
      selectLocally(items, parted, { ...all, ...query }).map((row) => row._id);
    expect(found({ sort: 'f2' })).toEqual(['A-1', 'A-2', 'A-0', 'A-3', 'A-4']);
    expect(found({ filters: [{ field: 'f2', mode: 'is_greater', value: '1000' }] })).toEqual(['A-0', 'A-3', 'A-4']);
    expect(found({ filters: [{ field: 'f2', mode: 'between', value: '12', to: '1299' }] })).toEqual([
      'A-0',
      'A-1',
      'A-2',
    ]);
  });

  it('ITE-04 the neighbours of an item are its neighbours in the order shown', () => {
    const shown = selectLocally(rows, columns, { ...all, sort: 'f2' });
    expect(around(shown, 'A-9')).toEqual({ previous: null, next: 'A-10' });
    expect(around(shown, 'A-11')).toEqual({ previous: 'A-10', next: 'A-12' });
    expect(around(shown, 'gone')).toEqual({ previous: null, next: null });
  });

  it('sorts text by German dictionary order', () =>
    expect(ids({ sort: 'f1' }).slice(1)).toEqual(['A-9', 'A-11', 'A-10']));

  it('ITE-07 leaves filters, orders and searches in fields that are not loaded to the server', () => {
    const fields = [{ id: 'f1' }, { id: 'f2' }];
    const hidden = [...fields, { id: 'f3' }];
    const filter = { field: 'f3', mode: 'is_equal', value: 'x' } as const;
    const told = (query: Partial<ItemsQuery>, of = hidden) => isSelectable(rows, of, { ...all, ...query });
    expect([
      told({}),
      told({ sort: 'f1', filters: [{ ...filter, field: '_id' }] }),
      told({ search: 'x' }, fields),
    ]).toEqual([true, true, true]);
    expect([told({ filters: [filter] }), told({ sort: 'f3' }), told({ search: 'x' })]).toEqual([false, false, false]);
    expect(isSelectable([], hidden, { ...all, search: 'x' })).toBe(true);
  });

  it('searches all shown fields without regard to case', () => expect(ids({ search: 'BOHR' })).toEqual(['A-11']));

  it.each([
    ['contains', 'ZANG', ['A-10']],
    ['is_equal', 'äxte', ['A-9']],
    ['is_empty', '', ['A-12']],
    ['is_not_empty', '', ['A-10', 'A-9', 'A-11']],
  ] as const)('filters by %s', (mode, value, expected) =>
    expect(ids({ filters: [{ field: 'f1', mode, value }] })).toEqual(expected),
  );

  it.each([
    ['is_greater', '9,90', undefined, ['A-10']],
    ['is_less', '1.299,90', undefined, ['A-9']],
    ['between', '9.9', '1.299,90 €', ['A-10', 'A-9']],
    ['between', '10', '1000', []],
  ] as const)(
    'ITE-07 filters prices by %s %s %s; values that are no numbers never match',
    (mode, value, to, expected) => expect(ids({ filters: [{ field: 'f2', mode, value, to }] })).toEqual(expected),
  );

  it.each(filterCases)('ITE-07 $mode finds $finds, as the server does', ({ finds, ...filter }) => {
    const items = Object.entries(filterTexts).map(([id, text]) => ({ _id: id, f1: text === '' ? null : text }));
    const query = { ...all, filters: [{ field: 'f1', ...filter }] };
    expect(selectLocally(items, columns, query).map((row) => row._id)).toEqual(finds);
  });
});
