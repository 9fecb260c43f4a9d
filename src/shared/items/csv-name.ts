/**
 * Returns the name of a CSV file from words: „Artikel“, „Winter 2026“ become `Artikel-Winter-2026.csv`. Keeps only characters
 * that every file system accepts; a word without any is left out.
 */
export function csvName(...words: readonly string[]): string {
  const clean = (part: string) =>
    part
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 60)
      .replaceAll(/^-+|-+$/g, '');
  return `${words
    .map(clean)
    .filter((part) => part !== '')
    .join('-')}.csv`;
}
