import { expect, it } from 'vitest';
import { articleOf, articles } from '../../../../../../../test/stages/repricer/articles.ts';
import { articleCsv } from './article-csv.ts';
import { articleCollector, noArticles } from '#client/screens/repricer/dashboard/articles/loading/article-rows.ts';

const never = new AbortController().signal;

it('RDA-06 the CSV has every column, decimal commas, and no cell that a spreadsheet would run as a formula', async () => {
  const list = [
    articleOf(1, {
      _id: '=1+1',
      brand: '@SUM(A1)',
      comp_name: 'A "B"; C',
      worker_price: 10,
      my_offer_listing_price: 9.5,
    }),
    articleOf(2, { comp_seller_id: null, comp_name: null, comp_offer_price: null, comp_buybox: 0, worker_price: null }),
  ];
  const rows = articleCollector()(noArticles, list);
  const text = (await articleCsv(rows, Uint32Array.of(1, 0), never)).join('');
  const [head, second, first, end] = text.split('\r\n').map((line) => line.split(';'));
  expect(head?.slice(0, 10)).toEqual([
    '\ufeffArtikel-ID',
    'ASIN',
    'Brand',
    'Meine Werte: BuyBox',
    'Meine Werte: Min Price',
    'Meine Werte: Standart Price',
    'Meine Werte: Max Price',
    'Meine Werte: Offer Price',
    'Meine Werte: Shipping',
    'Gegner: Offer Price',
  ]);
  expect(head?.slice(11, 15)).toEqual([
    'Gegner: BuyBox',
    'Gegner: Name',
    'Gegner: Messages',
    'Offer Price zu Standart Price in %',
  ]);
  expect(first?.slice(0, 3)).toEqual(["'=1+1", first?.[1], "'@SUM(A1)"]);
  expect(text).toContain('"A ""B""; C"');
  expect(first).toContain('-5,0');
  expect([second?.[5], second?.[9], second?.[11], second?.[14]]).toEqual(['', '', '', '']);
  expect(end).toEqual(['']);
});

it('RDA-06 a CSV written in several pieces has one byte order mark and one line per article', async () => {
  const rows = articleCollector()(noArticles, articles(4500));
  const text = (
    await articleCsv(
      rows,
      Uint32Array.from({ length: 4500 }, (_, index) => index),
      never,
    )
  ).join('');
  expect(text.lastIndexOf('\ufeff')).toBe(0);
  expect(text.split('\r\n')).toHaveLength(4502);
});
