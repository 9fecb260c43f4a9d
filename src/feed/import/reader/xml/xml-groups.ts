import type { CellSink, XmlNode } from './xml-items.ts';

/** Most empty lines that groups may add to an item. */
const maxPadding = 1_000_000;

type Column = { values: string[]; places: number[] };

/**
 * Passes on the values of several elements of one name that hold several fields each. If each group has at most one value of a
 * field, the n-th line of every field belongs to the n-th group: of two attributes of which the first has no value, `v` is an
 * empty line and `XL`. `inner`: inside another group, whose line count must be kept.
 */
export function giveGroups(
  groups: readonly XmlNode[],
  giveOne: (group: XmlNode, give: CellSink) => void,
  give: CellSink,
  inner: boolean,
): void {
  const columns = new Map<string, Column>();
  groups.forEach((group, place) =>
    giveOne(group, (header, value) => {
      const column = columns.get(header) ?? { values: [], places: [] };
      columns.set(header, column);
      column.values.push(value);
      column.places.push(place);
    }),
  );
  const filled = [...columns.values()].filter(isFilled).length;
  const pairs = filled >= 2 && groups.length * columns.size <= maxPadding;
  for (const [header, column] of columns) {
    if (pairs && isFilled(column) && isSingle(column)) give(header, linesOf(column, groups.length, inner));
    else for (const value of column.values) give(header, value);
  }
}

function isFilled({ values }: Column): boolean {
  return values.some((value) => /[^\n]/u.test(value));
}

function isSingle({ places }: Column): boolean {
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
}

function linesOf({ values, places }: Column, count: number, inner: boolean): string {
  const lines = Array.from({ length: count }, () => '');
  places.forEach((place, index) => (lines[place] = values[index] ?? ''));
  const text = lines.join('\n');
  let end = text.length;
  if (!inner) while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
