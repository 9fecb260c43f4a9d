import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { ItemPage, ItemRow, PictureMarks } from '#shared/items/schema.ts';
import { call, CallError, foreignAnswer } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { usePreference } from '#client/preferences.ts';
import { isLoadedAtOnce } from './loaded-at-once.ts';

const chunk = 5000;

type Loaded = { rows: readonly ItemRow[]; marks: PictureMarks };
/** What was loaded last, and of what: whoever comes back to the grid finds it there. */
let kept: { of: string; loaded: Loaded } | undefined;

type Loading = {
  /** null: not loaded. */
  loaded: Loaded | null;
  progress: { done: number; total: number } | null;
  failure: Failure | null;
};
const nothing: Loading = { loaded: null, progress: null, failure: null };

/**
 * ITE-01: loads a whole catalogue chunk after chunk until the server says it is finished: as soon as the grid is there, and again where
 * the catalogue or the fields that are shown have changed. `columns`: which of its fields.
 */
export function useAllItems(masterid: string, page: ItemPage | null, columns: { columns?: string }) {
  const [choice, choose] = usePreference('itemLoading');
  const [{ loaded, progress, failure }, setLoading] = useState(nothing);
  const stop = useRef<AbortController>(null);
  /** What is loaded, loading or failed to load. */
  const begun = useRef('');
  // What was loaded holds for one state of the catalogue and the fields that were shown.
  const loadable = page === null ? '' : [masterid, page.snapshot, ...page.columns.map(({ id }) => id)].join(' ');
  const forget = () => {
    stop.current?.abort();
    begun.current = '';
    setLoading(nothing);
  };
  const load = async () => {
    forget();
    const abort = new AbortController();
    stop.current = abort;
    begun.current = loadable;
    const onProgress = (done: number, total: number) => setLoading({ ...nothing, progress: { done, total } });
    // The first chunk takes its time, too.
    onProgress(0, page?.items ?? 0);
    try {
      const all = await loadChunks({ masterid, ...columns }, abort.signal, onProgress);
      setLoading({ ...nothing, loaded: all });
      kept = all.snapshot === page?.snapshot ? { of: loadable, loaded: all } : undefined;
    } catch (error) {
      // Whoever ended it has cleared up, and may have begun anew.
      if (!abort.signal.aborted) setLoading({ ...nothing, failure: loadFailure(error) });
    }
  };
  const begin = useEffectEvent(() => {
    if (begun.current === loadable) return;
    forget();
    if (page === null || choice === 'paged' || !isLoadedAtOnce(page)) return;
    if (kept?.of !== loadable) return void load();
    begun.current = loadable;
    setLoading({ ...nothing, loaded: kept.loaded });
  });
  useEffect(() => begin(), [page]);
  const leave = useEffectEvent(() => {
    stop.current?.abort();
    begun.current = '';
  });
  useEffect(() => () => leave(), []);
  /** From now on whenever the grid is opened, or not any more. */
  const choosing = (chosen: '' | 'paged') => {
    choose(chosen);
    if (chosen === '') void load();
    else forget();
  };
  const forgetAll = () => {
    kept = undefined;
    forget();
  };
  const { rows, marks } = loaded ?? { rows: null, marks: null };
  return { rows, marks, progress, failure, load, forget: forgetAll, choose: choosing };
}

/** All items of one state, whatever is imported meanwhile. @throws CallError, also where `signal` ends it */
async function loadChunks(
  query: { masterid: string; columns?: string },
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Loaded & { snapshot: number | undefined }> {
  const rows: ItemRow[] = [];
  const marks: Record<string, string> = {};
  let state: { snapshot?: number } = {};
  for (let page = 0, finished = false; !finished; page += 1) {
    const answer = await call(api.items, {
      query: { ...query, ...state, offset: chunk * page, limit: chunk, pictures: 'true' },
      signal,
    });
    signal.throwIfAborted();
    rows.push(...answer.data);
    Object.assign(marks, answer.pictures);
    onProgress(rows.length, answer.total);
    if (answer.snapshot !== null) state = { snapshot: answer.snapshot };
    finished = answer.finished;
  }
  return { rows, marks, snapshot: state.snapshot };
}

/** ITE-06 names the text of an answer that is not ours. */
function loadFailure(error: unknown): Failure {
  const failure = failureOf('Fehler beim Laden', error);
  const foreign = error instanceof CallError && error.code === foreignAnswer;
  return foreign ? { ...failure, message: 'Network response was not ok' } : failure;
}
