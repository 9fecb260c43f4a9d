/** Counts as Germans write them: 1.234.567. */
export function countWord(count: number): string {
  return count.toLocaleString('de-DE');
}

/** „1 Artikel“, „1.234 Artikel“: the word is the same for one and for many. */
export function itemsWord(count: number): string {
  return `${countWord(count)} Artikel`;
}

/** „auf 1 Artikel“, „auf 12 Artikeln“. */
export function onItems(count: number): string {
  return `${countWord(count)} ${count === 1 ? 'Artikel' : 'Artikeln'}`;
}
