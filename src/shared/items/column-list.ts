/** Most columns that a list names, as catalogues have no more: a range in an address could name millions. */
const MOST_COLUMNS = 10_000;

/**
 * Longest list in an address: it fits into the 16 KB that a request may have before its body. That is two thousand columns apart
 * from each other, and any number of neighbours.
 */
export const LONGEST_COLUMN_LIST = 12_000;

const part = /^f(\d{1,10})(?:-f(\d{1,10}))?$/;
const idOf = (number: number) => `f${String(number).padStart(4, '0')}`;

/** Writes column ids for an address: neighbours as a range, and only characters that an address has as they are. */
export function writeColumns(ids: readonly string[]): string {
  const parts: { first: string; last: string }[] = [];
  for (const id of ids) {
    const open = parts.at(-1);
    if (open !== undefined && id === idOf(Number(open.last.slice(1)) + 1)) open.last = id;
    else parts.push({ first: id, last: id });
  }
  return parts.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join('.');
}

/** Reads column ids, also those of older addresses and of programs: separated by commas. What is no id is left out. */
export function readColumns(text: string): string[] {
  const ids = new Set<string>();
  // Counts ids that are named again, too: a thousand overlapping ranges would take seconds.
  let left = MOST_COLUMNS;
  for (const one of text.split(/[.,]/)) {
    const [, first, last] = part.exec(one) ?? [];
    if (first === undefined) continue;
    if (last === undefined) ids.add(one);
    else for (let at = Number(first); at <= Number(last) && left > 0; at += 1, left -= 1) ids.add(idOf(at));
  }
  return [...ids];
}
