/**
 * Unicode simple lower-casing, letter by letter, as DuckDB's `lower` does it: 'İ' gives 'i' (one letter), 'ß' stays, 'ẞ'
 * gives 'ß', and a 'Σ' at the end of a word gives 'σ'.
 */
export function simpleLower(text: string): string {
  const lowered = text.toLowerCase();
  if (!/[İΣ]/.test(text)) return lowered;
  return Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('');
}

/** Escapes a text so that it is a part of an RE2 pattern that matches exactly this text. */
export function quotedPattern(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}

/** The most patterns and letters of one alternation: larger ones leave RE2's fast path. */
const ALTERNATION = { patterns: 500, letters: 10_000 } as const;

/** Joins patterns to as few alternations as run fast; a text matches an alternation if it matches one of its patterns. */
export function alternations(patterns: readonly string[]): string[] {
  const lists: string[][] = [[]];
  let letters = 0;
  for (const pattern of patterns) {
    const current = lists.at(-1) ?? [];
    letters += pattern.length;
    if (current.length < ALTERNATION.patterns && letters <= ALTERNATION.letters) current.push(pattern);
    else {
      lists.push([pattern]);
      letters = pattern.length;
    }
  }
  return lists.filter((list) => list.length > 0).map((list) => list.join('|'));
}
