/** Formats a count in German: 1.234.567. */
export function countWord(count: number): string {
  return count.toLocaleString('de-DE');
}

/** '1 Artikel', '1.234 Artikel': singular and plural are the same word. */
export function itemsWord(count: number): string {
  return `${countWord(count)} Artikel`;
}

/** Dative form, after 'auf': '1 Artikel', '12 Artikeln'. */
export function onItems(count: number): string {
  return `${countWord(count)} ${count === 1 ? 'Artikel' : 'Artikeln'}`;
}
