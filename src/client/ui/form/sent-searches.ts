/** Search texts already submitted but not yet present in the URL, newest last. */
export type SentSearches = readonly string[];

/**
 * Returns the searches still pending once the URL has `search`; undefined if it came from elsewhere (a saved view, the back
 * button). A loading page changes the URL late, when the field already holds further letters. Some addresses trim the text.
 */
export function arrivedSearch(sent: SentSearches, search: string): SentSearches | undefined {
  const at = sent.findLastIndex((text) => text.trim() === search.trim());
  return at === -1 ? undefined : sent.slice(at + 1);
}
