import { describe, expect, it } from 'vitest';
import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { articleOf, articles } from '../../../../../../../test/stages/repricer/articles.ts';
import { firstQuery } from './article-query.ts';
import { articleCollector, noArticles } from '#client/screens/repricer/dashboard/articles/loading/article-rows.ts';
import { type ArticleSelection, selectArticles } from './select-articles.ts';
import { sortKey } from './sort-keys.ts';

const never = new AbortController().signal;
const rowsOf = (list: readonly RepricedArticle[]) => articleCollector()(noArticles, list);
const select = async (list: readonly RepricedArticle[], wanted: Partial<ArticleSelection>, signal = never) => {
  const places = await selectArticles(rowsOf(list), { ...firstQuery, ...wanted }, signal);
  return Array.from(places, (place) => list[place]);
};
const idsOf = async (...input: Parameters<typeof select>) => (await select(...input)).map((article) => article?._id);

describe('the articles that a query selects', () => {
  const list = [
    articleOf(1, { _id: 'A-10', brand: 'Bosch', comp_name: 'Billig GmbH', my_offer_listing_price: 1234.5 }),
    articleOf(2, { _id: 'A-9', brand: 'Ähre', asin: 'B0XYZ', my_offer_listing_price: 9.9 }),
    articleOf(3, { _id: 'a-9b', brand: '', comp_seller_id: null, comp_name: null, worker_price: null }),
  ];

  it('RDA-05 the search covers all fields, ignores case, and finds prices as displayed and in plain notation', async () => {
    expect(await idsOf(list, { search: 'a-9' })).toEqual(['A-9', 'a-9b']);
    expect(await idsOf(list, { search: ' b0xyz ' })).toEqual(['A-9']);
    expect(await idsOf(list, { search: 'billig gmbh' })).toEqual(['A-10']);
    expect(await idsOf(list, { search: 'ÄHRE' })).toEqual(['A-9']);
    for (const price of ['1.234,50 €', '1.234,50\u00a0€', '1234,5', '1234.50', '1234.5'])
      expect([price, await idsOf(list, { search: price })]).toEqual([price, ['A-10']]);
    expect(await idsOf(list, { search: 'bosch billig' })).toEqual([]);
    expect(await idsOf(list, { search: '.*' })).toEqual([]);
  });

  it('RDA-05 the search finds item numbers that look like prices, any kind of blank, ranks, boxes and marketplaces', async () => {
    const numbers = [
      articleOf(1, { _id: '4711.10', brand: 'Zwei  Worte', comp_seller_id: null, comp_buybox: 0, own_buybox: 0 }),
      articleOf(2, { _id: '1.234', marketplace: 'PL', own_buybox: 1, comp_buybox: 0, my_rang: 987 }),
      articleOf(3, { _id: 'C', comp_seller_rang: 654, own_buybox: 0, comp_buybox: 0, worker_price: 4711.1 }),
    ];
    expect(await idsOf(numbers, { search: '4711.10' })).toEqual(['4711.10', 'C']);
    expect(await idsOf(numbers, { search: '4711.1' })).toEqual(['4711.10', 'C']);
    expect(await idsOf(numbers, { search: '1.234' })).toEqual(['1.234']);
    expect(await idsOf(numbers, { search: 'zwei\u00a0worte' })).toEqual(['4711.10']);
    expect(await idsOf(numbers, { search: '987' })).toEqual(['1.234']);
    expect(await idsOf(numbers, { search: '654' })).toEqual(['C']);
    expect(await idsOf(numbers, { search: 'pl' })).toEqual(['1.234']);
    expect(await idsOf(numbers, { search: 'ja' })).toEqual(['1.234']);
  });

  it('RDA-05 own and competing buy box can be filtered separately and together', async () => {
    const some = articles(12);
    const counted = async (wanted: Partial<ArticleSelection>) => (await select(some, wanted)).length;
    const own = await select(some, { ownBox: 'yes' });
    expect(own.every((article) => article?.own_buybox === 1)).toBe(true);
    expect(own.length + (await counted({ ownBox: 'no' }))).toBe(12);
    const rival = await select(some, { rivalBox: 'yes' });
    expect(rival.every((article) => article?.comp_buybox === 1)).toBe(true);
    expect(await counted({ ownBox: 'yes', rivalBox: 'yes' })).toBe(0);
    expect(await counted({ ownBox: 'no', rivalBox: 'no' })).toBe(12 - own.length - rival.length);
  });

  it('RDA-06 texts sort by dictionary order with numbers by size; missing values are last in both directions', async () => {
    expect(await idsOf(list, {})).toEqual(['A-9', 'a-9b', 'A-10']);
    expect(await idsOf(list, { direction: 'desc' })).toEqual(['A-10', 'a-9b', 'A-9']);
    expect(await idsOf(list, { sort: 'brand' })).toEqual(['A-9', 'A-10', 'a-9b']);
    expect(await idsOf(list, { sort: 'brand', direction: 'desc' })).toEqual(['A-10', 'A-9', 'a-9b']);
    expect(await idsOf(list, { sort: 'worker_price', direction: 'desc' })).toEqual(['A-10', 'A-9', 'a-9b']);
    expect(await idsOf(list, { sort: 'comp_name' })).toEqual(['A-10', 'A-9', 'a-9b']);
  });

  it('RDA-06 a list of any length is sorted, and equal rows keep their order', async () => {
    for (const count of [0, 1, 4999, 5000, 5001, 23_456]) {
      const some = articles(count);
      const sorted = await select(some, { sort: 'comp_count', direction: 'desc' });
      expect(new Set(sorted).size).toBe(count);
      const wrong = sorted.filter((article, index) => {
        const next = sorted[index + 1];
        if (article === undefined || next === undefined) return false;
        const difference = article.comp_count - next.comp_count;
        return difference < 0 || (difference === 0 && Number(article._id.slice(3)) > Number(next._id.slice(3)));
      });
      expect([count, wrong]).toEqual([count, []]);
    }
  });

  it('RDA-06 keys of texts order them as a German collator does', () => {
    const words = [
      'Öl',
      'ol',
      'Oma',
      'straße',
      'Strasse 2',
      'Strasse 10',
      'A-2',
      'A-10',
      'A-010',
      'éclair',
      'Zoo',
      'äh',
    ];
    const collator = new Intl.Collator('de-DE', { numeric: true, sensitivity: 'base' });
    const byKey = (one: string, other: string) =>
      sortKey(one) < sortKey(other) ? -1 : Number(sortKey(one) !== sortKey(other));
    for (const one of words)
      for (const other of words)
        expect([one, other, Math.sign(byKey(one, other))]).toEqual([
          one,
          other,
          Math.sign(collator.compare(one, other)),
        ]);
  });

  it('RDA-04 an aborted selection ends', async () => {
    const stop = new AbortController();
    const pending = select(articles(60_000), { sort: 'asin' }, stop.signal);
    stop.abort();
    await expect(pending).rejects.toThrow(/abort/i);
  });

  it('RDA-04 an article that is received twice because rows moved is listed once', () => {
    const collect = articleCollector();
    const rows = collect(collect(noArticles, articles(3)), [articleOf(2, { brand: 'neu' }), articleOf(3)]);
    expect(rows.articles.map(({ _id }) => _id)).toEqual(['NK-0', 'NK-1', 'NK-2', 'NK-3']);
    expect(rows.texts).toHaveLength(4);
    const elsewhere = collect(rows, [articleOf(3, { marketplace: 'A13V1IB3VIYZZH' })]);
    expect(elsewhere.articles).toHaveLength(5);
  });
});
