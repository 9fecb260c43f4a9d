import { useEffect, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { ItemRow, PictureMarks } from '#shared/items/schema.ts';
import { call, CallError, foreignAnswer } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';

/** Beyond this the server pages, sorts and filters (ITE-07). */
export const mostLocally = 100_000;
const chunk = 5000;

type AllItems = {
  /** null: not loaded. */
  rows: readonly ItemRow[] | null;
  /** Of the pictures in all rows. */
  marks: PictureMarks | null;
  progress: { done: number; total: number } | null;
  failure: Failure | null;
  /** Loads them; `total` is how many there are as far as one knows. */
  load: (total: number) => Promise<void>;
  forget: () => void;
};

/** ITE-01: loads a whole catalogue chunk after chunk until the server says it is finished. `columns`: which of its fields. */
export function useAllItems(masterid: string, columns: { columns?: string }): AllItems {
  const [rows, setRows] = useState<readonly ItemRow[] | null>(null);
  const [marks, setMarks] = useState<PictureMarks | null>(null);
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const load = async (total: number) => {
    const abort = new AbortController();
    stop.current = abort;
    setFailure(null);
    // The first chunk takes its time, too.
    setProgress({ done: 0, total });
    try {
      const loaded: ItemRow[] = [];
      const marked: Record<string, string> = {};
      // All of the first one's state, whatever is imported meanwhile.
      let state: { snapshot?: number } = {};
      for (let page = 0, finished = false; !finished; page += 1) {
        const answer = await call(api.items, {
          query: { masterid, ...columns, ...state, offset: chunk * page, limit: chunk, pictures: 'true' },
          signal: abort.signal,
        });
        loaded.push(...answer.data);
        Object.assign(marked, answer.pictures);
        setProgress({ done: loaded.length, total: answer.total });
        if (answer.snapshot !== null) state = { snapshot: answer.snapshot };
        finished = answer.finished;
      }
      setRows(loaded);
      setMarks(marked);
    } catch (error) {
      if (!abort.signal.aborted) setFailure(loadFailure(error));
    } finally {
      setProgress(null);
    }
  };
  const forget = () => {
    stop.current?.abort();
    setRows(null);
    setMarks(null);
    setFailure(null);
  };
  return { rows, marks, progress, failure, load, forget };
}

/** ITE-06 names the text of an answer that is not ours. */
function loadFailure(error: unknown): Failure {
  const failure = failureOf('Fehler beim Laden', error);
  const foreign = error instanceof CallError && error.code === foreignAnswer;
  return foreign ? { ...failure, message: 'Network response was not ok' } : failure;
}
