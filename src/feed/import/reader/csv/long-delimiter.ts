type Row = { readonly cells: readonly string[] };

const isBetween = /^[^\p{L}\p{N}\s"']{0,2}$/u;

/** The names of the columns, each but the last filled (there may be a delimiter at the end), with the same between them. */
function isHead({ cells }: Row): boolean {
  if (cells.length < 5 || cells.length % 2 === 0 || !isBetween.test(cells[1] ?? '')) return false;
  return cells.every((cell, index) =>
    index % 2 === 1 ? cell === cells[1] : index === cells.length - 1 || cell.trim() !== '',
  );
}

/**
 * The delimiter of several characters that a table seems to have which one character parts: `||` or `|;|` gives it a nameless column behind each
 * named one, with the same in all its cells. Rows of other widths have that character in their texts; titles may stand above.
 */
export function longDelimiter(rows: readonly Row[], delimiter: string): string | undefined {
  const at = rows.slice(0, 31).findIndex(isHead);
  const head = rows[at]?.cells ?? [];
  if (at < 0) return undefined;
  const between = head[1] ?? '';
  const below = rows.slice(at + 1);
  const whole = rows.filter(({ cells }) => cells.length === head.length);
  const isParted = ({ cells }: Row) => cells.every((cell, index) => index % 2 === 0 || cell === between);
  const enough = below.filter(({ cells }) => cells.length === head.length).length >= below.length * 0.9;
  return enough && whole.every(isParted) ? `${delimiter}${between}${delimiter}` : undefined;
}
