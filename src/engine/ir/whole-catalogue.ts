import type { Change, Condition, Rule } from './rules.ts';
import { hidden } from './source-key.ts';

/** Whether a condition needs the numbers of all items. */
const isRank = (condition: Condition): boolean =>
  'test' in condition && (condition.test.kind === 'inHighest' || condition.test.kind === 'inLowest');

/** The value stored for a condition where it holds. */
const HOLDS = 'x';

/**
 * Rewrites rules for items that are computed in parts. A rank or a group reads all items, so it is computed once over all of them
 * (`recorded`) and stored for each item in a hidden column, one of `keys`. With these columns the `answered` rules no longer read
 * other items. `scope` distinguishes lists of rules over the same items.
 */
export function wholeCatalogueRules(
  rules: readonly Rule[],
  scope: string,
): { recorded: Rule[]; answered: Rule[]; keys: string[] } {
  const keys: string[] = [];
  const newKey = () => {
    // No user's text contains NUL, so no rule can name this key.
    const key = hidden(`intern:\0${scope}${keys.length}`);
    keys.push(key);
    return key;
  };
  const recorded: Rule[] = [];
  const answered: Rule[] = [];
  for (const rule of rules) {
    const conditions = rule.conditions.map((condition): Condition => {
      if (!isRank(condition)) return condition;
      const key = newKey();
      const value = { from: 'literal' as const, value: HOLDS };
      // A rule of its own before this one, so that it sees the same items in the same state.
      const changes = [{ kind: 'set' as const, field: key, value }];
      recorded.push({ id: rule.id, conditions: [condition], changes, excludes: false });
      return { kind: 'field', field: key, test: { kind: 'isEmpty', negated: true } };
    });
    const changes = rule.changes.map((change): { recorded: Change[]; answered: Change } => {
      if (change.kind !== 'group') return { recorded: [change], answered: change };
      const [key, { field }] = [newKey(), change];
      return {
        recorded: [change, { kind: 'set', field: key, value: { from: 'field', field } }],
        answered: { kind: 'set', field, value: { from: 'field', field: key } },
      };
    });
    recorded.push({ ...rule, changes: changes.flatMap((one) => one.recorded) });
    answered.push({ ...rule, conditions, changes: changes.map((one) => one.answered) });
  }
  return { recorded, answered, keys };
}
