import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

/** A piece of a list. */
export type ArticlePiece = {
  readonly data: readonly RepricedArticle[];
  /** Of the whole list; null where nobody has counted it. */
  readonly total: number | null;
  readonly finished: boolean;
};
export type AskPiece = (offset: number, signal: AbortSignal) => Promise<ArticlePiece>;

/** How much of a list has come; it goes on at `offset`. */
export type LoadProgress = { readonly offset: number; readonly total: number | null; readonly finished: boolean };

export const notLoaded: LoadProgress = { offset: 0, total: null, finished: false };

/** The state after a piece: the whole may have grown or shrunk since the last one, but never below what has come. */
export function progressAfter(before: LoadProgress, { data, total, finished }: ArticlePiece): LoadProgress {
  const offset = before.offset + data.length;
  return {
    offset,
    total: total === null ? null : Math.max(total, offset),
    // An empty piece ends it too: the list may have shrunk meanwhile.
    finished: finished || data.length === 0,
  };
}

/** „X von Y Datensätze“, as the specification writes it; nothing before the first piece has come. */
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

/** RDA-04: asks for piece after piece until the list is finished. @throws what a question throws; what came before stays */
export async function loadArticles({ from, ask, signal, onPiece }: Load): Promise<void> {
  let progress = from;
  while (!progress.finished) {
    const piece = await ask(progress.offset, signal);
    signal.throwIfAborted();
    progress = progressAfter(progress, piece);
    onPiece(piece.data, progress);
  }
}
