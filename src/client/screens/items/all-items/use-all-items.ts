import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { ItemPage, ItemRow } from '#shared/items/schema.ts';
import { call, CallError, foreignAnswer } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { dropItems, cacheItems, cachedItems, type LoadedItems } from '#client/page-load/loaded-items.ts';
import { usePreference } from '#client/preferences.ts';
import { isLoadedAtOnce } from './loaded-at-once.ts';

const chunk = 5000;

type Loading = {
  /** null: not loaded. */
  loaded: LoadedItems | null;
  progress: { done: number; total: number } | null;
  failure: Failure | null;
};
const nothing: Loading = { loaded: null, progress: null, failure: null };

/** Loads `loadable`, which identifies a state of the catalogue and the shown fields. `ask` fetches it. */
function useLoading(
  loadable: string,
  first: Loading,
  ask: (signal: AbortSignal, onProgress: (done: number, total: number) => void) => Promise<LoadedItems>,
) {
  const [loading, setLoading] = useState(first);
  const stop = useRef<AbortController>(null);
  /** The `loadable` that is loaded, loading, failed or left to the server. */
  const startedFor = useRef('');
  const end = (next: Loading) => {
    stop.current?.abort();
    startedFor.current = loadable;
    setLoading(next);
  };
  /** @returns the error that prevented loading; undefined after success, or if it was cancelled */
  const load = async (total: number): Promise<unknown> => {
    const abort = new AbortController();
    // Shown at once, because the first chunk takes its time, too.
    end({ ...nothing, progress: { done: 0, total } });
    stop.current = abort;
    dropItems();
    try {
      const items = await ask(abort.signal, (done, all) => setLoading({ ...nothing, progress: { done, total: all } }));
      setLoading({ ...nothing, loaded: items });
      cacheItems(loadable, items);
    } catch (error) {
      // The cancelling code has cleaned up, and may have started a new load.
      if (abort.signal.aborted) return undefined;
      setLoading({ ...nothing, failure: loadFailure(error) });
      return error;
    }
    return undefined;
  };
  const leave = useEffectEvent(() => {
    stop.current?.abort();
    startedFor.current = '';
  });
  useEffect(() => () => leave(), []);
  const isBegun = () => startedFor.current === loadable;
  const restart = () => {
    dropItems();
    startedFor.current = '';
  };
  return { loading, isBegun, end, load, restart };
}

/**
 * ITE-01: loads a whole catalogue chunk by chunk until the server says it is finished: when the grid opens, and again after the
 * catalogue or the shown fields have changed. `columns`: which of its fields. `ready`: false defers this.
 */
export function useAllItems(masterid: string, page: ItemPage | null, columns: { columns?: string }, ready: boolean) {
  const [choice, choose] = usePreference('itemLoading');
  const { revalidate } = useRevalidator();
  const loadable = page === null ? '' : [masterid, page.snapshot, ...page.columns.map(({ id }) => id)].join(' ');
  const isWanted = page !== null && choice !== 'paged' && isLoadedAtOnce(page);
  const cached = cachedItems(loadable);
  const { loading, isBegun, end, load, restart } = useLoading(
    loadable,
    // The server already renders this as the first state.
    cached
      ? { ...nothing, loaded: cached }
      : { ...nothing, progress: isWanted ? { done: 0, total: page.items } : null },
    (signal, onProgress) => loadChunks({ masterid, ...columns, ...stateOf(page) }, signal, onProgress),
  );
  const loadNow = async () => {
    const error = await load(page?.items ?? 0);
    // The page's state is gone; the new page's items then load by themselves.
    if (error instanceof CallError && error.status === 410) await revalidate();
  };
  const begin = useEffectEvent(() => {
    if (!ready || isBegun()) return;
    if (cached) end({ ...nothing, loaded: cached });
    else if (isWanted) void loadNow();
    else end(nothing);
  });
  useEffect(() => begin(), [page, ready]);
  return {
    rows: loading.loaded?.rows ?? null,
    marks: loading.loaded?.marks ?? null,
    progress: loading.progress,
    failure: loading.failure,
    /** Loads all items, now and whenever the grid is opened. */
    load: () => {
      choose('');
      void loadNow();
    },
    /** Leaves paging to the server, until the user loads all items again. */
    cancel: () => {
      choose('paged');
      end(nothing);
    },
    /** Shows the server's pages instead of the failure. */
    dismiss: () => end(nothing),
    /** Discards the loaded items: they are loaded again with the server's next page. */
    restart,
  };
}

const stateOf = (page: ItemPage | null) => (page === null || page.snapshot === null ? {} : { snapshot: page.snapshot });

/** Loads all items of one state, whatever is imported meanwhile. @throws CallError, also when aborted by `signal` */
async function loadChunks(
  query: { masterid: string; columns?: string; snapshot?: number },
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<LoadedItems> {
  const rows: ItemRow[] = [];
  const marks: Record<string, string> = {};
  for (let page = 0, finished = false; !finished; page += 1) {
    const answer = await call(api.items, {
      query: { ...query, offset: chunk * page, limit: chunk, pictures: 'true' },
      signal,
    });
    signal.throwIfAborted();
    rows.push(...answer.data);
    Object.assign(marks, answer.pictures);
    onProgress(rows.length, answer.total);
    finished = answer.finished;
  }
  return { rows, marks };
}

/** ITE-06 specifies the text for an answer that is not ours. */
function loadFailure(error: unknown): Failure {
  const failure = failureOf('Fehler beim Laden', error);
  const foreign = error instanceof CallError && error.code === foreignAnswer;
  return foreign ? { ...failure, message: 'Network response was not ok' } : failure;
}
