import { calculationNumberOrZero } from '#shared/rules/edits.ts';
import type { Action, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/**
 * RUL-07: shows a stored calculation operand that is not a number as '0'. Drops the third entry of a replacement, which programs
 * could once store and nothing ever read: it is not visible in the form, and no list with it could be saved.
 */
export function asShown(rule: Rule): Rule {
  return { ...rule, actions: rule.actions.map(readable) };
}

function readable(action: Action): Action {
  if (action.select === 'replace') return { ...action, value: action.value.slice(0, 2) };
  if (action.select !== 'calculate') return action;
  const value = action.value.map((entry) =>
    entry.type === '_number' ? { ...entry, value: calculationNumberOrZero(entry.value) } : entry,
  );
  return { ...action, value };
}

/** Returns the fields that rules write, each once. */
export function writtenFields(rules: readonly Rule[]): string[] {
  const names = rules.flatMap(({ actions }) => actions.map(({ field }) => field));
  return [...new Set(names)].filter((name) => name !== '' && name !== ALL_FIELDS);
}

/** Returns the display name of a rule (RUL-01: '...' if it has no name). */
export const nameOf = ({ name }: Pick<Rule, 'name'>): string => (name.trim() === '' ? '...' : name);
