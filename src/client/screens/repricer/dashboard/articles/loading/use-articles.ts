import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Failure, failureOf } from '#client/failure.ts';
import { askerOf, type ArticleSource } from './ask-piece.ts';
import { articleCollector, type ArticleRows, noArticles } from './article-rows.ts';
import { loadArticles, type LoadProgress, notLoaded } from './load-articles.ts';

type Loaded = {
  readonly rows: ArticleRows;
  readonly progress: LoadProgress;
  readonly busy: boolean;
  readonly failure: Failure | null;
  /** When the first chunk arrived, in ISO time. */
  readonly at: string | null;
};
export type ArticleLoad = Loaded & {
  /** Continues where loading stopped. */
  readonly resume: () => void;
  readonly stop: () => void;
};

const nothing: Loaded = { rows: noArticles, progress: notLoaded, busy: true, failure: null, at: null };

/** Loads a whole list, starting with the first render. For another source, use another component (a key). */
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
