import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import type { ArticleColumnId } from '#client/screens/repricer/dashboard/articles/list/article-columns.ts';
import type { ArticleQuery, BoxFilter } from './article-query.ts';
import { type ArticleRows, needlesOf } from '#client/screens/repricer/dashboard/articles/loading/article-rows.ts';
import { createYielder } from '#client/screens/repricer/dashboard/articles/yielder.ts';
import { sortKey } from './sort-keys.ts';

/** The part of a query that decides which articles are shown, and in what order. */
export type ArticleSelection = Pick<ArticleQuery, 'search' | 'ownBox' | 'rivalBox' | 'sort' | 'direction'>;
type Compare = (first: number, second: number) => number;

/** Rows filtered or sorted between two pauses. */
const PIECE = 5000;

/**
 * Returns the indexes of the articles that match a query, in its order. Works in chunks, so that the page stays responsive.
 * @throws the signal's reason if another selection is wanted by now
 */
export async function selectArticles(
  rows: ArticleRows,
  selection: ArticleSelection,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const pause = createYielder(signal);
  const found = await filtered(rows, selection, pause);
  const compare = await comparison(rows.articles, found, selection, pause);
  return sortedInPieces(found, compare, pause);
}

async function filtered(
  { articles, texts }: ArticleRows,
  { search, ownBox, rivalBox }: ArticleSelection,
  pause: () => Promise<void> | undefined,
): Promise<Uint32Array> {
  const needles = needlesOf(search);
  const found = new Uint32Array(articles.length);
  let count = 0;
  for (const [index, article] of articles.entries()) {
    if (index % PIECE === 0) await pause();
    if (!passes(ownBox, article.own_buybox) || !passes(rivalBox, article.comp_buybox)) continue;
    if (!needles.some((needle) => texts[index]?.includes(needle))) continue;
    found[count] = index;
    count += 1;
  }
  return found.subarray(0, count);
}

const passes = (filter: BoxFilter, box: 0 | 1) => filter === 'all' || (filter === 'yes') === (box === 1);

/** Makes a comparison by a column; missing values come last in both directions, equal ones stay in order of arrival. */
async function comparison(
  articles: readonly RepricedArticle[],
  found: Uint32Array,
  { sort, direction }: ArticleSelection,
  pause: () => Promise<void> | undefined,
): Promise<Compare> {
  const sign = direction === 'asc' ? 1 : -1;
  const keys = Array.from<string | number | null>({ length: articles.length }).fill(null);
  for (const [at, place] of found.entries()) {
    if (at % PIECE === 0) await pause();
    const article = articles[place];
    keys[place] = article === undefined ? null : keyOf(article, sort);
  }
  return (first, second) => {
    const one = keys[first] ?? null;
    const other = keys[second] ?? null;
    if (one === other) return first - second;
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other ? -sign : sign;
  };
}

function keyOf(article: RepricedArticle, sort: ArticleColumnId): string | number | null {
  const value = article[sort];
  if (typeof value !== 'string') return value;
  return value === '' ? null : sortKey(value);
}

/** Merge sort in chunks: sorts runs separately, then merges them in pairs. */
async function sortedInPieces(
  found: Uint32Array,
  compare: Compare,
  pause: () => Promise<void> | undefined,
): Promise<Uint32Array> {
  for (let from = 0; from < found.length; from += PIECE) {
    await pause();
    found.subarray(from, from + PIECE).sort(compare);
  }
  let [runs, merged]: [Uint32Array, Uint32Array] = [found, new Uint32Array(found.length)];
  for (let run = PIECE; run < found.length; run *= 2) {
    for (let from = 0; from < found.length; from += 2 * run) {
      await pause();
      merge(runs, merged, { from, middle: Math.min(from + run, found.length), to: from + 2 * run }, compare);
    }
    [runs, merged] = [merged, runs];
  }
  return runs;
}

type Runs = { from: number; middle: number; to: number };

function merge(source: Uint32Array, target: Uint32Array, { from, middle, to }: Runs, compare: Compare): void {
  const end = Math.min(to, source.length);
  let [left, right] = [from, middle];
  for (let at = from; at < end; at += 1) {
    const [first, second] = [source[left] ?? 0, source[right] ?? 0];
    const takesLeft = right >= end || (left < middle && compare(first, second) <= 0);
    target[at] = takesLeft ? first : second;
    if (takesLeft) left += 1;
    else right += 1;
  }
}
