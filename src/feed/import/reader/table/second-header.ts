import type { Warnings } from '#feed/import/reader/warnings.ts';
import { kindOf } from './cell-kinds.ts';

type Row = { cells: readonly string[] };

const names = (row: Row): string[] => row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
const mostly = (texts: readonly string[], test: (text: string) => boolean): boolean =>
  texts.length >= 3 && texts.filter(test).length >= texts.length * 0.6;
/** Whether a name is written as programs name columns: `item_sku`, `brand[language_tag=de_DE]#1.value`. */
const isTechnical = (name: string): boolean =>
  /^[a-z][a-z\d]*(?:_[a-z\d]+)+$/iu.test(name) || /^[a-z][\w.[\]=]*#\d+\.[\w.#[\]=]+$/iu.test(name);
const isName = (name: string): boolean => kindOf(name) === 'text' && !/^\d/u.test(name) && name.length <= 200;

/**
 * Whether the row below the header names the columns again, as in files for Amazon: one line for people, one for programs.
 * Exactly one of them must have technical names, and two names must be above columns without text, where an item would not have
 * text.
 */
export function isSecondHeader(header: Row, second: Row | undefined, body: readonly Row[]): boolean {
  if (!second || body.length === 0) return false;
  const above = names(header);
  const below = names(second);
  if (below.length < Math.max(3, above.length * 0.8) || !below.every(isName)) return false;
  if (new Set(below).size < below.length) return false;
  if (!mostly(below, isTechnical) && !mostly(above, isTechnical)) return false;
  if (mostly(below, isTechnical) && mostly(above, isTechnical)) return false;
  const sample = body.slice(0, 100);
  const standsAboveNumbers = (column: number) => {
    const kinds = sample.map((row) => kindOf(row.cells[column] ?? '')).filter((kind) => kind !== 'empty');
    return kinds.length > 0 && kinds.filter((kind) => kind !== 'text').length >= kinds.length * 0.8;
  };
  return second.cells.filter((cell, column) => cell.trim() !== '' && standsAboveNumbers(column)).length >= 2;
}

/** Warns which line was not read as an item. */
export function warnOfSecondHeader(warnings: Warnings, second: Row | undefined): void {
  const shown = second ? names(second).join('; ').slice(0, 100) : '';
  warnings.once(
    'second_header',
    `Unter der Kopfzeile steht eine zweite Zeile mit Namen („${shown}“). Sie wurde nicht als Artikel gelesen. Falls sie einer ist, geben Sie unter „Zeilen überspringen“ an, wie viele Zeilen über der Kopfzeile stehen (0 für keine), und importieren Sie erneut.`,
  );
}
