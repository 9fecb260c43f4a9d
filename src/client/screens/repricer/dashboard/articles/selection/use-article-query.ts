import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type ArticleQuery, readArticleQuery, writeArticleQuery } from './article-query.ts';

/**
 * The query, read from the URL and written to it. A change takes effect at once; the URL follows when the router has navigated.
 */
export function useArticleQuery(): [ArticleQuery, (changed: Partial<ArticleQuery>, replace?: boolean) => void] {
  const [address, setAddress] = useSearchParams();
  const [query, setQuery] = useState(() => readArticleQuery(address));
  useEffect(() => setQuery(readArticleQuery(address)), [address]);
  const change = (changed: Partial<ArticleQuery>, replace = false) => {
    const next = { ...query, page: 0, ...changed };
    setQuery(next);
    setAddress(writeArticleQuery(address, next), { preventScrollReset: true, replace });
  };
  return [query, change];
}
