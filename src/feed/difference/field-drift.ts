import type { FieldDrift } from '#shared/difference/schema.ts';
import type { NumberGroups } from '#shared/import/schema.ts';

/**
 * A field that both states have, with its columns in their files and its role. `offer`: a price that comes and goes;
 * `availability`: a stock in words; `required` and `title`: texts.
 */
export type ComparedField = {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly role: 'price' | 'offer' | 'stock' | 'availability' | 'required' | 'title';
  /** What a mark before three digits means in each of the states, if it is known. */
  readonly groups?: { readonly before: NumberGroups | undefined; readonly after: NumberGroups | undefined };
};

/** With fewer items than this, nothing can be concluded about a field. */
const ENOUGH = 5;
/** With fewer values than this, equal values are not reported: a small shop may well sell everything for one price. */
const ENOUGH_SAME = 20;
/** The number of different prices there must have been before equal ones are reported: two shipping rates may well become one. */
export const MANY_PRICES = 10;
/** A field counts as emptied, or its stocks as gone, if at most this share is left. No season sells out nine tenths at once. */
export const LEFT = 0.1;
/** The share of prices that must have changed or disappeared: no new price list does that to half a range by intent. */
export const HALF = 0.5;
/**
 * The least factor for half of the prices: a lost decimal mark makes ten or more, another currency of Europe four (zloty); no
 * sale takes three quarters off half a range.
 */
export const FAR = 4;
/** The share of items that must have had a price for its loss to be a fault: special prices, which fewer have, end by intent. */
const FEW = 0.25;

/**
 * Counts over the items that both states have: prices above 0 in both; of these, changed; a hundred times higher; a hundredth; at
 * least FAR times higher; at least FAR times lower; above 0 before and not now; 1 if the changed ones are all equal now and were
 * not before; the number of items.
 */
export type PriceNumbers = readonly number[];
/** Counts over the items that both states have: stocks above 0 before; now; above 0 before and now empty or no number. */
export type StockNumbers = readonly number[];

const german = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });

/**
 * Returns at most one drift. Numbers of a required field: items that had and have it; of a title: items with it, 1 if all became
 * equal.
 */
export function driftOf({ field, role }: ComparedField, numbers: readonly number[]): FieldDrift[] {
  const drift = byRole[role](numbers);
  if (drift === undefined) return [];
  const { kind, text, grave = true } = drift;
  return [{ field, kind, sentence: `„${field}“ ${text}`, grave }];
}

type Described = { kind: FieldDrift['kind']; text: string; grave?: false };

const byRole: Record<ComparedField['role'], (numbers: readonly number[]) => Described | undefined> = {
  required: ([had = 0, has = 0]) =>
    had < ENOUGH || has > had * LEFT
      ? undefined
      : { kind: 'emptied', text: `ist ${of(had - has, had)} leer geworden.` },
  title: ([has = 0, same = 0]) =>
    has < ENOUGH_SAME || same === 0
      ? undefined
      : { kind: 'same', text: `hat jetzt überall denselben Wert (${german.format(has)} Artikel).` },
  stock: (numbers) => stockDrift(numbers, stockWords),
  availability: (numbers) => stockDrift(numbers, availabilityWords),
  price: (numbers) => goneDrift(numbers) ?? sameDrift(numbers) ?? movedDrift(numbers) ?? changedDrift(numbers),
  offer: (numbers) => movedDrift(numbers) ?? changedDrift(numbers),
};

const of = (some: number, all: number): string => `bei ${german.format(some)} von ${german.format(all)} Artikeln`;

/** Sentences about a stock: gone completely, gone except for a few, or no longer readable. */
type StockWords = {
  readonly none: (had: number) => string;
  readonly few: (has: number, had: number) => string;
  readonly lost: string;
};
const stockWords: StockWords = {
  none: (had) => `ist bei keinem Artikel mehr größer als 0; bisher waren es ${german.format(had)}.`,
  few: (has, had) =>
    `ist nur noch bei ${german.format(has)} Artikeln größer als 0; bisher waren es ${german.format(had)}.`,
  lost: 'leer oder keine Zahl mehr.',
};
const availabilityWords: StockWords = {
  none: (had) => `nennt keinen Artikel mehr verfügbar; bisher waren es ${german.format(had)}.`,
  few: (has, had) => `nennt nur noch ${german.format(has)} Artikel verfügbar; bisher waren es ${german.format(had)}.`,
  lost: 'leer.',
};

function stockDrift([had = 0, has = 0, lost = 0]: StockNumbers, words: StockWords): Described | undefined {
  if (had < ENOUGH || has > had * LEFT) return undefined;
  if (lost >= had * HALF) return { kind: 'emptied', text: `ist ${of(lost, had)} ${words.lost}` };
  return { kind: 'stock', text: has === 0 ? words.none(had) : words.few(has, had) };
}

function goneDrift([both = 0, , , , , , missing = 0, , items = 0]: PriceNumbers): Described | undefined {
  const had = both + missing;
  if (had < ENOUGH || had < items * FEW || missing < had * HALF) return undefined;
  return { kind: 'emptied', text: `ist ${of(missing, had)} leer, keine Zahl oder nicht mehr größer als 0.` };
}

function movedDrift([both = 0, , hundredfold = 0, hundredth = 0, higher = 0, lower = 0]: PriceNumbers):
  | Described
  | undefined {
  if (both < ENOUGH) return undefined;
  for (const [moved, words] of [
    [hundredfold, 'hundertmal so hoch wie bisher'],
    [hundredth, 'nur ein Hundertstel von bisher'],
    [higher, 'mindestens viermal so hoch wie bisher'],
    [lower, 'höchstens ein Viertel von bisher'],
  ] as const)
    if (moved >= both * HALF) return { kind: 'scaled', text: `ist ${of(moved, both)} ${words}.` };
  return undefined;
}

function sameDrift([both = 0, changed = 0, , , , , , same = 0]: PriceNumbers): Described | undefined {
  if (same === 0 || changed < ENOUGH_SAME || changed < both * HALF) return undefined;
  return { kind: 'same', text: `hat jetzt überall denselben Wert (${german.format(changed)} geänderte Artikel).` };
}

function changedDrift([both = 0, changed = 0]: PriceNumbers): Described | undefined {
  if (both < ENOUGH || changed < both * HALF) return undefined;
  const share = german.format((changed / both) * 100);
  return { kind: 'prices', text: `hat sich bei ${share} % der Artikel geändert.`, grave: false };
}
