import { useEffect, useState } from 'react';
import type { ItemRow } from '#shared/items/schema.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { loadableImages } from './image-check.ts';

export type ImageFilter = {
  /** The column whose pictures must show; null: none. */
  column: string | null;
  setColumn: (column: string | null) => void;
  /** The rows that are left. */
  rows: readonly ItemRow[];
  /** How many fell out. */
  dropped: number;
  checking: boolean;
};

/** ITE-05: of the rows of a page those whose picture can be loaded. */
export function useImageFilter(rows: readonly ItemRow[]): ImageFilter {
  const [column, setColumn] = useState<string | null>(null);
  const good = useLoadable(rows, column);
  const left = column === null || good === null ? rows : rows.filter((row) => good.has(row[column] ?? ''));
  return {
    column,
    setColumn,
    rows: left,
    dropped: rows.length - left.length,
    checking: column !== null && good === null,
  };
}

/** What the page's head says of the filter; undefined while it takes nothing away. */
export function imageFilterWords(
  { dropped }: Pick<ImageFilter, 'dropped'>,
  onPage: number,
  total: number,
): string | undefined {
  if (dropped === 0) return undefined;
  const left = formatInteger(onPage - dropped);
  if (total <= onPage) return `mit gültigem Bild, von ${formatInteger(total)}`;
  return `${left} der ${formatInteger(onPage)} auf dieser Seite haben ein gültiges Bild`;
}

/** The values of an image column that show a picture; null while that is being found out or nobody asked. */
function useLoadable(rows: readonly ItemRow[], column: string | null): Set<string> | null {
  const [good, setGood] = useState<Set<string> | null>(null);
  useEffect(() => {
    setGood(null);
    if (column === null) return;
    const stop = new AbortController();
    const check = async () => {
      const found = await loadableImages(
        rows.map((row) => row[column] ?? null),
        stop.signal,
      );
      if (!stop.signal.aborted) setGood(found);
    };
    void check();
    return () => stop.abort();
  }, [rows, column]);
  return good;
}
