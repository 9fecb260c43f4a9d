import { type RefObject, startTransition, useEffect, useMemo, useState } from 'react';

/** Rows from `from` up to but not including `to` are drawn; `before` and `after` are the pixels kept free for the others. */
type RowRange = { from: number; to: number; before: number; after: number };

/** Up to this number all rows are drawn: find in page and printing then cover everything. */
const enough = 60;
/** Pixels drawn beyond both edges, so that scrolling reaches rows that are already drawn. */
const spare = 320;
/** Pixels of scrolling after which the drawn rows change. */
const step = 160;

/** Returns the top of each row in pixels, and as the last entry the end of all rows. */
export function offsetsOf(heights: Iterable<number>): number[] {
  const offsets = [0];
  let end = 0;
  for (const height of heights) offsets.push((end += height));
  return offsets;
}

/** Returns the rows between two edges of a scroll region, in pixels from the first row's top. */
export function rowsBetween(offsets: readonly number[], top: number, visible: number): RowRange {
  const count = offsets.length - 1;
  const total = offsets[count] ?? 0;
  if (count <= enough) return { from: 0, to: count, before: 0, after: 0 };
  const from = Math.min(count - 1, rowAt(offsets, top - spare));
  const to = Math.min(count, rowAt(offsets, top + visible + spare) + 1);
  return { from, to, before: offsets[from] ?? 0, after: total - (offsets[to] ?? total) };
}

/** Returns the index of the row at an offset, by binary search. */
function rowAt(offsets: readonly number[], index: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= index) low = middle;
    else high = middle;
  }
  return low;
}

/** The drawn part of a region with very many rows. */
export type RowWindow = {
  from: number;
  to: number;
  /** Pixels from the first row's top to that of another one. */
  topOf: (index: number) => number;
  /** False for rows being scrolled past: they show only text until scrolling stops. */
  isReady: (index: number) => boolean;
};

type Place = { top: number; visible: number };
const start: Place = { top: 0, visible: 760 };
/** Milliseconds without an event after which scrolling counts as stopped. */
const stopped = 120;
/** Milliseconds after the Tab key within which scrolling counts as caused by it. */
const tabbed = 200;

/** Follows the scrolling of a region with very many rows of known heights; undefined if all rows are drawn. */
export function useRowWindow(heights: readonly number[], region: RefObject<HTMLElement | null>): RowWindow | undefined {
  const offsets = useMemo(() => offsetsOf(heights), [heights]);
  const many = heights.length > enough;
  const { place, rest } = usePlaces(region, many);
  return useMemo(() => {
    if (!many) return undefined;
    const { from, to } = rowsBetween(offsets, place.top, place.visible);
    const ready = rest === null ? undefined : rowsBetween(offsets, rest.top, rest.visible);
    return {
      from,
      to,
      topOf: (index) => offsets[index] ?? offsets.at(-1) ?? 0,
      isReady: (index) => ready !== undefined && index >= ready.from && index < ready.to,
    };
  }, [many, offsets, place, rest]);
}

/** Current scroll position, and the one at which scrolling last stopped. */
function usePlaces(region: RefObject<HTMLElement | null>, many: boolean): { place: Place; rest: Place | null } {
  const [place, setPlace] = useState(start);
  // Before hydration the rows are text only: their controls would not respond.
  const [rest, setRest] = useState(() => (many ? null : start));
  useEffect(() => {
    const element = region.current;
    if (!many || element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tab = Number.NEGATIVE_INFINITY;
    const follow = (wait: number) => {
      // Steps: not every pixel of scrolling needs another set of rows.
      const top = Math.floor(element.scrollTop / step) * step;
      const visible = element.clientHeight + step;
      const isHere = (now: Place | null) => now?.top === top && now.visible === visible;
      const come = () => setRest((now) => (isHere(now) ? now : { top, visible }));
      setPlace((now) => (isHere(now) ? now : { top, visible }));
      clearTimeout(timer);
      // The Tab key goes on into the next row, which must already have its controls.
      if (performance.now() - tab < tabbed) come();
      else timer = setTimeout(() => startTransition(come), wait);
    };
    const onKeyDown = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'Tab') tab = timeStamp;
    };
    const onScroll = () => follow(stopped);
    follow(0);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('keydown', onKeyDown);
    const resized = new ResizeObserver(() => follow(0));
    resized.observe(element);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('keydown', onKeyDown);
      resized.disconnect();
    };
  }, [many, region]);
  return { place, rest };
}
