import { z } from 'zod';
import { isComplete, REPRICER_LIMITS, RepricerRule } from './schema.ts';

/** Confirmations before a repricing rule is saved or activated. */

/**
 * Returns a key of a rule's content that affects prices: rules with the same key decide the same. Name, description and pause are
 * left out; choices as numbers or texts are equal. Not resistant to deliberate collisions.
 */
export function contentKey({ action }: Pick<RepricerRule, 'action'>): string {
  const text = JSON.stringify([
    action.min_price.value,
    action.max_price.value,
    action.standard_price.value,
    String(action.strategy).trim(),
    // '0.5' and 0.5 mean '0.50'.
    String(action.diff_price).trim() === '' ? '' : Number(action.diff_price),
    aloneKey(action.non_competition_strategy),
    String(action.min_price_strategy).trim(),
    Number(action.exclude_count_rank),
    Number(action.exclude_count_reviews),
    action.exclude_sellers
      .map(({ value }) => value.trim().toUpperCase())
      .filter((value) => value !== '')
      .sort(),
  ]);
  return hashOf(text, 0x811c9dc5) + hashOf(text, 0x1b873593);
}

/** REP-07: 1 and 2 mean the two choices by position. */
const aloneKey = (value: string | number) => {
  const text = String(value).trim();
  return text === 'repricer_price.worker_price' ? '1' : text === 'repricer_price.worker_max_price' ? '2' : text;
};

/** FNV-1a over UTF-16 units with a final mix, as eight hexadecimal digits. */
function hashOf(text: string, start: number): string {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0');
}

/** The content of a rule that was simulated, and for how many own offers; those of unknown competition do not count. */
export const SimulatedContent = z
  .object({ rule: z.string(), content: z.string(), author: z.string(), at: z.string(), offers: z.number().int() })
  .meta({ id: 'SimulatedContent' });
export type SimulatedContent = z.infer<typeof SimulatedContent>;

/** T26: a change of the limits of more own offers than this needs a confirmation before it is saved. */
export const ASKED_ABOVE = 100;

/** Rules to be saved, the order of all rules afterwards, and the deleted ones. */
export const LimitsQuestion = z.object({
  rules: z.array(RepricerRule).max(REPRICER_LIMITS.rules),
  order: z.array(z.string().max(40)).max(1000).default([]),
  gone: z.array(z.string().max(40)).max(1000).default([]),
});
export type LimitsQuestion = z.infer<typeof LimitsQuestion>;

/** German names of the limits in all texts about their changes. */
export const limitWords = { min: 'Mindestpreis', max: 'Maximalpreis', standard: 'Standardpreis' } as const;

const count = z.number().int();
/** Number of own offers whose limit rises, falls, falls by more than half (a part of those that fall), is new, is removed. */
const LimitMoves = z.object({ up: count, down: count, halved: count, come: count, gone: count });
export type LimitMoves = z.infer<typeof LimitMoves>;

/** How the limits of own offers would change with a save. */
const LimitChange = z.object({
  /** Number of own offers with at least one changed limit. */
  concerned: count,
  min: LimitMoves,
  max: LimitMoves,
  standard: LimitMoves,
  /** The minimum with the largest relative fall, with its item and marketplace. */
  steepest: z.object({ item: z.string(), marketplace: z.string(), from_cents: count, to_cents: count }).nullable(),
});
export type LimitChange = z.infer<typeof LimitChange>;

/** `question`: the exact text of the confirmation that this save requires while the numbers stay equal; '': none is required. */
export const AskedLimitChange = LimitChange.extend({ question: z.string() }).meta({ id: 'LimitChange' });
export type AskedLimitChange = z.infer<typeof AskedLimitChange>;

const limits = ({ action }: RepricerRule) =>
  JSON.stringify([action.min_price.value, action.max_price.value, action.standard_price.value]);

/** Returns whether saving a rule could move a limit of any offer. */
function mayMoveLimits(before: RepricerRule | undefined, after: RepricerRule): boolean {
  if (before === undefined) return after.active;
  return before.active !== after.active || limits(before) !== limits(after);
}

type List = readonly RepricerRule[];

/**
 * Returns what to check before the rules change from `before` to `after`: the rules that differ, the whole order, the deleted
 * ones. Undefined if no limit can move, since nothing that prices an item changes.
 */
export function limitsQuestion(before: List, after: List): LimitsQuestion | undefined {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const order = after.map(({ id }) => id);
  const stays = new Set(order);
  const moves = after.some((rule) => mayMoveLimits(was.get(rule.id), rule)) || running(before) !== running(after);
  if (!moves) return undefined;
  const rules = after.filter((rule) => JSON.stringify(was.get(rule.id)) !== JSON.stringify(rule));
  return { rules, order, gone: [...was.keys()].filter((id) => !stays.has(id)) };
}

/** Returns which rules price items, in order. */
const running = (rules: List): string =>
  rules
    .filter((rule) => rule.active && isComplete(rule))
    .map(({ id }) => id)
    .join();

/** Returns whether the rule reads its limits from other fields than before. */
export const otherLimits = (before: RepricerRule, after: RepricerRule): boolean => limits(before) !== limits(after);
