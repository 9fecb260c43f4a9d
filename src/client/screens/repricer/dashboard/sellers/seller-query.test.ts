import { expect, it } from 'vitest';
import { readSellerQuery, type SellerQuery, viewQuery, writeSellerQuery } from './seller-query.ts';

const read = (address: string) => readSellerQuery(new URLSearchParams(address));
const query: SellerQuery = {
  search: 'Öl & =',
  order: { by: 'name', descending: false },
  page: 3,
  size: 25,
  savedView: 'Ansicht00001',
};

it('RDA-03 the competitor query is written to the address and read back; other parameters are kept', () => {
  const written = writeSellerQuery(new URLSearchParams('tab=haendler'), query).toString();
  expect(read(written)).toEqual(query);
  expect(written).toMatch(/^tab=haendler&/);
  const first = read('');
  expect(writeSellerQuery(new URLSearchParams(written), first).toString()).toBe('tab=haendler');
  expect(viewQuery(query).toString()).toBe('h.suche=%C3%96l+%26+%3D&h.sort=name&h.je=25');
});

it('RDA-03 invalid values of the competitor query fall back to the defaults', () => {
  expect(read('h.sort=preis&h.seite=-1&h.je=1000')).toEqual(read(''));
  expect(read('h.seite=1e99&h.sort=-').page).toBe(0);
  expect(read(`h.suche=${'x'.repeat(5000)}`).search).toHaveLength(200);
});
