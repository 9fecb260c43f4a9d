import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { TransferPage, TransferReason, TransferSum } from '#shared/transfer/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import type { TransferQuery } from './transfer-query.ts';

const controller = 'transfer';
const calls = { list: api.transferList, ready: api.transferReady, failure: api.transferFailure } as const;

type Loading<T> = { answer: T | null; failure: Failure | null; busy: boolean };

/** TRA-01: loads the counters, again when `version` changes. */
export function useSum(id: string, version: number): Loading<TransferSum> {
  return useAnswer(id, version, (signal) => call(api.transferSum, { params: { controller }, body: { id }, signal }));
}

/** TRA-02, TRA-03: loads one page of a view. The view's old page stays while the next one loads; after a failure it is removed. */
export function usePage(id: string, query: TransferQuery, version: number): Loading<TransferPage> {
  const { view, page, size, search, reason } = query;
  return useAnswer(`${id} ${view}`, JSON.stringify([query, version]), (signal) =>
    call(calls[view], {
      params: { controller },
      query: { id, search, reason, offset: page * size, limit: size },
      signal,
    }),
  );
}

/** Loads why items were refused, again when `version` changes. */
export function useReasons(id: string, version: number): Loading<TransferReason[]> {
  return useAnswer(id, version, (signal) => call(api.transferReasons, { params: { id }, signal }));
}

/** Asks for every other `place` or `version`. A place's old answer stays until the new one is there, never that of another place. */
function useAnswer<T>(place: string, version: string | number, ask: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const key = `${place} ${version}`;
  const [loaded, setLoaded] = useState<{ key: string; place: string; answer: T | null; failure: Failure | null }>();
  const request = useEffectEvent(ask);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        setLoaded({ key, place, answer: await request(stop.signal), failure: null });
      } catch (error) {
        if (!stop.signal.aborted)
          setLoaded({ key, place, answer: null, failure: failureOf('Fehler beim Laden der Daten:', error) });
      }
    };
    void load();
    return () => stop.abort();
  }, [key, place]);
  const busy = loaded?.key !== key;
  return {
    answer: loaded?.place === place ? loaded.answer : null,
    failure: busy ? null : (loaded?.failure ?? null),
    busy,
  };
}
