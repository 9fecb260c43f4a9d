import type { FieldDrift } from '#shared/difference/schema.ts';

/** A field that both states have: its columns in their files, and what its values are. */
export type ComparedField = {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly role: 'price' | 'stock' | 'required';
};

/** Fewer items say nothing about a field. */
const ENOUGH = 5;
/** As many prices must be the same before that is told: a small shop may well sell all for one price. */
const ENOUGH_SAME = 20;
/** The share of its values that a field has left at most where it counts as emptied, and of its stocks where they count as gone. No season sells nine tenths of a range out at once. */
export const LEFT = 0.1;
/** The share of the prices that must have moved alike or gone: no price list, however new, does that to half a range by intent. */
export const HALF = 0.5;

/**
 * Of the items that both states have: prices above 0 in both; those that changed; a hundred times higher; a hundredth; eight times higher or
 * more; an eighth or less; above 0 before and now 0, empty or no number; 1 where those that changed are all the same now and were not before.
 */
export type PriceNumbers = readonly number[];
/** Of the items that both states have: stocks above 0 before; now; above 0 before and now empty or no number. */
export type StockNumbers = readonly number[];

const german = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });

/** What the numbers of a field say, at most one thing. Of a required field: how many items had it and how many have it. */
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
  stock: stockDrift,
  price: priceDrift,
};

const of = (some: number, all: number): string => `bei ${german.format(some)} von ${german.format(all)} Artikeln`;

function stockDrift([had = 0, has = 0, lost = 0]: StockNumbers): Described | undefined {
  if (had < ENOUGH || has > had * LEFT) return undefined;
  if (lost >= had * HALF) return { kind: 'emptied', text: `ist ${of(lost, had)} leer oder keine Zahl mehr.` };
  if (has === 0 && lost === 0)
    return { kind: 'stock', text: `ist bei allen Artikeln 0; bisher waren ${german.format(had)} größer als 0.` };
  return { kind: 'stock', text: `ist nur noch ${of(has, had)} größer als 0.` };
}

function priceDrift(numbers: PriceNumbers): Described | undefined {
  const [both = 0, changed = 0, hundredfold = 0, hundredth = 0, higher = 0, lower = 0, gone = 0, same = 0] = numbers;
  const had = both + gone;
  if (had >= ENOUGH && gone >= had * HALF)
    return { kind: 'emptied', text: `ist ${of(gone, had)} leer, 0 oder keine Zahl mehr.` };
  if (both < ENOUGH) return undefined;
  for (const [moved, words] of [
    [hundredfold, 'hundertmal so hoch wie bisher'],
    [hundredth, 'nur ein Hundertstel von bisher'],
    [higher, 'mindestens achtmal so hoch wie bisher'],
    [lower, 'höchstens ein Achtel von bisher'],
  ] as const)
    if (moved >= both * HALF) return { kind: 'scaled', text: `ist ${of(moved, both)} ${words}.` };
  if (changed < both * HALF) return undefined;
  if (same === 1 && changed >= ENOUGH_SAME)
    return { kind: 'prices', text: `ist bei ${german.format(changed)} geänderten Artikeln jetzt überall gleich.` };
  const share = german.format((changed / both) * 100);
  return { kind: 'prices', text: `hat sich bei ${share} % der Artikel geändert.`, grave: false };
}
