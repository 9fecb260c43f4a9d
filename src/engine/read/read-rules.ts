import { calculationOf, IGNORE_CASE } from '#shared/rules/actions.ts';
import type { Operator } from '#shared/rules/operators.ts';
import { numberText, textLines, wholeNumber } from '#shared/values/number-text.ts';
import { ITEM_ID, LINE_LIMITS } from '#shared/rules/check.ts';
import { holdsAlways } from '#shared/rules/edits.ts';
import type * as wire from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import type { Change, Condition, Operand, Replacement, Rule, Test } from '#engine/ir/rules.ts';
import { checkRegex, groupCount, replacementRewrite } from './regex.ts';
import { referenceKey, sourceKey } from '#engine/ir/source-key.ts';

/** Pairs of one replacement that become one nested expression; longer lists become several changes. */
const PAIRS_PER_CHANGE = 400;

/** DECIMAL(38,10): digits before the point that a number may have. */
const INTEGER_DIGITS = 28;

/**
 * Returns the rules that run as plain data: the active ones, in order. `previewed` is a rule whose statistics or preview a user
 * requested; it counts as active, since a new rule is paused until it is saved (RUL-08, RUL-11). What cannot be executed does no
 * harm: a condition becomes 'never', an action is dropped (docs/engine.md); `checkRules` warns the user beforehand.
 */
export function readRules(rules: readonly wire.Rule[], previewed?: string): Rule[] {
  return rules.filter((rule) => rule.active || rule.id === previewed).map(readRule);
}

function readRule(rule: wire.Rule): Rule {
  const excluding = rule.actions.findIndex(excludes);
  // An item is excluded at once: later actions of the rule do not apply to it.
  const before = excluding === -1 ? rule.actions : rule.actions.slice(0, excluding);
  return {
    id: rule.id,
    conditions: rule.querys.map(readCondition),
    changes: before.flatMap(readAction),
    excludes: excluding !== -1,
  };
}

function excludes(action: wire.Action): boolean {
  return action.field === ALL_FIELDS && action.select === 'unset';
}

function text(value: string): string | undefined {
  return value === '' ? undefined : value.toWellFormed();
}

function decimal(value: string): string | undefined {
  const digits = numberText(value);
  const integer = digits?.replace(/^-?0*/, '').split('.')[0] ?? '';
  return integer.length > INTEGER_DIGITS ? undefined : digits;
}

function readCondition(condition: wire.Condition): Condition {
  const named = condition.field;
  const field = condition.type === '_mapping' ? sourceKey('_mapping', named) : referenceKey(named);
  if (holdsAlways({ ...condition, field })) return { kind: 'always' };
  const test = field === '' ? undefined : readTest(condition);
  if (!test) return { kind: 'never' };
  return field === ALL_FIELDS ? { kind: 'anyField', test } : { kind: 'field', field, test };
}

/** The operand of a condition: the item's field, or the literal as `read` parses it. */
function operand<T>({ valuetyp, value }: wire.Condition, read: (value: string) => T, missing: T): Operand<T> {
  if (valuetyp === '_string') return { from: 'literal', value: read(value) };
  return value === '' ? { from: 'literal', value: missing } : { from: 'field', field: referenceKey(value) };
}

type ReadTest = (condition: wire.Condition) => Test | undefined;

const textual =
  (kind: 'contains' | 'equals' | 'startsWith' | 'endsWith', negated: boolean): ReadTest =>
  (condition) => ({ kind, negated, operand: operand(condition, text, undefined) });

const numeric =
  (
    kind: 'longerThan' | 'moreWordsThan' | 'greater' | 'greaterOrEqual' | 'less' | 'lessOrEqual',
    negated = false,
  ): ReadTest =>
  (condition) => ({ kind, negated, operand: operand(condition, decimal, undefined) });

const listed =
  (kind: 'containsAny' | 'equalsAny', negated: boolean): ReadTest =>
  (condition) => {
    if (condition.valuetyp === '_string' && entries(condition.value).length > LINE_LIMITS.entries) return undefined;
    return { kind, negated, operand: operand(condition, entries, []) };
  };

const ranked =
  (kind: 'inHighest' | 'inLowest'): ReadTest =>
  (condition) => ({ kind, negated: false, operand: operand(condition, wholeNumber, undefined) });

const matching =
  (negated: boolean): ReadTest =>
  ({ value, valuetyp }) => {
    if (valuetyp === '_field' || checkRegex(value) !== undefined) return undefined;
    return { kind: 'matches', negated, pattern: text(value) };
  };

function entries(value: string): readonly string[] {
  return textLines(value.toWellFormed()).filter((line) => line !== '');
}

