import { type RefObject, useEffect, useMemo, useState } from 'react';

/** Rows from `from` up to but not including `to` are drawn; the heights of the others are kept free. */
export type RowWindow = { from: number; to: number; before: number; after: number };

/** Below this all rows are drawn: find in page and printing then show everything. */
const enough = 60;
/** Pixels drawn beyond both edges, so that scrolling meets drawn rows. */
const spare = 320;

/** Where each row begins, and behind the last one where all end. */
export function offsetsOf(heights: Iterable<number>): number[] {
  const offsets = [0];
  let end = 0;
  for (const height of heights) offsets.push((end += height));
  return offsets;
}

/** Which of the rows lie between two edges of a scroll region, in pixels from the first row's top. */
export function rowsBetween(offsets: readonly number[], top: number, visible: number): RowWindow {
  const count = offsets.length - 1;
  const total = offsets[count] ?? 0;
  if (count <= enough) return { from: 0, to: count, before: 0, after: 0 };
  const from = Math.min(count - 1, rowAt(offsets, top - spare));
  const to = Math.min(count, rowAt(offsets, top + visible + spare) + 1);
  return { from, to, before: offsets[from] ?? 0, after: total - (offsets[to] ?? total) };
}

/** The row that a place lies in, by halving. */
function rowAt(offsets: readonly number[], place: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return low;
}

/** Follows the scrolling of a region with very many rows, whose heights are known. */
export function useRowWindow(heights: readonly number[], region: RefObject<HTMLElement | null>): RowWindow {
  const offsets = useMemo(() => offsetsOf(heights), [heights]);
  const [place, setPlace] = useState({ top: 0, visible: 900 });
  const many = heights.length > enough;
  useEffect(() => {
    const element = region.current;
    if (!many || element === null) return;
    // Steps of 160 px: not every pixel of scrolling needs another set of rows.
    const follow = () => {
      const top = Math.floor(element.scrollTop / 160) * 160;
      const visible = element.clientHeight + 160;
      setPlace((now) => (now.top === top && now.visible === visible ? now : { top, visible }));
    };
    follow();
    element.addEventListener('scroll', follow, { passive: true });
    const resized = new ResizeObserver(follow);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', follow);
      resized.disconnect();
    };
  }, [many, region]);
  return rowsBetween(offsets, place.top, place.visible);
}
