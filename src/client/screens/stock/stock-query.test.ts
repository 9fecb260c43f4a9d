import { expect, it } from 'vitest';
import { openedQuery, writeQuery } from './stock-query.ts';

it('„Ohne Ansicht“ ends filter and search and stays in the catalogue that is shown', () => {
  expect(writeQuery(openedQuery(new URLSearchParams(), 'ohne', 'b')).toString()).toBe('katalog=b&gespeichert=ohne');
});

it('a saved view opens in the catalogue that it names', () => {
  const view = new URLSearchParams('katalog=a&filter=knapp');
  expect(writeQuery(openedQuery(view, 'v1', 'b')).toString()).toBe('katalog=a&filter=knapp&gespeichert=v1');
});
