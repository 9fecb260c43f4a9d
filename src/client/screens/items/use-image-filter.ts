import { useMemo, useState } from 'react';
import { useParams } from 'react-router';
import type { Column, ItemRow } from '#shared/items/schema.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import type { Failure } from '#client/failure.ts';
import { useLive } from '#client/use-live.ts';
import { itemsWithImages } from './image-check.ts';

export type ImageFilter = {
  /** The column whose pictures must exist; null: no filter. */
  column: string | null;
  setColumn: (column: string | null) => void;
  /** The rows that pass. */
  rows: readonly ItemRow[];
  /** Number of rows removed. */
  dropped: number;
  checking: boolean;
  failure: Failure | null;
  retry: () => void;
};

/**
 * ITE-05: filters a page's rows by whether their picture can be loaded. Without its column nothing could remove the filter, and
 * the rows would lack their pictures: it ends.
 */
export function useImageFilter(rows: readonly ItemRow[], columns: readonly Column[]): ImageFilter {
  const [chosen, setColumn] = useState<string | null>(null);
  const isShown = columns.some(({ id, guess }) => id === chosen && guess === 'image');
  if (chosen !== null && columns.length > 0 && !isShown) setColumn(null);
  const column = isShown ? chosen : null;
  const { good, failure, retry } = useItemsWithImages(rows, column);
  const left = column === null || good === null ? rows : rows.filter((row) => good.has(row['_id'] ?? ''));
  return {
    column,
    setColumn,
    rows: left,
    dropped: rows.length - left.length,
    checking: column !== null && good === null && failure === null,
    failure,
    retry,
  };
}

/** Returns the filter's text in the page's head; undefined while it removes nothing. */
export function imageFilterWords(
  { dropped }: Pick<ImageFilter, 'dropped'>,
  onPage: number,
  total: number,
): string | undefined {
  if (dropped === 0) return undefined;
  const left = onPage - dropped;
  if (total <= onPage) return `mit gültigem Bild, von ${formatInteger(total)}`;
  return `${formatInteger(left)} der ${formatInteger(onPage)} auf dieser Seite ${left === 1 ? 'hat' : 'haben'} ein gültiges Bild`;
}

/** Loads the items whose picture exists; null while unknown or not requested. */
function useItemsWithImages(rows: readonly ItemRow[], field: string | null) {
  const { masterid = '' } = useParams();
  const question = useMemo(() => ({ rows, field }), [rows, field]);
  const { answer, busy, failure, retry } = useLive(
    question,
    (signal) => itemsWithImages(masterid, rows, field ?? '', signal),
    { delay: 0, enabled: field !== null },
  );
  return { good: busy || failure !== null ? null : answer, failure, retry };
}
