import { calculationNumberOrZero } from '#shared/rules/edits.ts';
import type { Action, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/**
 * RUL-07: a stored number of a calculation that is none is shown as '0'. Of a replacement a third entry, which programs could store once
 * and nothing ever read, is left out: nobody sees it in the form, and no list with it could be saved.
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

/** The fields that rules write, each once. */
export function writtenFields(rules: readonly Rule[]): string[] {
  const names = rules.flatMap(({ actions }) => actions.map(({ field }) => field));
  return [...new Set(names)].filter((name) => name !== '' && name !== ALL_FIELDS);
}

/** What people call a rule (RUL-01: '...' stands for no name). */
export const nameOf = ({ name }: Pick<Rule, 'name'>): string => (name.trim() === '' ? '...' : name);
