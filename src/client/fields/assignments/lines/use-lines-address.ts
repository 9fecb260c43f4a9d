import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';
import type { Line } from './lines.ts';
import { linesQuery, readLines, withLines } from './lines-query.ts';
import type { Counts } from './use-counts.ts';
import type { LinesForm } from './use-lines.ts';
import type { LinesView } from './use-view.ts';

/** Without a further key before what is looked for stands in the address. */
const writeDelay = 300;
// The table shows already what the address is to say: nothing is loaded for it.
const how = { replace: true, preventScrollReset: true, defaultShouldRevalidate: false };

/**
 * Keeps what a table shows and its address the same: what somebody looks for is written there, and what an address or a saved view
 * says is looked for, once all rows (`loading` is null) and their counts are there.
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
  /** Shows what a saved view says. Not left to the address alone: what was typed a moment ago may not stand there yet. */
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
