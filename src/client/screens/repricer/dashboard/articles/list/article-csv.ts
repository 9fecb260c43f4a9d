import { type RepricedArticle, percentDifference } from '#shared/repricer/dashboard.ts';
import { csvOfCells } from '#client/csv-download.ts';
import { type ArticleColumn, articleGroups, boxWord } from './article-columns.ts';
import type { ArticleRows } from '#client/screens/repricer/dashboard/articles/loading/article-rows.ts';
import { createYielder } from '#client/screens/repricer/dashboard/articles/yielder.ts';

const PIECE = 2000;

/**
 * Returns the selected articles for a spreadsheet, as parts of one file: all columns of the list, and
 * the values that it shows only as pictures.
 */
export async function articleCsv(
  { articles }: ArticleRows,
  selected: Uint32Array,
  signal: AbortSignal,
): Promise<string[]> {
  const pause = createYielder(signal);
  const parts = [csvOfCells([head])];
  for (let from = 0; from < selected.length; from += PIECE) {
    await pause();
    const rows = Array.from(selected.subarray(from, from + PIECE), (index) => articles[index]);
    // csvOfCells makes a complete file, which begins with a byte order mark: only the first part keeps it.
    parts.push(csvOfCells(rows.flatMap((article) => (article === undefined ? [] : [cells(article)]))).slice(1));
  }
  return parts;
}

const head = [
  ...articleGroups.flatMap(({ title, columns }) =>
    columns.map((column) => (title === '' ? column.title : `${title}: ${column.title}`)),
  ),
  'Offer Price zu Standart Price in %',
  'Mein Rang',
  'Gegner: Rang',
  'Gegner: SellerID',
  'Währung',
  'Marktplatz',
];

function cells(article: RepricedArticle): string[] {
  const percent = percentDifference(article.my_offer_listing_price, article.worker_price);
  const columns = articleGroups.flatMap((group) => group.columns);
  return [
    ...columns.map((column) => cellOf(article, column)),
    percent === undefined ? '' : decimal(percent, 1),
    String(article.my_rang ?? ''),
    String(article.comp_seller_rang ?? ''),
    article.comp_seller_id ?? '',
    article.currency,
    article.marketplace,
  ];
}

function cellOf(article: RepricedArticle, { id, kind }: ArticleColumn): string {
  const value = article[id];
  if (value === null) return '';
  if (kind === 'box') return id === 'comp_buybox' && article.comp_seller_id === null ? '' : boxWord(value === 1);
  return kind === 'money' && typeof value === 'number' ? decimal(value, 2) : String(value);
}

const decimal = (value: number, digits: number) => value.toFixed(digits).replace('.', ',');
