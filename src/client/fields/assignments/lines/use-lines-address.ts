import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';
import type { Line } from './lines.ts';
import { linesQuery, readLines, withLines } from './lines-query.ts';
import type { Counts } from './use-counts.ts';
import type { LinesForm } from './use-lines.ts';
import type { LinesView } from './use-view.ts';

/** Milliseconds after the last key before the search is written to the URL. */
const writeDelay = 300;
// The table already shows the new state, so the navigation loads nothing.
const how = { replace: true, preventScrollReset: true, defaultShouldRevalidate: false };

/**
 * Keeps a table's filter and its URL in step: writes the user's filter to the URL, and applies the filter of a URL or saved view
 * once all rows (`loading` is null) and their counts are loaded.
 */
export function useLinesAddress<L extends Line>(view: LinesView<L>, loading: LinesForm<L>['loading'], counts: Counts) {
  const ready = loading === null && (counts.answer !== null || counts.failure !== null);
  const [address, setAddress] = useSearchParams();
  const wanted = linesQuery(readLines(address)).toString();
  const shown = linesQuery(view).toString();
  const written = useRef(shown);
  const write = useEffectEvent(() => {
    if (written.current === shown) return;
    written.current = shown;
    setAddress((now) => withLines(now, new URLSearchParams(shown)), how);
  });
  useEffect(() => {
    const timer = setTimeout(() => write(), writeDelay);
    return () => clearTimeout(timer);
  }, [shown]);
  const follow = useEffectEvent(() => {
    if (!ready || wanted === written.current) return;
    written.current = wanted;
    const { state, search } = readLines(address);
    view.look(state, search);
  });
  useEffect(() => follow(), [wanted, ready]);
  /** Applies a saved view directly: the URL alone is not enough, as it may still lack text typed a moment ago. */
  const open = (stored: URLSearchParams, id: string, replace: boolean) => {
    const next = linesQuery(readLines(stored));
    if (ready) {
      written.current = next.toString();
      const { state, search } = readLines(next);
      view.look(state, search);
    }
    setAddress((now) => withView(withLines(now, next), id), { ...how, replace });
  };
  return { query: new URLSearchParams(shown), opened: readView(address), untouched: wanted === '', open };
}

function withView(address: URLSearchParams, id: string): URLSearchParams {
  if (id === '') address.delete(VIEW_PARAMETER);
  else address.set(VIEW_PARAMETER, id);
  return address;
}
