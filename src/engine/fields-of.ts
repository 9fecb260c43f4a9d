import type { Change, Condition, Operand, Rule } from './ir.ts';

/** The fields that a rule reads or writes; 'all' where a condition looks at every field. */
export function fieldsOf({ conditions, changes }: Rule): ReadonlySet<string> | 'all' {
  if (conditions.some(({ kind }) => kind === 'anyField')) return 'all';
  return new Set([...conditions.flatMap(conditionFields), ...changes.flatMap(changeFields)]);
}

function fieldOf(operand: Operand<unknown>): string[] {
  return operand.from === 'field' ? [operand.field] : [];
}

function conditionFields(condition: Condition): string[] {
  if (condition.kind !== 'field') return [];
  const { field, test } = condition;
  return 'operand' in test ? [field, ...fieldOf(test.operand)] : [field];
}

function changeFields(change: Change): string[] {
  const { field } = change;
  switch (change.kind) {
    case 'set':
    case 'append':
      return [field, ...fieldOf(change.value)];
    case 'combine':
      return [field, ...change.parts.flatMap(fieldOf)];
    case 'replace':
      return [field, ...change.pairs.flatMap(({ search, by }) => [...fieldOf(search), ...fieldOf(by)])];
    case 'split':
      return [field, ...fieldOf(change.separator)];
    case 'calculate':
      return [field, change.source, ...fieldOf(change.by)];
    case 'group':
      return [field, change.by];
    case 'shorten':
    case 'replacePattern':
      return [field];
  }
}
