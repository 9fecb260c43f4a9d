type Row = { readonly cells: readonly string[] };

const signs = /^[^\p{L}\p{N}\p{C}\s"']{1,2}$/u;

/**
 * Whether a cell may be the middle of a long delimiter. An empty cell counts only between bars (`||`): between other delimiters
 * it may be a column that is filled further below.
 */
function isBetween(cell: string, delimiter: string): boolean {
  return cell === '' ? delimiter === '|' : signs.test(cell);
}

/**
 * Whether a row is a header with a long delimiter: every second cell is a name (the last may be empty, from a delimiter at the
 * end), and all cells between them are equal.
 */
function isHead({ cells }: Row, delimiter: string): boolean {
  if (cells.length < 5 || cells.length % 2 === 0 || !isBetween(cells[1] ?? '', delimiter)) return false;
  return cells.every((cell, index) =>
    index % 2 === 1 ? cell === cells[1] : index === cells.length - 1 || cell.trim() !== '',
  );
}

/**
 * Returns the delimiter of several characters that a table seems to have, although it was split at one: `||` or `|;|` gives a
 * nameless column after each named one, with the same content in all its cells. Rows of other widths have that character in
 * their texts; titles may precede the header.
 */
export function longDelimiter(rows: readonly Row[], delimiter: string): string | undefined {
  const at = rows.slice(0, 31).findIndex((row) => isHead(row, delimiter));
  const head = rows[at]?.cells ?? [];
  if (at < 0) return undefined;
  const between = head[1] ?? '';
  const below = rows.slice(at + 1);
  const whole = rows.filter(({ cells }) => cells.length === head.length);
  const isParted = ({ cells }: Row) => cells.every((cell, index) => index % 2 === 0 || cell === between);
  const enough = below.filter(({ cells }) => cells.length === head.length).length >= below.length * 0.9;
  return enough && whole.every(isParted) ? `${delimiter}${between}${delimiter}` : undefined;
}
