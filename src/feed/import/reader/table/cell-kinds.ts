import { isGtin } from '#feed/import/reader/guess.ts';

type CellKind = 'number' | 'gtin' | 'url' | 'date' | 'text' | 'empty';

/** Returns the kind of a cell's content; column names are of kind 'text'. */
export function kindOf(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'empty';
  if (/^https?:\/\/\S+$/iu.test(text)) return 'url';
  if (text.length >= 12 && isGtin(text)) return 'gtin';
  // Only for short texts: matching takes time in the square of the length.
  if (text.length <= 60 && /^[+-]?[\d.,]*\d([.,]\d+)?\s*(€|eur|%)?$/iu.test(text)) return 'number';
  if (/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/u.test(text)) return 'date';
  return 'text';
}

/** Years are special: a year may be the name of a column. */
export const isYear = (cell: string): boolean => /^(19|20)\d\d$/u.test(cell.trim());
