import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { CHUNK } from '#shared/repricer/dashboard.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import type { ArticleListProps } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import { articleCollector, type ArticleRows, noArticles } from './article-rows.ts';
import { type AskPiece, loadArticles, type LoadProgress, notLoaded } from './load-articles.ts';

export type ArticleSource = Pick<ArticleListProps, 'masterid' | 'sellerId' | 'of'>;
type Loaded = {
  readonly rows: ArticleRows;
  readonly progress: LoadProgress;
  readonly busy: boolean;
  readonly failure: Failure | null;
  /** When the first piece was there, in ISO time. */
  readonly at: string | null;
};
export type ArticleLoad = Loaded & {
  /** Goes on where it stopped. */
  readonly resume: () => void;
  readonly stop: () => void;
};

const nothing: Loaded = { rows: noArticles, progress: notLoaded, busy: true, failure: null, at: null };

/** Loads a whole list, beginning with the first look at it. Another source belongs into another component (a key). */
export function useArticles(source: ArticleSource): ArticleLoad {
  const [loaded, setLoaded] = useState(nothing);
  const [collect] = useState(articleCollector);
  const running = useRef<AbortController>(null);

  const load = async (from: LoadProgress) => {
    const abort = new AbortController();
    running.current?.abort();
    running.current = abort;
    setLoaded((now) => ({ ...now, busy: true, failure: null }));
    try {
      await loadArticles({
        from,
        ask: askerOf(source),
        signal: abort.signal,
        onPiece: (data, progress) => {
          const at = new Date().toISOString();
          setLoaded((now) => ({ ...now, rows: collect(now.rows, data), progress, at: now.at ?? at }));
        },
      });
      setLoaded((now) => ({ ...now, busy: false }));
    } catch (error) {
      if (running.current !== abort) return;
      const failure = abort.signal.aborted ? null : failureOf('Fehler beim Laden', error);
      setLoaded((now) => ({ ...now, busy: false, failure }));
    }
  };
  const begin = useEffectEvent(() => void load(notLoaded));
  useEffect(() => {
    begin();
    return () => running.current?.abort();
  }, []);
  return {
    ...loaded,
    resume: () => void load(loaded.progress),
    stop: () => running.current?.abort(),
  };
}

/** The call for each kind of list. Those of a rank and of a competitor are not counted: a piece that is not full is the last. */
function askerOf({ masterid, sellerId: sellerid, of }: ArticleSource): AskPiece {
  const query = (offset: number) => ({ masterid, offset, limit: CHUNK });
  if (of.kind === 'all')
    return (offset, signal) => call(api.repricedArticles, { params: { sellerid }, query: query(offset), signal });
  return async (offset, signal) => {
    const asked = { query: query(offset), signal };
    const data =
      of.kind === 'rank'
        ? await call(api.articlesOfRank, { params: { sellerid, rank: of.rank }, ...asked })
        : await call(api.articlesOfCompetitor, { params: { sellerid, competitor: of.id }, ...asked });
    return { data, total: null, finished: data.length < CHUNK };
  };
}