const READ_TEST: Record<Operator, ReadTest> = {
  contains: textual('contains', false),
  not_contains: textual('contains', true),
  is_equal: textual('equals', false),
  is_not_equal: textual('equals', true),
  starts_with: textual('startsWith', false),
  starts_not_with: textual('startsWith', true),
  ends_with: textual('endsWith', false),
  ends_not_with: textual('endsWith', true),
  is_empty: () => ({ kind: 'isEmpty', negated: false }),
  is_not_empty: () => ({ kind: 'isEmpty', negated: true }),
  length_exceeds: numeric('longerThan'),
  length_not_exceeds: numeric('longerThan', true),
  word_count_exceeds: numeric('moreWordsThan'),
  word_count_not_exceeds: numeric('moreWordsThan', true),
  contains_any: listed('containsAny', false),
  not_contains_any: listed('containsAny', true),
  is_equal_any: listed('equalsAny', false),
  not_equal_any: listed('equalsAny', true),
  is_greater_than: numeric('greater'),
  is_greater_equal: numeric('greaterOrEqual'),
  is_less_than: numeric('less'),
  is_less_equal: numeric('lessOrEqual'),
  is_in_highest: ranked('inHighest'),
  is_in_lowest: ranked('inLowest'),
  regex: matching(false),
  not_regex: matching(true),
};

function readTest(condition: wire.Condition): Test | undefined {
  return READ_TEST[condition.select](condition);
}

/** An entry of an action as an operand: a field's value, or the entry's text. */
function part(entry: wire.ActionValue | undefined): Operand<string | undefined> {
  if (entry?.type === '_field' && entry.value !== '') return { from: 'field', field: referenceKey(entry.value) };
  return { from: 'literal', value: entry?.type === '_field' ? undefined : text(entry?.value ?? '') };
}

function readAction(action: wire.Action): Change[] {
  const { field } = action;
  if (field === '' || field === ALL_FIELDS || field === ITEM_ID) return [];
  return READ_CHANGE[action.select](action, field);
}

type ReadChange = (action: wire.Action, field: string) => Change[];

const READ_CHANGE: Record<wire.Action['select'], ReadChange> = {
  set: ({ value }, field) => [{ kind: 'set', field, value: part(value[0]) }],
  append: ({ value }, field) => [{ kind: 'append', field, value: part(value[0]) }],
  copy: ({ value }, field) => {
    // Always a field name, whatever the type of the entry: after the kind of action was changed it is still '_string'.
    const source = value[0]?.value ?? '';
    return source === '' ? [] : [{ kind: 'set', field, value: { from: 'field', field: referenceKey(source) } }];
  },
  combine: ({ value }, field) => [{ kind: 'combine', field, parts: value.map(part) }],
  replace: readReplacements,
  textsplit: ({ value }, field) => {
    const position = value[1]?.value ?? '';
    const at = position === '' ? 1 : wholeNumber(position);
    return at === undefined ? [] : [{ kind: 'split', field, separator: part(value[0]), position: at }];
  },
  maxlength: ({ value }, field) => {
    const length = wholeNumber(value[0]?.value ?? '');
    return length === undefined || length < 1 ? [] : [{ kind: 'shorten', field, length }];
  },
  calculate: readCalculation,
  group: ({ value }, field) => {
    const by = value[0]?.value ?? '';
    return by === '' ? [] : [{ kind: 'group', field, by: referenceKey(by) }];
  },
  searchRegex: ({ value }, field) => {
    const pattern = text(value[0]?.value ?? '');
    if (pattern === undefined || checkRegex(pattern) !== undefined) return [];
    const replacement = (value[1]?.value ?? '').toWellFormed();
    return [{ kind: 'replacePattern', field, pattern, rewrite: replacementRewrite(replacement, groupCount(pattern)) }];
  },
  unset: () => [],
};

function readReplacements({ value, actionOperator }: wire.Action, field: string): Change[] {
  const ignoreCase = actionOperator === IGNORE_CASE;
  const pairs = replacements(value[0], value[1]);
  const changes: Change[] = [];
  for (let at = 0; at < pairs.length; at += PAIRS_PER_CHANGE) {
    changes.push({ kind: 'replace', field, pairs: pairs.slice(at, at + PAIRS_PER_CHANGE), ignoreCase });
  }
  return changes;
}

/** Pairs line i of the search with line i of the replacement; one line serves all. A field is one text, not lines. */
function replacements(search: wire.ActionValue | undefined, by: wire.ActionValue | undefined): Replacement[] {
  const searches = lineParts(search);
  if (searches.length > LINE_LIMITS.searches) return [];
  const texts = lineParts(by);
  const only = texts.length === 1 ? texts[0] : undefined;
  const none: Operand<string | undefined> = { from: 'literal', value: undefined };
  return searches
    .map((line, index) => ({ search: line, by: only ?? texts[index] ?? none }))
    .filter((pair) => pair.search.from === 'field' || pair.search.value !== undefined);
}

function lineParts(entry: wire.ActionValue | undefined): Operand<string | undefined>[] {
  if (!entry) return [];
  if (entry.type === '_field') return [part(entry)];
  return textLines(entry.value).map((line) => ({ from: 'literal', value: text(line) }));
}

function readCalculation({ value, ...action }: wire.Action, field: string): Change[] {
  const operation = calculationOf(action);
  if (operation === undefined) return [];
  // A single number needs no source: the calculation uses the field itself.
  const [source, number] = value.length === 1 && value[0]?.type !== '_field' ? [undefined, value[0]] : value;
  const by: Operand<string | undefined> =
    number?.type === '_field' && number.value !== ''
      ? { from: 'field', field: referenceKey(number.value) }
      : { from: 'literal', value: number?.type === '_field' ? undefined : decimal(number?.value ?? '') };
  return [{ kind: 'calculate', field, operation, source: referenceKey(source?.value || field), by }];
}
