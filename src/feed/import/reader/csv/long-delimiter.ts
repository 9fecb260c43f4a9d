type Row = { readonly cells: readonly string[] };

const signs = /^[^\p{L}\p{N}\p{C}\s"']{1,2}$/u;

/** Nothing stands between two bars; between the usual delimiters it may be a column that a row far below fills. */
function isBetween(cell: string, delimiter: string): boolean {
  return cell === '' ? delimiter === '|' : signs.test(cell);
}

/** The names of the columns, each but the last filled (there may be a delimiter at the end), with the same between them. */
function isHead({ cells }: Row, delimiter: string): boolean {
  if (cells.length < 5 || cells.length % 2 === 0 || !isBetween(cells[1] ?? '', delimiter)) return false;
  return cells.every((cell, index) =>
    index % 2 === 1 ? cell === cells[1] : index === cells.length - 1 || cell.trim() !== '',
  );
}

/**
 * The delimiter of several characters that a table seems to have which one character parts: `||` or `|;|` gives it a nameless column behind each
 * named one, with the same in all its cells. Rows of other widths have that character in their texts; titles may stand above.
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
