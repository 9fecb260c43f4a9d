import type { Change, Condition, Operand, Rule } from './rules.ts';

/** The fields that a rule reads or writes; 'all' if a condition reads every field. */
export function fieldsOf(rule: Rule): ReadonlySet<string> | 'all' {
  return rule.conditions.some(({ kind }) => kind === 'anyField') ? 'all' : namedFields(rule);
}

/** The fields that a rule names: first those of its conditions, then those its changes write and read. */
export function namedFields({ conditions, changes }: Rule): ReadonlySet<string> {
  return new Set([...conditions.flatMap(conditionFields), ...changes.flatMap(changeFields)]);
}

function fieldOf(operand: Operand<unknown>): string[] {
  return operand.from === 'field' ? [operand.field] : [];
}

/** The fields that a condition names. */
export function conditionFields(condition: Condition): string[] {
  if (condition.kind === 'always' || condition.kind === 'never') return [];
  const { test } = condition;
  const tested = condition.kind === 'field' ? [condition.field] : [];
  return 'operand' in test ? [...tested, ...fieldOf(test.operand)] : tested;
}

/** The fields whose values affect what a rule decides or writes; 'all' if a condition reads every field. */
export function fieldsRead({ conditions, changes }: Rule): ReadonlySet<string> | 'all' {
  if (conditions.some(({ kind }) => kind === 'anyField')) return 'all';
  return new Set([...conditions.flatMap(conditionFields), ...changes.flatMap(changeReads)]);
}

function changeFields(change: Change): string[] {
  return [change.field, ...changeReads(change)];
}

/** The fields that a change computes its new value from. The old value that some items may keep is not counted. */
export function changeReads(change: Change): string[] {
  const { field } = change;
  switch (change.kind) {
    case 'set':
      return fieldOf(change.value);
    case 'append':
      return [field, ...fieldOf(change.value)];
    case 'combine':
      return change.parts.flatMap(fieldOf);
    case 'replace':
      return [field, ...change.pairs.flatMap(({ search, by }) => [...fieldOf(search), ...fieldOf(by)])];
    case 'split':
      return [field, ...fieldOf(change.separator)];
    case 'calculate':
      return [change.source, ...fieldOf(change.by)];
    case 'group':
      return [change.by];
    case 'shorten':
    case 'replacePattern':
      return [field];
  }
}
