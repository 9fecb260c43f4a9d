import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { PriceMoment, RepricedArticle } from '#shared/repricer/dashboard.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { joinMoments } from './price-series.ts';

type History = {
  readonly moments: readonly PriceMoment[];
  /** False: the requested days have earlier minutes that are not loaded. */
  readonly finished: boolean;
};
export type PriceHistoryLoad = {
  readonly history: History | null;
  readonly busy: boolean;
  readonly failure: Failure | null;
  /** Repeats the failed request. */
  readonly retry: () => void;
  readonly earlier: () => void;
};
type Place = { sellerId: string; article: RepricedArticle; days: number };
/** History from `start` on; with `end`, only what precedes the loaded part. */
type Question = { start: string; end: string | undefined };

const dayMs = 24 * 60 * 60_000;

/**
 * Loads the prices of all sellers of an article in the last days. For another article or
 * other days, use another component (a key).
 */
export function usePriceHistory({ sellerId, article, days }: Place): PriceHistoryLoad {
  const [history, setHistory] = useState<History | null>(null);
  const [busy, setBusy] = useState(true);
  const [failed, setFailed] = useState<{ failure: Failure; question: Question } | null>(null);
  const running = useRef<AbortController>(null);

  const load = async (question: Question) => {
    const abort = new AbortController();
    running.current?.abort();
    running.current = abort;
    setBusy(true);
    setFailed(null);
    const { masterid, marketplace, _id: articleId } = article;
    try {
      const { repricerdata, finished } = await call(api.articlePrices, {
        params: { sellerid: sellerId, articleId },
        query: { masterid, marketplace, ...question },
        signal: abort.signal,
      });
      setHistory((now) => ({ moments: joinMoments(repricerdata, now?.moments ?? []), finished }));
    } catch (error) {
      if (!abort.signal.aborted) setFailed({ failure: failureOf('Fehler beim Laden', error), question });
    } finally {
      if (running.current === abort) setBusy(false);
    }
  };
  const [start] = useState(() => new Date(Date.now() - days * dayMs).toISOString());
  const begin = useEffectEvent(() => void load({ start, end: undefined }));
  useEffect(() => {
    begin();
    return () => running.current?.abort();
  }, []);
  const earlier = () => {
    const first = history?.moments[0]?.amz_timestamp;
    if (first !== undefined) void load({ start, end: new Date(Date.parse(first) - 1).toISOString() });
  };
  const retry = () => void load(failed?.question ?? { start, end: undefined });
  return { history, busy, failure: failed?.failure ?? null, retry, earlier };
}
