import { type RefObject, useEffect, useState } from 'react';

/**
 * The columns from `from` up to but not including `to` are drawn; `before` and `after` are the pixels kept free for the others.
 */
export type ColumnWindow = { from: number; to: number; before: number; after: number };

/** Up to this number all columns are drawn: a hundred rows of forty cells scroll well. */
const enough = 40;
const spare = 400;

/** Returns the columns in the visible part of a scroll region, and some more on both sides. */
export function windowOf(widths: readonly number[], left: number, visible: number): ColumnWindow {
  let from = 0;
  let before = 0;
  while (from < widths.length - 1 && before + (widths[from] ?? 0) < left - spare) before += widths[from++] ?? 0;
  let to = from;
  let edge = before;
  while (to < widths.length && edge < left + visible + spare) edge += widths[to++] ?? 0;
  const after = widths.slice(to).reduce((sum, width) => sum + width, 0);
  return { from, to, before, after };
}

/** Follows the horizontal scrolling of a region with very many columns; few columns are all drawn. */
export function useColumnWindow(widths: readonly number[], region: RefObject<HTMLElement | null>): ColumnWindow {
  const [scroll, setScroll] = useState({ left: 0, visible: 1600 });
  const many = widths.length > enough;
  useEffect(() => {
    const element = region.current;
    if (!many || element === null) return;
    // Steps of 200 px: not every pixel of scrolling needs another set of columns.
    const follow = () => {
      const left = Math.floor(element.scrollLeft / 200) * 200;
      setScroll((now) =>
        now.left === left && now.visible === element.clientWidth ? now : { left, visible: element.clientWidth },
      );
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
  if (!many) return { from: 0, to: widths.length, before: 0, after: 0 };
  return windowOf(widths, scroll.left, scroll.visible);
}
