import { useEffect, useMemo, useState } from 'react';
import type { ArticleQuery } from './article-query.ts';
import type { ArticleRows } from '#client/screens/repricer/dashboard/articles/loading/article-rows.ts';
import { type ArticleSelection, selectArticles } from './select-articles.ts';

type Selected = { readonly rows: ArticleRows; readonly selection: ArticleSelection; readonly places: Uint32Array };
const none = new Uint32Array();

/**
 * Computes the indexes of the selected articles. The old ones stay until the new ones are known, and
 * remain valid because rows are only appended.
 */
export function useSelected(rows: ArticleRows, query: ArticleQuery): { places: Uint32Array; busy: boolean } {
  const { search, ownBox, rivalBox, sort, direction } = query;
  const selection = useMemo(
    () => ({ search, ownBox, rivalBox, sort, direction }),
    [search, ownBox, rivalBox, sort, direction],
  );
  const [selected, setSelected] = useState<Selected | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const select = async () => {
      const places = await selectArticles(rows, selection, stop.signal);
      if (!stop.signal.aborted) setSelected({ rows, selection, places });
    };
    select().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    return () => stop.abort();
  }, [rows, selection]);
  return { places: selected?.places ?? none, busy: selected?.rows !== rows || selected.selection !== selection };
}

/** Returns true once `active` has been true for a while: short work needs no indicator. */
export function useDelayedTrue(active: boolean, milliseconds: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setLasting(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [active, milliseconds]);
  return active && lasting;
}
