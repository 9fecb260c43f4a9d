import { MAX_DEPTH } from './draft.ts';
import { isId, isName } from './roles.ts';

/** Two columns of one level: its code and its name ('FamilyCode', 'FamilyTitle'). */
type Pair = { readonly code: number; readonly name: number };

/** Longer titles are no column's name; searching them for its last word could take seconds. */
const LONGEST_TITLE = 100;

/** What remains of a title without the word that says code or name: 'FamilyCode' and 'Family title' become 'family'. */
const stemOf = (title: string): string =>
  title.length > LONGEST_TITLE
    ? ''
    : title
        .trim()
        .replaceAll(/(?<=[a-zäöüß])(?=[A-ZÄÖÜ])/g, '_')
        .toLowerCase()
        .replace(
          /[\s_-]*(?:id|nr|nummer|number|code|kennung|key|schlüssel|name|bezeichnung|title|titel|label|description|desc)\.?$/,
          '',
        );

function pairsOf(head: readonly string[]): Pair[] {
  const stems = head.map(stemOf);
  const names = new Map<string, number>();
  for (const [at, title] of head.entries()) {
    const stem = stems[at] ?? '';
    if (stem !== '' && isName(title) && !isId(title) && !names.has(stem)) names.set(stem, at);
  }
  return head.flatMap((title, code) => {
    const name = isId(title) ? names.get(stems[code] ?? '') : undefined;
    return name === undefined ? [] : [{ code, name }];
  });
}

/** Levels need this many pairs: of two, the other one may be a manufacturer. */
const LEAST_LEVELS = 3;

/**
 * Returns the columns of names when a table has a code and a name for each level, as GS1 writes its classification: the name that
 * belongs to the id column, and its levels from the top if each code has only one code above it.
 */
export function pairedColumns(
  head: readonly string[],
  rows: readonly string[][],
  id: number,
): { name: number; levels: number[] } | undefined {
  const pairs = pairsOf(head);
  const own = pairs.findIndex(({ code }) => code === id);
  if (own === -1 || pairs.length < 2) return undefined;
  const above = pairs.slice(0, own + 1);
  const isTree =
    above.length <= MAX_DEPTH &&
    above.every(({ code }, at) => at === 0 || isBelow(rows, above[at - 1]?.code ?? -1, code));
  return {
    name: pairs[own]?.name ?? -1,
    levels: isTree && above.length >= LEAST_LEVELS ? above.map(({ name }) => name) : [],
  };
}

function isBelow(rows: readonly string[][], upper: number, lower: number): boolean {
  const known = new Map<string, string>();
  return rows.every((row) => {
    const [above = '', own = ''] = [row[upper], row[lower]];
    const before = known.get(own);
    known.set(own, above);
    return own === '' || before === undefined || before === above;
  });
}
