import { describe, expect, it } from 'vitest';
import { type ItemsQuery, lastPage, readQuery, selectionOf, writeQuery } from './items-query.ts';

const query: ItemsQuery = {
  page: 2,
  size: 25,
  sort: 'f0003',
  direction: 'desc',
  search: 'größe 42',
  filters: [{ field: 'f0001', mode: 'contains', value: 'a&b' }],
  columns: ['f0002', 'f0001'],
  facets: ['f0003'],
  savedView: 'Ansicht00001',
};

describe('the items grid in the address', () => {
  it('reads back what it wrote', () => expect(readQuery(writeQuery(query))).toEqual(query));

  it('facets that are open without any field stay open', () => {
    expect(readQuery(writeQuery({ ...query, facets: [] })).facets).toEqual([]);
    expect(readQuery(writeQuery({ ...query, facets: null })).facets).toBeNull();
  });

  it('ITE-03 shows 50 rows of the first page where the address says nothing', () => {
    expect(readQuery(new URLSearchParams())).toMatchObject({ page: 0, size: 50, sort: null, filters: [] });
    expect(writeQuery(readQuery(new URLSearchParams())).toString()).toBe('');
  });

  it.each(['seite=-1&je=7', 'seite=x', 'seite=1.5', 'filter=%7B', 'filter=[{"mode":"x"}]'])(
    'takes an unreadable address for an empty one: %s',
    (search) => expect(readQuery(new URLSearchParams(search))).toMatchObject({ page: 0, size: 50, filters: [] }),
  );

  it.each([
    [0, 50, 0],
    [50, 50, 0],
    [51, 50, 1],
    [12_000, 25, 479],
  ])('ITE-03 the last page of %s rows at %s a page has index %s', (total, size, last) =>
    expect(lastPage(total, size)).toBe(last),
  );

  it('ITE-07 passes sorting, search and filters on to the server', () => {
    expect(selectionOf('m1', query)).toEqual({
      masterid: 'm1',
      sort: 'f0003',
      direction: 'desc',
      search: 'größe 42',
      filter: '[{"field":"f0001","mode":"contains","value":"a&b"}]',
    });
  });
});
