import type { DetectedFormat, NumberGroups } from '#shared/import/schema.ts';
import { literal, type ImportSession } from '#feed/import/reader/session.ts';

/** `mark` before three digits, where nothing else tells what it is. */
const threeDigits = (mark: string) => `[+-]?[1-9][0-9]{0,2}[${mark}][0-9]{3}`;
/** Numbers in which `mark` can only be decimal, whatever stands around them. */
const decimals = (mark: string, other: string) =>
  `[^0-9.,]*(?:[0-9]+[${mark}](?:[0-9]{1,2}|[0-9]{4,})|(?:0[0-9]*|[0-9]{4,})[${mark}][0-9]+|[0-9]{1,3}(?:[${other}][0-9]{3})+[${mark}][0-9]*|[0-9]{1,3}(?:[${other}][0-9]{3}){2,})[^0-9]*`;

const MARKS = [
  ['.', ','],
  [',', '.'],
] as const;

const AT_ONCE = 100;

/** Kinds of file in which a number may be one already, written by a program with a decimal point. */
const typed = new Set<DetectedFormat['format']>(['json', 'jsonl', 'xlsx']);

/** What a mark before three digits means in each of these columns that has such values: all their values have a say. */
export async function numberGroups(
  session: ImportSession,
  from: string,
  ids: readonly string[],
  format: DetectedFormat['format'],
): Promise<Map<string, NumberGroups>> {
  const matches = (text: string, pattern: string) => `count_if(regexp_full_match(trim(${text}), ${literal(pattern)}))`;
  const some = async (columns: readonly string[], countsOf: (id: string) => string[]) => {
    const found: { id: string; counts: number[] }[] = [];
    // As planning grows by square.
    for (let start = 0; start < columns.length; start += AT_ONCE) {
      const part = columns.slice(start, start + AT_ONCE);
      const [row = []] = await session.rows(`SELECT ${part.flatMap(countsOf).join(', ')} FROM ${from}`);
      const width = row.length / part.length;
      const counts = row.map(Number);
      found.push(...part.map((id, index) => ({ id, counts: counts.slice(index * width, (index + 1) * width) })));
    }
    return found;
  };
  // Few columns have any, and looking costs a tenth of reading the file: all values are looked at once.
  const any = await some(ids, (id) => [
    `count_if(CASE WHEN left(right(${id}, 4), 1) IN ('.', ',') THEN regexp_full_match(${id}, ${literal(threeDigits('.,'))}) END)`,
  ]);
  const open = any.filter(({ counts: [count = 0] }) => count > 0).map(({ id }) => id);
  const shown = await some(open, (id) => [
    ...MARKS.map(([mark]) => matches(id, threeDigits(mark))),
    ...MARKS.map(([mark, other]) => matches(id, decimals(mark, other))),
    matches(id, '[0-9]{1,3}'),
    matches(id, '[+-]?[1-9][0-9]{0,2}[.,][0-9]{2}[1-9]'),
  ]);
  return new Map(shown.map(({ id, counts }) => [id, judged(counts, typed.has(format))]));
}

/**
 * A column has one decimal mark. Where only marks before three digits are there, prices beside whole numbers below a thousand, or such that do
 * not all end in 0, have their thousands parted: programs that write three decimals write them everywhere, and the last is 0.
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
