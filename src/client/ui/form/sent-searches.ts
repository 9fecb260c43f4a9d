/** Texts that were sent and have not come back from the address yet, the newest last. */
export type SentSearches = readonly string[];

/**
 * What is still under way once the address says `search`; undefined if somebody else put it there (a saved view, the way back).
 * A page that loads says it later than it was typed: by then the field holds further letters. Some addresses trim what they keep.
 */
export function arrivedSearch(sent: SentSearches, search: string): SentSearches | undefined {
  const at = sent.findLastIndex((text) => text.trim() === search.trim());
  return at === -1 ? undefined : sent.slice(at + 1);
}
