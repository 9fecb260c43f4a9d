/**
 * Unicode simple lower-casing, letter by letter, as DuckDB's `lower` does it: 'İ' gives 'i' (one letter), 'ß' stays, 'ẞ'
 * gives 'ß', and a 'Σ' at the end of a word gives 'σ'.
 */
export function simpleLower(text: string): string {
  const lowered = text.toLowerCase();
  if (!/[İΣ]/.test(text)) return lowered;
  return Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('');
}

/** A text as part of an RE2 pattern that matches exactly it. */
export function quotedPattern(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}
