import type { Action, Condition, Rule } from '#shared/rules/schema.ts';

/**
 * Identifies the one text that differs between two states of a rule, by a path that stays the same while the user types;
 * undefined if something else differs as well: a choice, the number of parts, their order.
 */
export function typedPlace(before: Rule, after: Rule): string | undefined {
  const members = ['name', 'description', 'active', 'querys', 'actions'] as const;
  const [member, ...more] = members.filter((name) => before[name] !== after[name]);
  if (member === undefined || more.length > 0 || member === 'active') return undefined;
  if (member === 'name' || member === 'description') return `${after.id}.${member}`;
  const place =
    member === 'querys'
      ? placeIn(before.querys, after.querys, conditionText)
      : placeIn(before.actions, after.actions, actionText);
  return place === undefined ? undefined : `${after.id}.${member}.${place}`;
}

function placeIn<Part>(
  before: readonly Part[],
  after: readonly Part[],
  textIn: (one: Part, other: Part) => string | undefined,
): string | undefined {
  const [index, ...more] = after.flatMap((part, at) => (part === before[at] ? [] : [at]));
  if (index === undefined || more.length > 0 || before.length !== after.length) return undefined;
  const [old, now] = [before[index], after[index]];
  const text = old === undefined || now === undefined ? undefined : textIn(old, now);
  return text === undefined ? undefined : `${index}.${text}`;
}

function conditionText(before: Condition, after: Condition): string | undefined {
  const onlyValue = JSON.stringify({ ...before, value: '' }) === JSON.stringify({ ...after, value: '' });
  return onlyValue && after.valuetyp === '_string' ? 'value' : undefined;
}

function actionText(before: Action, after: Action): string | undefined {
  const rest = (action: Action) => JSON.stringify({ ...action, value: [] });
  if (rest(before) !== rest(after)) return undefined;
  const differing = after.value.flatMap((entry, at) => {
    const old = before.value[at] ?? { type: entry.type, value: '' };
    return old.value === entry.value && old.type === entry.type ? [] : [{ at, type: entry.type, was: old.type }];
  });
  const [first, ...more] = differing;
  if (first === undefined || more.length > 0 || before.value.length > after.value.length) return undefined;
  return first.type === first.was && first.type !== '_field' ? `value.${first.at}` : undefined;
}
