import { expect, it } from 'vitest';
import { type ArticleQuery, firstQuery, readArticleQuery, writeArticleQuery } from './article-query.ts';

const written = (query: ArticleQuery, address = '') =>
  writeArticleQuery(new URLSearchParams(address), query).toString();
const read = (address: string) => readArticleQuery(new URLSearchParams(address));

it('RDA-05 the article query is written to the address and read back; other parameters are kept', () => {
  const query: ArticleQuery = {
    search: 'Öl & =',
    ownBox: 'no',
    rivalBox: 'yes',
    sort: 'worker_price',
    direction: 'desc',
    page: 3,
    size: 25,
    opened: 'M1:A/1 ü:2',
    savedView: 'Ansicht00001',
  };
  expect(read(written(query, 'tab=artikel'))).toEqual(query);
  expect(written(query, 'tab=artikel')).toMatch(/^tab=artikel&/);
  expect(written(firstQuery, 'a.suche=x&a.sort=-brand&a.seite=2&a.je=25&a.offen=k&a.eigene=ja&liste=rang%3A1')).toBe(
    'liste=rang%3A1',
  );
});

it('RDA-06 invalid values in the address fall back to the defaults', () => {
  expect(read('')).toEqual(firstQuery);
  expect(read('a.eigene=vielleicht&a.gegner=JA&a.sort=preis&a.seite=-1&a.je=1000')).toEqual(firstQuery);
  expect(read('a.seite=1e99&a.sort=-')).toEqual({ ...firstQuery, direction: 'desc' });
  expect(read(`a.suche=${'x'.repeat(5000)}`).search).toHaveLength(200);
});
