/**
 * Finds the first quote that opens a cell but is closed neither in its line nor at the end of a cell: it would hide the rows
 * below it. Returns its line and the beginning of its cell.
 */
export function unclosedQuote(text: string, delimiter: string): { line: number; beginning: string } | undefined {
  const edges = [delimiter, '\r', '\n'];
  const isEdge = (at: number) => at < 0 || at >= text.length || edges.includes(text.charAt(at));
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    // Inside a cell, a quote is text.
    if (!isEdge(at - 1)) continue;
    const end = closingQuote(text, at);
    if (end === -1 || (!isEdge(end + 1) && /[\r\n]/.test(text.slice(at, end)))) return placeOf(text, at);
    at = end;
  }
  return undefined;
}

/** The next quote that is not doubled. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && text.charAt(at + 1) === '"') at = text.indexOf('"', at + 2);
  return at;
}

const MOST_SHOWN = 40;

function placeOf(text: string, at: number): { line: number; beginning: string } {
  const [beginning = ''] = text.slice(at, at + MOST_SHOWN).split(/[\r\n]/, 1);
  return { line: text.slice(0, at).split(/\r\n|\n|\r/).length, beginning };
}
