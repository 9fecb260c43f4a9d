import type { DetectedFormat, NumberGroups } from '#shared/import/schema.ts';
import { literal, type ImportSession } from '#feed/import/reader/session.ts';

/** A number with `mark` before three digits, where nothing else shows whether it is the decimal or the thousands mark. */
const threeDigits = (mark: string) => `[+-]?[1-9][0-9]{0,2}[${mark}][0-9]{3}`;
/** Pattern of numbers in which `mark` can only be the decimal mark, whatever text surrounds them. */
const decimals = (mark: string, other: string) =>
  `[^0-9.,]*(?:[0-9]+[${mark}](?:[0-9]{1,2}|[0-9]{4,})|(?:0[0-9]*|[0-9]{4,})[${mark}][0-9]+|[0-9]{1,3}(?:[${other}][0-9]{3})+[${mark}][0-9]*|[0-9]{1,3}(?:[${other}][0-9]{3}){2,})[^0-9]*`;

const MARKS = [
  ['.', ','],
  [',', '.'],
] as const;

const AT_ONCE = 100;

/** File formats whose numbers may already be typed, written by a program with a decimal point. */
const typed = new Set<DetectedFormat['format']>(['json', 'jsonl', 'xlsx']);

type Counted = { id: string; counts: number[] };
export type Mark = '.' | ',';
/** Prices whose mark is not explained by their column, and a column that shows the decimal mark of the file's prices. */
export type ByFile = { columns: { id: string; mark: Mark }[]; decimal: Mark; shownBy: string };
export type FoundGroups = { groups: Map<string, NumberGroups>; byFile?: ByFile };

const matches = (text: string, pattern: string) => `count_if(regexp_full_match(trim(${text}), ${literal(pattern)}))`;
const decimalCounts = (id: string) => MARKS.map(([mark, other]) => matches(id, decimals(mark, other)));

/**
 * Determines for each of these columns that has numbers like `1.500` what their mark means; all values of the column count.
 * Unclear columns among `prices` are read like the file's other prices; other numbers are no evidence for prices, as a database
 * may have written them.
 */
export async function numberGroups(
  session: ImportSession,
  from: string,
  { ids, prices }: { ids: readonly string[]; prices: readonly string[] },
  format: DetectedFormat['format'],
): Promise<FoundGroups> {
  const some = async (columns: readonly string[], countsOf: (id: string) => string[]) => {
    const found: Counted[] = [];
    // In parts, as DuckDB's planning time grows with the square of the number of columns.
    for (let start = 0; start < columns.length; start += AT_ONCE) {
      const part = columns.slice(start, start + AT_ONCE);
      const [row = []] = await session.rows(`SELECT ${part.flatMap(countsOf).join(', ')} FROM ${from}`);
      const width = row.length / part.length;
      const counts = row.map(Number);
      found.push(...part.map((id, index) => ({ id, counts: counts.slice(index * width, (index + 1) * width) })));
    }
    return found;
  };
  // Few columns have such numbers, and checking costs a tenth of reading the file: one pass over all columns finds them.
  const any = await some(ids, (id) => [
    `count_if(CASE WHEN left(right(${id}, 4), 1) IN ('.', ',') THEN regexp_full_match(${id}, ${literal(threeDigits('.,'))}) END)`,
  ]);
  const open = any.filter(({ counts: [count = 0] }) => count > 0).map(({ id }) => id);
  const shown = await some(open, (id) => [
    ...MARKS.map(([mark]) => matches(id, threeDigits(mark))),
    ...decimalCounts(id),
    matches(id, '[0-9]{1,3}'),
    matches(id, '[+-]?[1-9][0-9]{0,2}[.,][0-9]{2}[1-9]'),
  ]);
  const groups = new Map(shown.map(({ id, counts }) => [id, judged(counts, typed.has(format))]));
  const unclear = shown.flatMap(({ id, counts }) => {
    const mark = prices.includes(id) ? unclearMark(counts) : undefined;
    return mark === undefined ? [] : [{ id, mark }];
  });
  if (unclear.length === 0 || typed.has(format)) return { groups };
  const decimal = decimalOf(await some(prices, decimalCounts));
  if (!decimal) return { groups };
  for (const { id, mark } of unclear) groups.set(id, groupsBy(decimal.mark, mark));
  return { groups, byFile: { columns: unclear, decimal: decimal.mark, shownBy: decimal.id } };
}

/** Returns the only mark of a column in which it always precedes three digits and nothing indicates thousands. */
function unclearMark(shown: readonly number[]): Mark | undefined {
  const [points = 0, commas = 0, decimalPoints = 0, decimalCommas = 0, small = 0, odd = 0] = shown;
  if (decimalPoints + decimalCommas + small + odd > 0 || (points > 0 && commas > 0)) return undefined;
  return points > 0 ? '.' : ',';
}

/** Returns the decimal mark that columns show, and the first column that shows it; undefined if none does or they disagree. */
function decimalOf(columns: readonly Counted[]): { mark: Mark; id: string } | undefined {
  const byPoint = columns.find(({ counts: [points = 0] }) => points > 0);
  const byComma = columns.find(({ counts: [, commas = 0] }) => commas > 0);
  if (byPoint && byComma) return undefined;
  if (byPoint) return { mark: '.', id: byPoint.id };
  return byComma && { mark: ',', id: byComma.id };
}

/** Never sure, so that an export still warns about such prices. */
function groupsBy(decimal: Mark, own: Mark): NumberGroups {
  if (own === decimal) return { mark: 'none', sure: false };
  return { mark: own === '.' ? 'point' : 'comma', sure: false };
}

/**
 * Judges one column, which has one decimal mark. If marks occur only before three digits, they separate thousands when the
 * column also has whole numbers below a thousand, or numbers that do not end in 0: programs that write three decimals write them
 * everywhere, and the last is 0.
 */
function judged(shown: readonly number[], written: boolean): NumberGroups {
  const [points = 0, commas = 0, decimalPoints = 0, decimalCommas = 0, small = 0, odd = 0] = shown;
  if (decimalPoints > 0 && decimalCommas > 0) return { mark: 'none', sure: false };
  if (decimalCommas > 0) return { mark: points > 0 ? 'point' : 'none', sure: true };
  if (decimalPoints > 0) return { mark: commas > 0 ? 'comma' : 'none', sure: true };
  const both = points > 0 && commas > 0;
  if (both || written || (small === 0 && odd === 0)) return { mark: 'none', sure: false };
  return { mark: points > 0 ? 'point' : 'comma', sure: false };
}
