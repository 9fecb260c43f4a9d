import { expect, it } from 'vitest';
import { openedQuery, writeQuery } from './stock-query.ts';

it('„Ohne Ansicht“ clears filter and search and keeps the shown catalogue', () => {
  expect(writeQuery(openedQuery(new URLSearchParams(), 'ohne', 'b')).toString()).toBe('katalog=b&gespeichert=ohne');
});

it('a saved view opens in its own catalogue', () => {
  const view = new URLSearchParams('katalog=a&filter=knapp');
  expect(writeQuery(openedQuery(view, 'v1', 'b')).toString()).toBe('katalog=a&filter=knapp&gespeichert=v1');
});
