import { repricerRuleChanges, repricerRuleVersion } from '#shared/repricer/difference.ts';
import { type ExcludedSeller, isComplete, type RepricerRule } from '#shared/repricer/schema.ts';
import { type DocumentShape, rowsShape } from '#client/editor/document-shape.ts';
import { sameValue } from '#client/editor/same-value.ts';
import { inOrderOf } from '#client/ui/rows/row-order.ts';

/** Returns the display name of a rule (REP-03: '...' if it has no name). */
export const nameOf = ({ name }: Pick<RepricerRule, 'name'>): string => (name.trim() === '' ? '...' : name);

/** Returns the rules that differ from their saved version. */
export function unsavedRules(saved: readonly RepricerRule[], rules: readonly RepricerRule[]): readonly RepricerRule[] {
  if (saved === rules) return [];
  const before = new Map(saved.map((rule) => [rule.id, rule]));
  return rules.filter((rule) => {
    const old = before.get(rule.id);
    return !sameValue(old, rule);
  });
}

/** REP-13: an incomplete rule is sent as paused, whatever its switch says. */
export const asSent = (rule: RepricerRule): RepricerRule => (isComplete(rule) ? rule : { ...rule, active: false });

/** REP-13: returns what a rule still lacks, by the labels of the form. */
export function missingIn({ action }: Pick<RepricerRule, 'action'>): string[] {
  const needed: [string, string | number][] = [
    ['Mindestpreis', action.min_price.value],
    ['Standardpreis', action.standard_price.value],
    ['Maximalpreis', action.max_price.value],
    ['Strategie', action.strategy],
    ['Preisdifferenz', action.diff_price],
  ];
  return needed.flatMap(([label, value]) => (String(value).trim() === '' ? [label] : []));
}

/** Returns the stored rules after `sent` is saved too, in the order of the form's rules, `all`. */
export function withSaved({ saved, sent, all }: Record<'saved' | 'sent' | 'all', readonly RepricerRule[]>) {
  const now = new Map([...saved, ...sent].map((rule) => [rule.id, rule]));
  return inOrderOf(
    [...now.values()],
    all.map(({ id }) => id),
    ({ id }) => id,
  );
}

/** Removes NUL characters, which the database cannot store, from typed text. */
export function withoutNul(rule: RepricerRule): RepricerRule {
  const clean = (text: string) => text.replaceAll('\0', '');
  const seller = ({ name, value }: ExcludedSeller) => ({ name: clean(name), value: clean(value) });
  const dirty = [
    rule.name,
    rule.description,
    ...rule.action.exclude_sellers.flatMap(({ name, value }) => [name, value]),
  ];
  if (!dirty.some((text) => text.includes('\0'))) return rule;
  const action = { ...rule.action, exclude_sellers: rule.action.exclude_sellers.map(seller) };
  return { ...rule, name: clean(rule.name), description: clean(rule.description), action };
}

/**
 * Identifies the text that differs between two states of a rule and stays the same while
 * the user types; undefined: not a text edit.
 */
export function typedPlace(before: RepricerRule, after: RepricerRule): string | undefined {
  if (before.active !== after.active) return undefined;
  if (before.name !== after.name) return 'name';
  if (before.description !== after.description) return 'description';
  const [were, are] = [before.action.exclude_sellers, after.action.exclude_sellers];
  if (were === are || were.length !== are.length) return undefined;
  const at = are.findIndex((seller, index) => seller !== were[index]);
  const text = are[at]?.name === were[at]?.name ? 'value' : 'name';
  return `seller.${at}.${text}`;
}

/** Rules are saved one by one and deleted only by the server; their order is saved at once. */
export const repricerShape: DocumentShape<readonly RepricerRule[]> = {
  ...rowsShape<RepricerRule>({
    sentences: repricerRuleChanges,
    name: (rule) => `Repricing-Regel „${nameOf(rule)}“`,
    version: repricerRuleVersion,
    typedPlace,
  }),
  countChanges: (saved, rules) => unsavedRules(saved, rules).length,
  keepStored: (rules, stored) => {
    const ids = new Set(rules.map(({ id }) => id));
    const removed = stored.filter(({ id }) => !ids.has(id));
    return removed.length === 0 ? rules : [...rules, ...removed];
  },
};
