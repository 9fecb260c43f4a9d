import { calculationNumberOrZero } from '#shared/rules/edits.ts';
import type { Action, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/** RUL-07: a stored number of a calculation that is none is shown as '0'. */
export function withReadableNumbers(rule: Rule): Rule {
  return { ...rule, actions: rule.actions.map(readable) };
}

function readable(action: Action): Action {
  if (action.select !== 'calculate') return action;
  const value = action.value.map((entry) =>
    entry.type === '_number' ? { ...entry, value: calculationNumberOrZero(entry.value) } : entry,
  );
  return { ...action, value };
}

/** The fields that rules write, each once. */
export function writtenFields(rules: readonly Rule[]): string[] {
  const names = rules.flatMap(({ actions }) => actions.map(({ field }) => field));
  return [...new Set(names)].filter((name) => name !== '' && name !== ALL_FIELDS);
}

/** What people call a rule (RUL-01: '...' stands for no name). */
export const nameOf = ({ name }: Pick<Rule, 'name'>): string => (name.trim() === '' ? '...' : name);
