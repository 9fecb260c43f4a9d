import type { RepricerRule } from '#shared/repricer/schema.ts';
import { parseDifference } from './price-text.ts';

/** A rule prepared for decisions: read once, used for every item. */
export type ReadRule = {
  readonly active: boolean;
  /** undefined: the rule cannot run, whatever the item. */
  readonly terms: Terms | undefined;
};

export type Terms = {
  readonly strategy: 1 | 2;
  readonly diff: number;
  readonly alone: 'standard' | 'max';
  readonly belowMin: 1 | 2 | 3;
  readonly minField: string;
  readonly maxField: string;
  readonly standardField: string;
  /** 0: no filter. */
  readonly leastReviews: number;
  readonly leastRating: number;
  readonly excluded: ReadonlySet<string>;
};

const strategies: Readonly<Record<string, 1 | 2>> = { 1: 1, 2: 2 };
const belowMin: Readonly<Record<string, 1 | 2 | 3>> = { 1: 1, 2: 2, 3: 3 };
const alone: Readonly<Record<string, 'standard' | 'max'>> = {
  1: 'standard',
  2: 'max',
  'repricer_price.worker_price': 'standard',
  'repricer_price.worker_max_price': 'max',
};
const known = <T>(table: Readonly<Record<string, T>>, value: string | number): T | undefined =>
  Object.hasOwn(table, String(value)) ? table[String(value)] : undefined;

/** Returns the normalised id of a seller: marketplaces use upper case; people copy ids with blanks around. */
export function sellerKey(id: string): string {
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    // Nearly every id is normalised already; checking costs a fraction of building a new text.
    if (!((code >= 48 && code <= 57) || (code >= 65 && code <= 90))) return id.trim().toUpperCase();
  }
  return id;
}

const threshold = (value: string | number): number => {
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : 0;
};

/** Reads a rule from the wire; a value outside its list makes a rule that cannot run. */
export function readRule({ active, action }: Pick<RepricerRule, 'active' | 'action'>): ReadRule {
  const strategy = known(strategies, action.strategy);
  const diff = parseDifference(action.diff_price);
  const below = known(belowMin, action.min_price_strategy);
  const whenAlone = known(alone, action.non_competition_strategy);
  const [minField, maxField, standardField] = [action.min_price, action.max_price, action.standard_price].map(
    ({ value }) => (value.trim() === '' ? undefined : value),
  );
  if (!strategy || diff === undefined || !below || !whenAlone || !minField || !maxField || !standardField)
    return { active, terms: undefined };
  const excluded = new Set(action.exclude_sellers.map(({ value }) => sellerKey(value)).filter((id) => id !== ''));
  return {
    active,
    terms: {
      strategy,
      diff,
      alone: whenAlone,
      belowMin: below,
      minField,
      maxField,
      standardField,
      leastReviews: threshold(action.exclude_count_reviews),
      leastRating: threshold(action.exclude_count_rank),
      excluded,
    },
  };
}
