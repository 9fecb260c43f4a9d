import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type ArticleQuery, readArticleQuery, writeArticleQuery } from './article-query.ts';

/** What is shown: from the address, and back into it. It changes at once; the address follows when the router has got there. */
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
