import { z } from 'zod';
import { RuleId } from '#shared/rules/schema.ts';
import { wireText } from '#shared/values/schema.ts';

/** Largest sizes of a master's repricing rules; larger ones are refused as invalid input. */
export const REPRICER_LIMITS = {
  rules: 200,
  name: 200,
  description: 10_000,
  field: 500,
  sellers: 1000,
  offers: 1000,
} as const;

/** Strategies of a rule (REP-05). */
export const STRATEGIES = [
  { value: 1, label: 'Wettbewerber-Targeting' },
  { value: 2, label: 'BuyBox-Targeting' },
] as const;

/** REP-07. The value 1, as in a new rule, means the first choice. */
export const NON_COMPETITION_STRATEGIES = [
  { value: 'repricer_price.worker_price', label: 'Gehe auf Standardpreis' },
  { value: 'repricer_price.worker_max_price', label: 'Gehe auf Maximalpreis' },
] as const;

/** Strategies below the minimum price (REP-08). */
export const MIN_PRICE_STRATEGIES = [
  { value: 1, label: 'Gehe auf Mindestpreis' },
  { value: 2, label: 'Gehe auf Standardpreis' },
  { value: 3, label: 'Konkurriere mit dem nächstbesten Verkäufer' },
] as const;

/** REP-09: choices of the two filters; 0 filters nothing. */
export const RANKS = Array.from({ length: 21 }, (_, index) => index * 5);
export const REVIEW_COUNTS = Array.from({ length: 50 }, (_, index) => index * 200);

/** REP-06: choices from '0.00' to '0.99'. */
export const DIFF_PRICES = Array.from({ length: 100 }, (_, cents) => `0.${String(cents).padStart(2, '0')}`);

/** A choice as received: browsers' select elements send numbers as texts, programs send numbers. '': nothing chosen. */
const choice = z.preprocess((value) => value ?? '', z.union([z.number(), z.string().trim().max(64)]));

/** 0 or no choice filters nothing. */
const filterChoice = z.preprocess((value) => (value === null || value === '' ? 0 : value), choice).default(0);

/** Select and checkbox elements of forms send texts. */
const flag = z.preprocess(
  (value) =>
    value === 'true' || value === 1 || value === '1'
      ? true
      : value === 'false' || value === 0 || value === '0'
        ? false
        : value,
  z.boolean(),
);

/** REP-04: a price is read from the item's field named by `value`; '': no field chosen. */
export const PriceField = z
  .object({
    type: z.literal('_field').default('_field'),
    value: wireText(REPRICER_LIMITS.field),
  })
  .meta({ id: 'PriceField' });
export type PriceField = z.infer<typeof PriceField>;

/** REP-10: `value` is the seller's id at the marketplace, `name` is only for people. */
export const ExcludedSeller = z.object({ name: wireText(200), value: wireText(100) });
export type ExcludedSeller = z.infer<typeof ExcludedSeller>;

const noField = { type: '_field', value: '' } as const;
/** Forms send null or '' if no field is chosen yet (REP-13). */
const chosenField = z
  .preprocess((value) => (value === null || value === '' ? noField : value), PriceField)
  .default(noField);

export const RepricerAction = z.object({
  min_price: chosenField,
  max_price: chosenField,
  standard_price: chosenField,
  strategy: choice.default(''),
  diff_price: choice.default(''),
  non_competition_strategy: choice.default(1),
  min_price_strategy: choice.default(1),
  exclude_count_rank: filterChoice,
  exclude_count_reviews: filterChoice,
  exclude_sellers: z
    .preprocess((value) => value ?? [], z.array(ExcludedSeller).max(REPRICER_LIMITS.sellers))
    .default([]),
});
export type RepricerAction = z.infer<typeof RepricerAction>;

/**
 * A repricing rule as on the wire. Members keep the type they were sent with (1 or '1'), so that a rule is read as it was saved;
 * code that computes with them accepts both.
 */
export const RepricerRule = z
  .object({
    id: RuleId,
    name: wireText(REPRICER_LIMITS.name),
    description: wireText(REPRICER_LIMITS.description),
    active: flag.default(false),
    action: RepricerAction.prefault({}),
  })
  .meta({ id: 'RepricerRule' });
export type RepricerRule = z.infer<typeof RepricerRule>;

/** All rules of a master by priority (REP-03), as stored. */
export const RepricerRules = z.array(RepricerRule).max(REPRICER_LIMITS.rules);

/** REP-16: rule id -> rule. Ids of digits only come first in a JavaScript object: the order is a separate list. */
export const RepricerRuleMap = z.record(z.string(), RepricerRule);

/** REP-11: returns a new rule: paused, strategy 1, no fields yet. */
export function newRepricerRule(id: string): RepricerRule {
  return RepricerRule.parse({
    id,
    name: '',
    description: '',
    action: { strategy: 1, non_competition_strategy: 1, min_price_strategy: 1 },
  });
}

/** REP-12: returns a copy with the new id, without a name, paused. */
export function copyRepricerRule(rule: RepricerRule, id: string): RepricerRule {
  return { ...structuredClone(rule), id, name: '', active: false };
}

const isSet = (value: string | number) => String(value).trim() !== '';

/** REP-13: returns whether everything is set that a rule needs to run. */
export function isComplete({ action }: Pick<RepricerRule, 'action'>): boolean {
  return (
    isSet(action.strategy) &&
    isSet(action.diff_price) &&
    [action.min_price, action.max_price, action.standard_price].every(({ value }) => value.trim() !== '')
  );
}

/** REP-13: the exact message on saving an incomplete rule. */
export const INCOMPLETE_TEXT = 'Alle Felder müssen ausgefüllt sein! Kann nur Pausiert gespeichert werden.';

export type RuleProblem = { field: string; message: string };

const oneOf = (values: readonly (string | number)[], value: string | number) =>
  values.some((known) => String(known) === String(value).trim());

/**
 * Returns why a rule cannot be saved at all (REP-05 to REP-09, REP-14), with the place of each problem. A value not set yet is no
 * problem here: such a rule is saved paused.
 */
export function repricerProblems(rule: RepricerRule): RuleProblem[] {
  const { action } = rule;
  const problems: RuleProblem[] = [];
  const say = (field: string, message: string) => problems.push({ field, message });
  if (rule.name.trim() === '') say('name', 'Bitte geben Sie der Regel einen Namen.');
  action.exclude_sellers.forEach(({ value }, index) => {
    if (value.trim() === '') say(`action.exclude_sellers.${index}.value`, 'Bitte geben Sie die Verkäufer-ID an.');
  });
  const choices: [keyof RepricerAction, readonly (string | number)[], boolean][] = [
    ['strategy', ['', 1, 2], false],
    ['non_competition_strategy', [1, 2, ...NON_COMPETITION_STRATEGIES.map(({ value }) => value)], false],
    ['min_price_strategy', [1, 2, 3], false],
    ['exclude_count_rank', RANKS, false],
    ['exclude_count_reviews', REVIEW_COUNTS, false],
  ];
  for (const [field, values] of choices) {
    const value = action[field];
    if ((typeof value === 'string' || typeof value === 'number') && !oneOf(values, value))
      say(`action.${field}`, `„${value}“ steht hier nicht zur Wahl.`);
  }
  if (isSet(action.diff_price) && !/^0(?:\.\d{1,2})?$/.test(String(action.diff_price).trim()))
    say('action.diff_price', 'Die Preisdifferenz liegt zwischen 0.00 und 0.99, mit Punkt und höchstens zwei Stellen.');
  return problems;
}
