import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

/** A chunk of a list. */
export type ArticlePiece = {
  readonly data: readonly RepricedArticle[];
  /** Size of the whole list; null if unknown. */
  readonly total: number | null;
  readonly finished: boolean;
};
export type AskPiece = (offset: number, signal: AbortSignal) => Promise<ArticlePiece>;

/** How much of a list is loaded; loading continues at `offset`. */
export type LoadProgress = { readonly offset: number; readonly total: number | null; readonly finished: boolean };

export const notLoaded: LoadProgress = { offset: 0, total: null, finished: false };

/** Returns the progress after a chunk: the total may have grown or shrunk, but is never below what has arrived. */
export function progressAfter(before: LoadProgress, { data, total, finished }: ArticlePiece): LoadProgress {
  const offset = before.offset + data.length;
  return {
    offset,
    total: total === null ? null : Math.max(total, offset),
    // An empty chunk also ends it: the list may have shrunk meanwhile.
    finished: finished || data.length === 0,
  };
}

/** Formats „X von Y Datensätze“, as specified; null before the first chunk. */
export function progressWords({ offset, total }: LoadProgress): string | null {
  const all = (count: number) => formatCount(count, 'Datensatz', 'Datensätze').replace('\u00a0', ' ');
  if (total === null) return offset === 0 ? null : all(offset);
  return `${formatInteger(offset)} von ${all(total)}`;
}

type Load = {
  readonly from: LoadProgress;
  readonly ask: AskPiece;
  readonly signal: AbortSignal;
  readonly onPiece: (data: readonly RepricedArticle[], progress: LoadProgress) => void;
};

/** RDA-04: loads chunk after chunk until the list is finished. @throws what `ask` throws; earlier chunks are kept */
export async function loadArticles({ from, ask, signal, onPiece }: Load): Promise<void> {
  let progress = from;
  while (!progress.finished) {
    const piece = await ask(progress.offset, signal);
    signal.throwIfAborted();
    progress = progressAfter(progress, piece);
    onPiece(piece.data, progress);
  }
}
