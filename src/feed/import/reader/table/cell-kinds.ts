import { isGtin } from '#feed/import/reader/guess.ts';

type CellKind = 'number' | 'gtin' | 'url' | 'date' | 'text' | 'empty';

/** What a cell of a table looks like: names of columns are texts. */
export function kindOf(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'empty';
  if (/^https?:\/\/\S+$/iu.test(text)) return 'url';
  if (text.length >= 12 && isGtin(text)) return 'gtin';
  // The pattern takes a long text's square.
  if (text.length <= 60 && /^[+-]?[\d.,]*\d([.,]\d+)?\s*(€|eur|%)?$/iu.test(text)) return 'number';
  if (/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/u.test(text)) return 'date';
  return 'text';
}

/** A year may be the name of a column. */
export const isYear = (cell: string): boolean => /^(19|20)\d\d$/u.test(cell.trim());
