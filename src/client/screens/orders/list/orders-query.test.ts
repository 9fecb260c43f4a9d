import { expect, it } from 'vitest';
import { readQuery, writeQuery } from './orders-query.ts';

const read = (text: string) => readQuery(new URLSearchParams(text));

it('the state of the order list is read from its address and written back to it', () => {
  expect(read('')).toEqual({
    filter: 'offen',
    search: '',
    article: null,
    channel: '',
    page: 0,
    size: 50,
    savedView: '',
  });
  for (const address of ['', 'filter=klaerung', 'filter=alle&suche=A+1&kanal=k1&seite=3&je=100', 'gespeichert=A1'])
    expect(writeQuery(read(address)).toString()).toBe(address);
});

it('an address with unknown values shows the default list', () => {
  expect(read('filter=weg&seite=-2&je=7')).toEqual(read(''));
  expect([read('seite=abc').page, read('seite=1.5').page, read('seite=99999999').page]).toEqual([0, 0, 0]);
});
