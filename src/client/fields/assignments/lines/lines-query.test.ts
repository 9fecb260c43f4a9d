import { expect, it } from 'vitest';
import { linesQuery, readLines, withLines } from './lines-query.ts';

it('the address says which rows of a table are shown; invalid values fall back to defaults', () => {
  expect(readLines(new URLSearchParams('zeilen=open&suche=rot'))).toEqual({ state: 'open', search: 'rot' });
  expect(readLines(new URLSearchParams('zeilen=__proto__'))).toEqual({ state: 'all', search: '' });
  expect(readLines(new URLSearchParams({ suche: 'x'.repeat(500) })).search).toHaveLength(200);
  expect(linesQuery({ state: 'all', search: ' ' }).size).toBe(0);
});

it('other parameters of the address are kept when the shown rows change', () => {
  const address = withLines(new URLSearchParams('neu=1&zeilen=open&suche=alt'), new URLSearchParams('suche=rot'));
  expect(address.toString()).toBe('neu=1&suche=rot');
});
