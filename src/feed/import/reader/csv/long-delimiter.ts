type Row = { readonly cells: readonly string[] };

const isBetween = /^[^\p{L}\p{N}\s"']{0,2}$/u;

/**
 * The delimiter of several characters that a table seems to have which one character parts: `||` or `|;|` gives it a nameless column behind each
 * named one, with the same in all its cells. Rows of other widths have that character in their texts.
 */
export function longDelimiter(rows: readonly Row[], delimiter: string): string | undefined {
  const [head] = rows;
  const width = head?.cells.length ?? 0;
  const between = head?.cells[1] ?? '';
  if (width < 5 || width % 2 === 0 || !isBetween.test(between)) return undefined;
  // The last name may be empty, behind a delimiter at the end.
  if (head?.cells.some((cell, index) => index % 2 === 0 && index < width - 1 && cell.trim() === '')) return undefined;
  const whole = rows.filter(({ cells }) => cells.length === width);
  const isParted = ({ cells }: Row) => cells.every((cell, index) => index % 2 === 0 || cell === between);
  return whole.length >= rows.length * 0.9 && whole.every(isParted) ? `${delimiter}${between}${delimiter}` : undefined;
}
