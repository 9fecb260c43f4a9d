// Created on first use: it takes longer than the rest of a short process's start.
let integer: Intl.NumberFormat | undefined;

/** Returns a count with its noun: 1 Zeile, 1.200 Zeilen. */
export const countText = (count: number, one: string, many: string): string =>
  `${integerText(count)} ${count === 1 ? one : many}`;

/** Returns a whole number for a German sentence: 1.234.567. */
export function integerText(value: number): string {
  integer ??= new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });
  return integer.format(value);
}
