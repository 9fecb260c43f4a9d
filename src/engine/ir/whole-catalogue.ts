import type { Change, Condition, Rule } from './rules.ts';
import { hidden } from './source-key.ts';

/** A condition that needs the numbers of all items. */
const isRank = (condition: Condition): boolean =>
  'test' in condition && (condition.test.kind === 'inHighest' || condition.test.kind === 'inLowest');

/** What a condition's answer is kept as, where it holds. */
const HOLDS = 'x';

/**
 * Rules for items that are computed in parts. What looks at all items, a rank or a group, is found once over all of them (`recorded`) and
 * kept for each item in a hidden column, of `keys`; with these at hand the rules ask nothing of other items any more (`answered`).
 * `scope` tells lists of rules apart whose items are the same.
 */
export function wholeCatalogueRules(
  rules: readonly Rule[],
  scope: string,
): { recorded: Rule[]; answered: Rule[]; keys: string[] } {
  const keys: string[] = [];
  const newKey = () => {
    // No user's text holds NUL, so no rule can name it.
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
      // A rule of its own before this one: the same items reach it, as they are now.
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
