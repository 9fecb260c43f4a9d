import type { ItemsQuery } from '#client/screens/items/items-query.ts';

type Grid = {
  /** Tells whether the loaded items are enough to answer a query. */
  canAnswer: (query: ItemsQuery) => boolean;
  /** Tells whether the shown items are being reloaded: the server then has newer ones, or other columns. */
  isStale: () => boolean;
};
const noGrid: Grid = { canAnswer: () => false, isStale: () => false };
let shown = noGrid;

/** Registers the shown grid; returns a function that ends this. */
export function answerLocally(grid: Grid): () => void {
  shown = grid;
  return () => {
    if (shown === grid) shown = noGrid;
  };
}

/** Tells whether the shown grid needs no server for a query, for example when the user goes back to an earlier search. */
export const isAnsweredLocally = (query: ItemsQuery): boolean => shown.canAnswer(query);

/** Tells whether a navigation must do the reload that it interrupts. */
export const isReloadDue = (): boolean => shown.isStale();
