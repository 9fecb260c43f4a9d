/**
 * The name of a CSV file made of what it shows: „Artikel“, „Winter 2026“ become `Artikel-Winter-2026.csv`. Only what every
 * file system takes stays; a part of which nothing stays is left out.
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
